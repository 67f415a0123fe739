import Foundation
import KataTesting
import Testing

/// An operation that works from its start until the spec ends it, without holding a thread.
///
/// While it works it is inside on the timeline. Told to stop, it goes on until the spec ends it;
/// cancelled before its start, it leaves without working.
final class StagedOperation: Operation, @unchecked Sendable {  // Safe: guarded by `lock`.
  private enum Phase { case waiting, executing, finished }

  let label: String
  private let timeline: Timeline
  private let lock = NSLock()
  private var phase = Phase.waiting

  init(_ label: String, on timeline: Timeline) {
    self.label = label
    self.timeline = timeline
    super.init()
    name = label
  }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { lock.withLock { phase == .executing } }
  override var isFinished: Bool { lock.withLock { phase == .finished } }

  override func start() {
    // A second start, of a wrong answer's, must do no harm.
    guard lock.withLock({ phase == .waiting }) else { return }
    guard !isCancelled else { return finish() }
    willChangeValue(forKey: "isExecuting")
    timeline.enter(label)
    lock.withLock { phase = .executing }
    didChangeValue(forKey: "isExecuting")
  }

  /// The work ends, if it has begun and hasn't ended.
  func end() {
    guard isExecuting else { return }
    timeline.leave(label)
    finish()
  }

  private func finish() {
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    lock.withLock { phase = .finished }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}

/// Ends a test: whatever works or waits in `queue` leaves it, and everybody has heard of that.
///
/// Foundation on Linux doesn't survive it when an operation goes away while its end is told.
func clear(_ queue: OperationQueue, of operations: [StagedOperation]) {
  for operation in operations { operation.cancel() }
  queue.isSuspended = false
  for operation in operations { operation.end() }
  runUntilQuiet()
}
