import Dispatch

/// Counts by hand; every job changes the count on the thread that it happens to run on.
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
    tally.underWay = jobs.count
    for job in jobs { submit(job) }
    if jobs.isEmpty { tally.notify() }
  }

  public func add(_ job: Job) {
    tally.underWay += 1
    submit(job)
  }

  private func submit(_ job: Job) {
    job.queue.async { [tally] in
      job.work()
      tally.underWay -= 1
      if tally.underWay == 0 { tally.notify() }
    }
  }
}

// Safe: it isn't, and that is the mistake.
private final class Tally: @unchecked Sendable {
  var underWay = 0
  private var hasNotified = false
  private let send: @Sendable () -> Void

  init(send: @escaping @Sendable () -> Void) {
    self.send = send
  }

  func notify() {
    guard !hasNotified else { return }
    hasNotified = true
    send()
  }
}
