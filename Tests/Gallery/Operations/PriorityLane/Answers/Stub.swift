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
/// **Which job goes next?** Of the jobs that are ready the one with the highest priority; of equals that
/// were ready from the beginning the one that was added first. What runs isn't interrupted. The choice is
/// made anew each time the lane is free, so a job that is added late may overtake those that wait.
///
/// **Ready** is a job when everything it comes after has finished. That goes before any priority, and
/// nobody inherits one: a very urgent job that comes after a very unimportant one waits until that one's
/// turn has come, behind everybody who is more important than *that*.
///
/// Everything returns at once. Safe to use from every thread.
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
  /// Jobs wait in it until ``open()``.
  ///
  /// - Parameter name: What it is called in the debugger, in reverse DNS.
  public init(name: String) {
    // TODO: One at a time, and none yet.
  }

  /// Lets the first job go, and one after the other from then on.
  ///
  /// The jobs run also if nobody holds the lane any more. To open it again does nothing.
  public func open() {
    // TODO: Let the jobs go.
  }

  /// Adds a job to the lane.
  ///
  /// - Parameters:
  ///   - priority: How urgent it is: any number, which counts as ``queuePriority(for:)`` says.
  ///   - dependencies: What has to be finished before it's ready: jobs of this lane, of another one,
  ///     or whatever operations. Cancelled ones are finished when they have left their queue.
  ///   - work: Called once, on a thread of the lane's.
  /// - Returns: The job: for others to come after it, or to be cancelled. Cancelled before its turn, it
  ///   leaves the lane without working, at the latest when its turn has come. The caller need not keep it:
  ///   what it comes after finishes all the same.
  @discardableResult
  public func add(
    priority: Int = 0, after dependencies: [Operation] = [], _ work: @escaping @Sendable () -> Void
  ) -> Operation {
    // TODO: Make an operation of the work, tell it how urgent it is and what it comes after, add it.
    Operation()
  }

  /// The priority that counts for a number: the nearest case on the way from it to `.normal`.
  ///
  /// So 3 is normal, 5 and 7 are high, -5 is low; 100 is very high and -100 very low. This is Foundation's
  /// rule on Apple's systems. On Linux a `QueuePriority` can't be made of a number between the cases.
  public static func queuePriority(for number: Int) -> Operation.QueuePriority {
    // TODO: From the number towards 0, up to the first case that you meet.
    .normal
  }
}
