import Foundation
import KataTesting
import Testing

/// An operation that works from its start until the spec ends it, without occupying a thread.
///
/// While it works it is inside on the timeline. Cancelled while it works, it continues until the
/// spec ends it; cancelled before its start, it finishes without working.
// Safe: `phase` is guarded by a lock, and the rest never changes.
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
    // A second start, by a wrong answer, must do no harm.
    guard phase.value == .waiting else { return }
    guard !isCancelled else { return finish() }
    willChangeValue(forKey: "isExecuting")
    timeline.enter(label)
    phase.set(.executing)
    didChangeValue(forKey: "isExecuting")
  }

  /// Shows on the timeline that it's about to be added and waits from now on.
  func ask() { timeline.asks(label) {} }

  /// Ends the work if it has begun and hasn't ended, and waits until all that follows has happened.
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
  /// Operations that show on this timeline, and work until the spec ends them.
  func jobs(_ labels: String...) -> [StagedOperation] {
    labels.map { StagedOperation($0, on: self) }
  }
}

/// Adds operations to a queue, one after another, and waits each time until those that may have
/// begun.
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

/// Ends a test: all operations leave their queues, and all observers have been notified.
///
/// Foundation on Linux crashes if an operation is deallocated while its observers are notified.
func clear(_ queues: OperationQueue..., of operations: [StagedOperation]) {
  for operation in operations { operation.cancel() }
  for queue in queues { queue.isSuspended = false }
  runUntilQuiet()
  for operation in operations { operation.leave() }
  runUntilQuiet()
}
