import Dispatch
import Foundation

/// A counter that marks the notice as sent when it is delivered, not when all is done: too late.
public final class AllDone: Sendable {
  public struct Job: Sendable {
    public let queue: DispatchQueue
    public let work: @Sendable () -> Void

    public init(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
      self.queue = queue
      self.work = work
    }
  }

  private let noticeQueue: DispatchQueue
  private let onAllDone: @Sendable () -> Void
  private let lock = NSLock()
  // Safe: guarded by `lock`. The one that isn't done at first is the initializer itself.
  private nonisolated(unsafe) var undone = 1
  private nonisolated(unsafe) var isTold = false  // Safe: as above.

  public init(
    _ jobs: [Job], noticeQueue: DispatchQueue, onAllDone: @escaping @Sendable () -> Void
  ) {
    self.noticeQueue = noticeQueue
    self.onAllDone = onAllDone
    for job in jobs { add(job) }
    countDone()
  }

  public func add(_ job: Job) {
    lock.withLock { undone += 1 }
    job.queue.async { [self] in
      job.work()
      countDone()
    }
  }

  private func countDone() {
    let isTime = lock.withLock {
      undone -= 1
      return undone == 0 && !isTold
    }
    guard isTime else { return }
    noticeQueue.async { [self] in
      lock.withLock { isTold = true }
      onAllDone()
    }
  }
}
