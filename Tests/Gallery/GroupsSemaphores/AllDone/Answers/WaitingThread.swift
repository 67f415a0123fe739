import Dispatch
import Foundation

/// A thread of its own waits for the group; it costs a thread and keeps every promise.
public final class AllDone: Sendable {
  public struct Job: Sendable {
    public let queue: DispatchQueue
    public let work: @Sendable () -> Void

    public init(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
      self.queue = queue
      self.work = work
    }
  }

  private let group = DispatchGroup()

  public init(
    _ jobs: [Job], noticeQueue: DispatchQueue, onAllDone: @escaping @Sendable () -> Void
  ) {
    for job in jobs { add(job) }
    Thread.detachNewThread { [group] in
      group.wait()
      noticeQueue.async(execute: onAllDone)
    }
  }

  public func add(_ job: Job) {
    group.enter()
    job.queue.async { [group] in
      job.work()
      group.leave()
    }
  }
}
