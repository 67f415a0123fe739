import Foundation
import KataTesting
import Testing

extension PriorityLaneTests {
  /// Adds a job that shows on the timeline, on a thread that `add` must give back.
  @discardableResult
  func add(
    _ label: String, _ priority: Int = 0, after dependencies: [Operation] = [],
    to other: PriorityLane? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Operation {
    try add(
      label, priority, after: dependencies, to: other, sourceLocation: sourceLocation
    ) { [timeline] in timeline.visit(label) {} }
  }

  /// Adds a job that stays until `gate` opens.
  @discardableResult
  func add(
    _ label: String, until gate: Gate, to other: PriorityLane? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Operation {
    try add(label, 0, after: [], to: other, sourceLocation: sourceLocation) { [timeline] in
      timeline.visit(label, until: gate)
    }
  }

  private func add(
    _ label: String, _ priority: Int, after dependencies: [Operation], to other: PriorityLane?,
    sourceLocation: SourceLocation, work: @escaping @Sendable () -> Void
  ) throws -> Operation {
    let lane = other ?? lane
    return try mustReturn(
      "add", "Whoever adds a job has something else to do: the lane works by itself.",
      sourceLocation: sourceLocation
    ) { lane.add(priority: priority, after: dependencies, work) }
  }

  /// Opens the lane and lets it run until nothing more begins.
  func open(
    _ other: PriorityLane? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let lane = other ?? lane
    try mustReturn(
      "open", "Whoever opens the lane has something else to do: the jobs run by themselves.",
      sourceLocation: sourceLocation
    ) { lane.open() }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Compares the order in which jobs began.
  func expectOrder(
    _ labels: [String], _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      timeline.orderOfEntry == labels,
      timeline.showing(
        "The order must be: \(labels.joined(separator: ", ")). \(sentence)"),
      sourceLocation: sourceLocation)
  }
}
