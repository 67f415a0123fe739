import Dispatch
import Foundation

/// A counter behind a lock, but `add` changes it without the lock.
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
  // Safe: it isn't, and that is the mistake.
  private nonisolated(unsafe) var underWay = 0
  private nonisolated(unsafe) var whenZero: (@Sendable () -> Void)?
  private let lock = NSLock()

  init(whenZero: @escaping @Sendable () -> Void) {
    self.whenZero = whenZero
  }

  func add() { underWay += 1 }

  func remove() {
    let notify: (@Sendable () -> Void)? = lock.withLock {
      underWay -= 1
      guard underWay == 0 else { return nil }
      defer { whenZero = nil }
      return whenZero
    }
    notify?()
  }
}
