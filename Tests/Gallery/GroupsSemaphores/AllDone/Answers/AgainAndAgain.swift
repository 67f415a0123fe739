import Dispatch
import Foundation

/// A counter behind a lock that sends a notice whenever it reaches zero: once too often.
public final class AllDone: Sendable {
  public struct Job: Sendable {
    public let queue: DispatchQueue
    public let work: @Sendable () -> Void

    public init(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
      self.queue = queue
      self.work = work
    }
  }

  private let tally: Tally

  public init(
    _ jobs: [Job], noticeQueue: DispatchQueue, onAllDone: @escaping @Sendable () -> Void
  ) {
    tally = Tally { noticeQueue.async(execute: onAllDone) }
    // `init` counts as one job, so the count can't be zero before all jobs are submitted.
    tally.add()
    for job in jobs { add(job) }
    tally.remove()
  }

  public func add(_ job: Job) {
    tally.add()
    job.queue.async { [tally] in
      job.work()
      tally.remove()
    }
  }
}

private final class Tally: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var underWay = 0
  private let whenZero: @Sendable () -> Void
  private let lock = NSLock()

  init(whenZero: @escaping @Sendable () -> Void) {
    self.whenZero = whenZero
  }

  func add() { lock.withLock { underWay += 1 } }

  func remove() {
    let isZero = lock.withLock {
      underWay -= 1
      return underWay == 0
    }
    if isZero { whenZero() }
  }
}
