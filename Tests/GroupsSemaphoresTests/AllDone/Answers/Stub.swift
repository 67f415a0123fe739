// Page: make page KATA=AllDone (Docs/ConcurrencyKatas.docc/AllDone.md)

import Dispatch

/// Runs jobs on several queues and tells once, on a queue of your choice, when all of them are done.
///
/// Safe to use from every thread, also from the jobs themselves. Nothing here holds its caller until
/// the jobs are done.
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
/// The jobs run and the notice comes even if nobody keeps the object.
///
/// - Warning: A job is done when it returns. What it only began, such as a download that calls back
///   later, isn't waited for.
///
/// Source: Apple's documentation of `DispatchGroup`.
///
/// Your turn: a `DispatchGroup` counts work that was submitted and isn't done yet, on whatever queues,
/// and can tell when none is left. Write `init` and `add(_:)`. Mind the order: to a group that nothing
/// has joined, everything is done already.
public final class AllDone: Sendable {
  /// Work, and the queue that it runs on.
  public struct Job: Sendable {
    /// The queue that ``work`` is called on.
    public let queue: DispatchQueue
    /// What there is to do; done when it returns.
    public let work: @Sendable () -> Void

    /// Describes a job; it begins when it is given to an ``AllDone``.
    public init(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
      self.queue = queue
      self.work = work
    }
  }

  // TODO: What counts the jobs that aren't done yet?

  /// Submits every job to its queue, in this order, and returns at once.
  ///
  /// - Parameters:
  ///   - jobs: What must be done before the notice comes; may be empty.
  ///   - noticeQueue: The queue that `onAllDone` is called on. It may be a job's queue too.
  ///   - onAllDone: Called once, when all jobs are done: those given here, and those that were added
  ///     before the last of them was done. Without any job it is called too.
  public init(
    _ jobs: [Job], noticeQueue: DispatchQueue, onAllDone: @escaping @Sendable () -> Void
  ) {
    // TODO: Submit the jobs, and see to it that `onAllDone` is called on `noticeQueue` when all are
    // done. Don't wait here.
  }

  /// Submits another job to its queue and returns at once.
  ///
  /// The notice waits for it too, unless all other jobs are done by now: then it runs all the same,
  /// and nobody is told. A job that adds another is itself not done yet, so what it adds counts.
  public func add(_ job: Job) {
    // TODO: Submit the job to its queue, so that it counts from this moment until it has returned.
  }
}
