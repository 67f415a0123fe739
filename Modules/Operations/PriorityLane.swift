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
/// one has run, which waits for all ready jobs with a higher priority than its own. Safe to use
/// from every thread.
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
    queue.name = name
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
  }

  /// Opens the lane: from now on its jobs run, one after another.
  ///
  /// - Once the lane is open, its jobs run even if the caller releases the lane.
  /// - Opening it again does nothing: it stays open.
  public func open() {
    queue.isSuspended = false
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
    let job = BlockOperation(block: work)
    job.queuePriority = Self.queuePriority(for: priority)
    // Before it's in the queue: as soon as it is, it may run.
    for dependency in dependencies { job.addDependency(dependency) }
    // Foundation on Linux doesn't retain an operation's dependents. A cancelled job leaves its
    // queue before its dependency finishes, and must still exist then. Each dependency has a keeper
    // of its own: a shared one could finish while another dependency still notifies its dependents.
    for dependency in dependencies {
      let keeper = BlockOperation { withExtendedLifetime(job) {} }
      keeper.addDependency(dependency)
      keepers.addOperation(keeper)
    }
    // A queue on Linux may miss that an operation becomes ready while it's added. So the job
    // becomes ready only after that.
    let gate = Operation()
    job.addDependency(gate)
    queue.addOperation(job)
    gate.start()
    return job
  }

  /// The queue priority that counts for a number.
  ///
  /// - A number counts as the nearest case on the way from it to `.normal`, which is 0: 3 is
  ///   normal, 5 and 7 are high, -5 is low, 100 is very high, and -100 is very low.
  ///
  /// Foundation follows this rule on Apple's systems. On Linux `QueuePriority(rawValue:)` returns
  /// nil for a number between the cases.
  public static func queuePriority(for number: Int) -> Operation.QueuePriority {
    if number >= 0 {
      [.veryHigh, .high].first { $0.rawValue <= number } ?? .normal
    } else {
      [.veryLow, .low].first { $0.rawValue >= number } ?? .normal
    }
  }
}

/// The queue of the operations that retain jobs; an operation that waits there blocks no thread.
private let keepers: OperationQueue = {
  let queue = OperationQueue()
  queue.name = "katas.operations.priority-lane"
  return queue
}()
