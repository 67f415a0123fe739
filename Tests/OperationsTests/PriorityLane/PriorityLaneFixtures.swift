import Foundation
import KataTesting
import Testing

extension PriorityLaneTests {
  /// Adds a job that shows on the timeline, on a thread that `add` mustn't keep.
  ///
  /// If there is a gate, the job waits until it opens.
  @discardableResult
  func add(
    _ label: String, _ priority: Int = 0, after dependencies: [Operation] = [],
    until gate: Gate? = nil, to other: PriorityLane? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Operation {
    timeline.ask(label)
    return try mustReturn(
      "add", "add must return without waiting for any job: the jobs run on threads of the lane.",
      sourceLocation: sourceLocation
    ) { [timeline, lane = other ?? lane] in
      lane.add(priority: priority, after: dependencies) {
        timeline.visit(label) { gate?.wait() }
      }
    }
  }

  /// Opens the lane and waits until no more jobs begin.
  func open(
    _ other: PriorityLane? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(
      "open", "open must return without waiting for any job: the jobs run on threads of the lane.",
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
