import Foundation
import KataTesting
import Testing

extension ThrottledQueueTests {
  /// A queue as the spec likes it, unless the test says otherwise.
  func throttled(
    limit: Int, underlyingQueue: DispatchQueue? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ThrottledQueue {
    try mustReturn("init", sourceLocation: sourceLocation) {
      try ThrottledQueue(
        name: "com.example.spec", limit: limit, underlyingQueue: underlyingQueue)
    }
  }

  /// Operations that work until the spec ends them.
  func jobs(_ labels: String...) -> [StagedOperation] {
    labels.map { StagedOperation($0, on: timeline) }
  }

  /// Adds operations and lets begin whatever may.
  func add(
    _ jobs: [StagedOperation], to queue: OperationQueue,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for job in jobs { queue.addOperation(job) }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Calls `pause` on a thread that it must give back, and lets end and begin whatever may.
  func pause(
    _ queue: ThrottledQueue, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("pause", "called")
    try mustReturn(
      "pause", "Who pauses a queue isn't held: what runs may need them.",
      sourceLocation: sourceLocation
    ) { queue.pause() }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Calls `resume` on a thread that it must give back, and lets end and begin whatever may.
  func resume(
    _ queue: ThrottledQueue, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("resume", "called")
    try mustReturn("resume", sourceLocation: sourceLocation) { queue.resume() }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Runs two calls on two threads, the second after the first and though nothing has told it so.
  func inTurn(
    _ firstName: String, _ first: @escaping @Sendable () -> Void,
    _ secondName: String, _ second: @escaping @Sendable () -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let meeting = RelaxedRendezvous()
    let isThere = Gate("the second thread")
    // Made first: a thread that starts later goes through locks that could order it after the other.
    let later = TestThread(secondName) {
      isThere.open()
      meeting.look(second)
    }
    eventually("The second thread never starts.", sourceLocation: sourceLocation) { isThere.isOpen }
    let earlier = TestThread(firstName) {
      first()
      meeting.changed()
    }
    try earlier.result(timersInPlay: true, sourceLocation: sourceLocation)
    try later.result(timersInPlay: true, sourceLocation: sourceLocation)
  }
}
