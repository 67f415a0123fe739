// Page: make page KATA=PriorityLane (Docs/ConcurrencyKatas.docc/PriorityLane.md)

import Foundation

/// Runs one job at a time: of the jobs that are ready, the most urgent goes first.
///
/// ```swift
/// let lane = PriorityLane(name: "com.example.library")
/// let index = lane.add(priority: -4) { buildIndex() }
/// lane.add(priority: 8, after: [index]) { search() }
/// lane.add { tidyUp() }
/// lane.open()  // tidyUp, buildIndex, search
/// ```
///
/// - One job runs at a time.
/// - Of the jobs that are ready, the one with the highest priority goes next; of equals that were
///   ready when they were added, the one that was added first.
/// - The choice is made each time the lane is free, so a job that is added late may overtake those
///   that wait.
/// - A job that runs is neither interrupted nor cancelled for the sake of a more urgent one.
/// - A job is ready when all operations that it comes after have finished, whatever its priority.
///   If they are jobs of this lane, it takes part in the next choice.
/// - Priorities stay as they were given: no job inherits the priority of another.
/// - `open` and `add` return without waiting for a job.
/// - Every thread may use the lane, and several may use it at once.
///
/// A job of very high priority may come after one of very low priority. Then it waits until the low
/// one has run, which waits for all ready jobs with a higher priority than its own.
///
/// Your turn. An `OperationQueue` that is one wide (`maxConcurrentOperationCount`) does the
/// ordering, if each job has the right `queuePriority` and the right dependencies before it's in
/// the queue. Translating the numbers is yours: `Operation.QueuePriority` has five cases, -8, -4,
/// 0, 4 and 8, and a priority may be any number. And mind a job that is cancelled while it waits:
/// it leaves the queue and may be deallocated, but Foundation on Linux keeps an unretained pointer
/// to it in each dependency. So retain the job until its dependencies have finished: for each
/// dependency add another operation, which depends on it and captures the job. This operation isn't
/// a job, and needs no turn in the lane.
///
/// Source: Apple's documentation of `OperationQueue`, "Determine Execution Order", and of
/// `Operation.queuePriority`.
public final class PriorityLane: Sendable {
  private let queue = OperationQueue()

  /// Creates a lane that is closed.
  ///
  /// - No job runs before `open()` is called.
  ///
  /// - Parameter name: The lane's name in the debugger, in reverse DNS.
  public init(name: String) {
    // TODO: One job at a time, and none before open().
  }

  /// Opens the lane: from now on its jobs run, one after another.
  ///
  /// - Once the lane is open, its jobs run even if the caller releases the lane.
  /// - Opening it again does nothing: it stays open.
  public func open() {
    // TODO: Let the jobs run.
  }

  /// Adds a job to the lane.
  ///
  /// - Unless the job is cancelled before its turn, `work` is called once, on a thread of the lane,
  ///   not on the caller's.
  /// - `priority` may be any number, and counts as `queuePriority(for:)` says.
  /// - A job may come after jobs of this lane, jobs of another lane, and any other operations.
  /// - A job that comes after a cancelled operation still waits for it: a cancelled operation
  ///   finishes only when it leaves its queue.
  /// - The returned operation is the job itself: other jobs may come after it, and it may be
  ///   cancelled.
  /// - A job that is cancelled before its turn leaves the lane without working, at the latest when
  ///   its turn has come.
  /// - The caller needn't retain a job that is cancelled: the operations that it comes after still
  ///   finish, without a crash.
  ///
  /// - Parameters:
  ///   - priority: How urgent the job is.
  ///   - dependencies: The operations that the job comes after.
  ///   - work: The job's work.
  /// - Returns: The job, to be cancelled or to be named as a dependency of other jobs.
  @discardableResult
  public func add(
    priority: Int = 0, after dependencies: [Operation] = [], _ work: @escaping @Sendable () -> Void
  ) -> Operation {
    // TODO: Create an operation for the work, set its priority, add its dependencies, add it to the
    // queue.
    Operation()
  }

  /// The queue priority that counts for a number.
  ///
  /// - A number counts as the nearest case on the way from it to `.normal`, which is 0: 3 is
  ///   normal, 5 and 7 are high, -5 is low, 100 is very high, and -100 is very low.
  ///
  /// Foundation follows this rule on Apple's systems. On Linux `QueuePriority(rawValue:)` returns
  /// nil for a number between the cases.
  public static func queuePriority(for number: Int) -> Operation.QueuePriority {
    // TODO: Go from the number towards 0, up to the first case.
    .normal
  }
}
