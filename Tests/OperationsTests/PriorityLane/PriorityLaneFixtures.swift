import Foundation
import KataTesting
import Testing

extension PriorityLaneTests {
  /// Adds a job that shows on the timeline, on a thread that `add` must give back.
  ///
  /// Where there's a gate, the job stays until that opens.
  @discardableResult
  func add(
    _ label: String, _ priority: Int = 0, after dependencies: [Operation] = [],
    until gate: Gate? = nil, to other: PriorityLane? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Operation {
    timeline.ask(label)
    return try mustReturn(
      "add", "Whoever adds a job has something else to do: the lane works by itself.",
      sourceLocation: sourceLocation
    ) { [timeline, lane = other ?? lane] in
      lane.add(priority: priority, after: dependencies) {
        timeline.visit(label) { gate?.wait() }
      }
    }
  }

  /// Opens the lane and lets it run until nothing more begins.
  func open(
    _ other: PriorityLane? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(
      "open", "Whoever opens the lane has something else to do: the jobs run by themselves.",
      sourceLocation: sourceLocation
    ) { [lane = other ?? lane] in lane.open() }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Compares the order in which jobs began.
  func expectOrder(
    _ labels: [String], _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      timeline.orderOfEntry == labels,
      timeline.showing("The order must be: \(labels.joined(separator: ", ")). \(sentence)"),
      sourceLocation: sourceLocation)
  }
}
