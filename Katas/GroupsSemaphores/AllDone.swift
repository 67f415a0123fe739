// Page: make page KATA=AllDone (Docs/ConcurrencyKatas.docc/AllDone.md)
// Read first: make page KATA=GroupsSemaphores (the chapter of the module)

import Dispatch

/// Runs jobs on several queues and calls a closure when all of them are done.
///
/// The call of `onAllDone` is the notice.
///
/// - Each job runs once, on its own queue.
/// - Jobs run at the same time if their queues allow it.
/// - `init` and `add` wait neither for a job nor for the notice queue.
/// - The notice waits for every job that is given to `init`.
/// - The notice waits for a job that is added before all others are done, such as one that another
///   job adds.
/// - A job counts as not done from the moment it is submitted, even while it waits in a busy queue.
/// - A job is done when it returns; what it only began, such as a download that calls back later,
///   isn't waited for.
/// - `onAllDone` is called once, on the notice queue, which may be the queue of a job too.
/// - If there are no jobs, `onAllDone` is called all the same.
/// - A job that is added when all others are done runs, but the notice doesn't wait for it, and no
///   second notice follows.
/// - The notice doesn't wait for the jobs of another `AllDone`, unless they keep the notice queue
///   or the queue of one of its own jobs busy.
/// - The jobs run and the notice is sent even if the object is released first.
/// - Threads may call `add` at the same time, and jobs may end at the same time, without a data
///   race.
///
/// ```swift
/// let launch = AllDone(
///   [.init(on: disk) { loadSettings() }, .init(on: network) { fetchNews() }],
///   noticeQueue: .main
/// ) {
///   showHomeScreen()
/// }
/// launch.add(.init(on: disk) { loadDrafts() })
/// ```
///
/// Source: Apple's documentation of `DispatchGroup`.
///
/// Your turn: write `init` and `add(_:)`. A `DispatchGroup` counts blocks that are submitted and
/// not yet done, on any queues; look up `async(group:)` and `notify(queue:)`. Mind the order: a
/// group that nothing has joined counts as done.
public final class AllDone: Sendable {
  /// Work, and the queue that it runs on.
  public struct Job: Sendable {
    /// The queue on which ``work`` is called.
    public let queue: DispatchQueue
    /// The work of the job.
    public let work: @Sendable () -> Void

    /// Describes a job.
    ///
    /// - A job isn't submitted before it is given to an ``AllDone``.
    public init(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
      self.queue = queue
      self.work = work
    }
  }

  // TODO: Add what counts the jobs that aren't done yet.

  /// Submits every job to its queue.
  ///
  /// - The jobs are submitted in the order in which they are given.
  ///
  /// - Parameters:
  ///   - jobs: The first jobs; more can be added.
  ///   - noticeQueue: The queue on which `onAllDone` is called.
  ///   - onAllDone: Called when all jobs are done.
  public init(
    _ jobs: [Job], noticeQueue: DispatchQueue, onAllDone: @escaping @Sendable () -> Void
  ) {
    // TODO: Submit the jobs, and arrange for `onAllDone` to be called on `noticeQueue` when all are
    // done. Don't wait here.
  }

  /// Submits another job to its queue.
  public func add(_ job: Job) {
    // TODO: Submit the job to its queue so that it counts from this moment until it has returned.
  }
}
