// Page: make page KATA=PatientWait (Docs/ConcurrencyKatas.docc/PatientWait.md)

import Dispatch

/// Waits for jobs with a timeout, and says whether they are done.
///
/// - Several threads may wait at once, each with a time of its own; the end of the last job wakes
///   all of them.
/// - While one `wait` calls `deadline`, `run` and other calls of `wait` don't wait for it.
/// - An object waits for its own jobs only, not for those of another object.
/// - Jobs run even if the object is released first.
/// - Threads may call `run` and `wait` at the same time, without a data race.
///
/// ```swift
/// let uploads = PatientWait()
/// for photo in photos { uploads.run(on: network) { upload(photo) } }
/// switch uploads.wait(atMost: 5) {
/// case .finished: log("all uploaded")
/// case .timedOut: log("still uploading")  // the uploads go on
/// }
/// ```
///
/// ``wait(atMost:)`` blocks its caller. On the main thread that is a frozen app. On a serial queue
/// that a job needs, the job can't begin, and the wait times out, or never ends if its seconds are
/// infinite.
///
/// Source: `wait(timeout:)` in Apple's documentation of `DispatchGroup`.
///
/// Your turn: write `run(on:_:)` and `wait(atMost:)`. Run the jobs so that you can tell when none
/// is left, and block in `wait` until then or until the deadline, whichever comes first. A
/// `DispatchGroup` does both; look up `async(group:)` and `wait(timeout:)`. Call `deadline` once in
/// each wait, for the moment at which that wait must end.
public final class PatientWait: Sendable {
  /// Whether the jobs were done in time.
  public enum Outcome: Sendable {
    /// All jobs that the wait includes are done.
    case finished
    /// The deadline has passed, and some of these jobs aren't done.
    case timedOut
  }

  /// Returns the moment at which a wait of `seconds` that begins now must end.
  public typealias Deadline = @Sendable (_ seconds: Double) -> DispatchTime

  // TODO: Add what counts the jobs that aren't done yet.
  private let deadline: Deadline

  /// Creates an object without jobs.
  ///
  /// - Each `wait` calls `deadline` exactly once, when it begins, with its own seconds, however
  ///   many jobs there are, even if there are none.
  /// - By default the deadline is `seconds` from now, even if that isn't a whole number.
  ///
  /// - Parameter deadline: Called by ``wait(atMost:)``. Tests pass their own.
  public init(deadline: @escaping Deadline = { .now() + $0 }) {
    self.deadline = deadline
  }

  /// Submits `job` to `queue`.
  ///
  /// - Each job runs once, on its queue.
  /// - Jobs run at the same time if their queues allow it.
  /// - `run` returns without waiting for a job, even while another thread waits.
  /// - A job counts as not done from the moment it is submitted until it has returned, even while
  ///   it waits in a busy queue.
  public func run(on queue: DispatchQueue, _ job: @escaping @Sendable () -> Void) {
    // TODO: Submit the job to `queue` so that it counts from this moment until it has returned.
  }

  /// Blocks until all jobs are done, but no longer than `seconds` for all of them together.
  ///
  /// The caller must pass no negative `seconds`, but may pass infinite ones. Whether a wait
  /// includes jobs that are submitted while it blocks isn't promised.
  ///
  /// - `wait` blocks until all jobs that were submitted before it are done, or until its deadline.
  /// - The blocked thread sleeps until the last job or the deadline wakes it; it doesn't poll.
  /// - If all jobs are done, or there are none, `wait` returns `finished`, even if the deadline has
  ///   passed.
  /// - If the deadline has passed and a job that this wait includes isn't done, `wait` returns
  ///   `timedOut` without waiting any longer.
  /// - If `seconds` is 0, `wait` returns without blocking, and says whether all jobs are done.
  /// - A timeout stops no job: jobs run to their end, even those that haven't begun.
  /// - After a timeout the next wait waits again for the jobs that aren't done.
  public func wait(atMost seconds: Double) -> Outcome {
    precondition(seconds >= 0, "a wait of \(seconds) seconds would end before it begins")
    // TODO: Wait until all jobs are done, or until the moment that `deadline(seconds)` returns.
    return .finished
  }
}
