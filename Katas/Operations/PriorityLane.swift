// Page: make page KATA=PriorityLane (Docs/ConcurrencyKatas.docc/PriorityLane.md)

import Foundation

/// A lane for one job at a time, where the most urgent of those that are ready goes first.
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
///   ready from the beginning, the one that was added first.
/// - The choice is made each time the lane is free, so a job that is added late may overtake those
///   that wait.
/// - A job that runs is neither interrupted nor cancelled for the sake of a more urgent one.
/// - A job is ready when all operations that it comes after have finished, whatever its priority.
/// - Priorities stay as they were given: no job inherits the priority of another.
/// - `open` and `add` return without waiting for a job.
/// - Every thread may use the lane, and several may use it at once.
///
/// So a very urgent job that comes after a very unimportant one waits for that one's turn, which
/// comes after all jobs that are more important than *that*.
///
/// Your turn. An `OperationQueue` that is one wide keeps all of the order, if each job has the right
/// `queuePriority` and the right dependencies, and has them before it's in the queue. The numbers are
/// yours to translate: `Operation.QueuePriority` has five cases, -8, -4, 0, 4 and 8, and a priority may
/// be any number. And mind a job that is cancelled while it waits: it leaves the queue, and Foundation on
/// Linux doesn't retain what depends on an operation. Let something retain the job until what it comes
/// after has finished.
///
/// Source: Apple's documentation of `OperationQueue`, "Determine Execution Order", and of
/// `Operation.queuePriority`.
public final class PriorityLane: Sendable {
  private let queue = OperationQueue()

  /// Creates a lane that is closed.
  ///
  /// - No job runs before `open()` is called.
  ///
  /// - Parameter name: What it is called in the debugger, in reverse DNS.
  public init(name: String) {
    // TODO: One at a time, and none yet.
  }

  /// Lets the first job go, and one after the other from then on.
  ///
  /// - Once the lane is open, its jobs run even if the caller releases the lane.
  /// - Opening it again does nothing: it stays open.
  public func open() {
    // TODO: Let the jobs go.
  }

  /// Adds a job to the lane.
  ///
  /// - `work` is called once, on a thread of the lane, not on the caller's.
  /// - `priority` may be any number, and counts as `queuePriority(for:)` says.
  /// - A job may come after jobs of this lane, jobs of another lane, and any other operations.
  /// - A cancelled operation has finished when it has left its queue, not before.
  /// - The returned operation is the job itself: other jobs may come after it, and it may be
  ///   cancelled.
  /// - A job that is cancelled before its turn leaves the lane without working, at the latest when
  ///   its turn has come.
  /// - The caller needn't retain a job that is cancelled: what it comes after finishes all the
  ///   same.
  ///
  /// - Parameters:
  ///   - priority: How urgent the job is.
  ///   - dependencies: The operations that the job comes after.
  ///   - work: What the job does.
  /// - Returns: The job, for others to come after it, or to be cancelled.
  @discardableResult
  public func add(
    priority: Int = 0, after dependencies: [Operation] = [], _ work: @escaping @Sendable () -> Void
  ) -> Operation {
    // TODO: Make an operation of the work, tell it how urgent it is and what it comes after, add it.
    Operation()
  }

  /// The priority that counts for a number.
  ///
  /// - A number counts as the nearest case on the way from it to `.normal`, which is 0: 3 is
  ///   normal, 5 and 7 are high, -5 is low, 100 is very high, and -100 is very low.
  ///
  /// This is Foundation's rule on Apple's systems. On Linux a `QueuePriority` can't be made of a
  /// number between the cases.
  public static func queuePriority(for number: Int) -> Operation.QueuePriority {
    // TODO: From the number towards 0, up to the first case that you meet.
    .normal
  }
}
