import Foundation
import KataTesting
import Testing

/// An operation that works from its start until the spec ends it, without holding a thread.
///
/// While it works it is inside on the timeline. Told to stop, it goes on until the spec ends it;
/// cancelled before its start, it leaves without working.
// Safe: `phase` has a lock, and the rest never changes.
final class StagedOperation: Operation, @unchecked Sendable {
  private enum Phase { case waiting, executing, finished }

  let label: String
  private let timeline: Timeline
  private let phase = LockedValue(Phase.waiting)

  init(_ label: String, on timeline: Timeline) {
    self.label = label
    self.timeline = timeline
    super.init()
    name = label
  }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { phase.value == .executing }
  override var isFinished: Bool { phase.value == .finished }

  override func start() {
    // A second start, of a wrong answer's, must do no harm.
    guard phase.value == .waiting else { return }
    guard !isCancelled else { return finish() }
    willChangeValue(forKey: "isExecuting")
    timeline.enter(label)
    phase.set(.executing)
    didChangeValue(forKey: "isExecuting")
  }

  /// Shows on the timeline that it's about to be added, and waits from now on.
  func ask() { timeline.asks(label) {} }

  /// The work ends, if it has begun and hasn't ended; whatever waited for that may happen.
  func end(sourceLocation: SourceLocation = #_sourceLocation) {
    leave()
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  fileprivate func leave() {
    guard isExecuting else { return }
    timeline.leave(label)
    finish()
  }

  private func finish() {
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    phase.set(.finished)
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}

extension Timeline {
  /// Operations that show here, and work until the spec ends them.
  func jobs(_ labels: String...) -> [StagedOperation] {
    labels.map { StagedOperation($0, on: self) }
  }
}

/// Adds operations to a queue, one after another, and each time lets begin whatever may.
func add(
  _ operations: [StagedOperation], to queue: OperationQueue,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  for operation in operations {
    operation.ask()
    queue.addOperation(operation)
    runUntilQuiet(sourceLocation: sourceLocation)
  }
}

/// Ends a test: whatever works or waits in some queues leaves them, and everybody has heard of that.
///
/// Foundation on Linux doesn't survive it when an operation goes away while its end is told.
func clear(_ queues: OperationQueue..., of operations: [StagedOperation]) {
  for operation in operations { operation.cancel() }
  for queue in queues { queue.isSuspended = false }
  runUntilQuiet()
  for operation in operations { operation.leave() }
  runUntilQuiet()
}
