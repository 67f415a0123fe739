import Dispatch

/// A serial queue counts, and jobs report to it.
public final class AllDone: Sendable {
  public struct Job: Sendable {
    public let queue: DispatchQueue
    public let work: @Sendable () -> Void

    public init(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
      self.queue = queue
      self.work = work
    }
  }

  private let office: Office

  public init(
    _ jobs: [Job], noticeQueue: DispatchQueue, onAllDone: @escaping @Sendable () -> Void
  ) {
    office = Office { noticeQueue.async(execute: onAllDone) }
    office.queue.sync { office.underWay = jobs.count }
    for job in jobs { submit(job) }
    if jobs.isEmpty { office.queue.async { [office] in office.notifyIfDone() } }
  }

  public func add(_ job: Job) {
    office.queue.sync { office.underWay += 1 }
    submit(job)
  }

  private func submit(_ job: Job) {
    job.queue.async { [office] in
      job.work()
      office.queue.async {
        office.underWay -= 1
        office.notifyIfDone()
      }
    }
  }
}

private final class Office: Sendable {
  let queue = DispatchQueue(label: "answer.all-done")
  // Safe: touched on `queue` only.
  nonisolated(unsafe) var underWay = 0
  private nonisolated(unsafe) var notify: (@Sendable () -> Void)?  // Safe: as above.

  init(notify: @escaping @Sendable () -> Void) {
    self.notify = notify
  }

  func notifyIfDone() {
    guard underWay == 0 else { return }
    notify?()
    notify = nil
  }
}
