// Page: make page KATA=PatientWait (Docs/ConcurrencyKatas.docc/PatientWait.md)

import Dispatch

/// Waits for jobs, but no longer than it was told to, and says whether they are done.
///
/// Safe to use from every thread; several may wait at once, each with a time of its own.
///
/// ```swift
/// let uploads = PatientWait()
/// for photo in photos { uploads.run(on: network) { upload(photo) } }
/// switch uploads.wait(atMost: 5) {
/// case .finished: log("all uploaded")
/// case .timedOut: log("still uploading")  // and it goes on
/// }
/// ```
///
/// Jobs run even if nobody keeps the object.
///
/// - Warning: ``wait(atMost:)`` blocks its caller. On the main thread that is a frozen app; on a
///   serial queue that a job needs, it waits for itself until the time is over.
///
/// Source: `wait(timeout:)` in Apple's documentation of `DispatchGroup`.
///
/// Your turn: run the jobs so that you can tell when none is left, and block in `wait` until then or
/// until the deadline, whichever is sooner. A `DispatchGroup` does both. Write `run(on:_:)` and
/// `wait(atMost:)`; ask `deadline` for the moment at which a wait must end, once for each wait.
public final class PatientWait: Sendable {
  /// What became of the jobs in the time that was given to them.
  public enum Outcome: Sendable {
    /// All of them are done.
    case finished
    /// The time is over and some aren't done. They go on.
    case timedOut
  }

  /// Says at which moment a wait that begins now and lasts so many seconds must end.
  public typealias Deadline = @Sendable (_ seconds: Double) -> DispatchTime

  // TODO: What knows whether a job isn't done yet?
  private let deadline: Deadline

  /// Creates a wait without jobs.
  ///
  /// - Parameter deadline: Asked by ``wait(atMost:)``, exactly once for each wait, when it begins: a
  ///   wait has one deadline, however many jobs there are. Tests put their own here.
  public init(deadline: @escaping Deadline = { .now() + $0 }) {
    self.deadline = deadline
  }

  /// Submits `job` to `queue` and returns at once, also while somebody waits.
  public func run(on queue: DispatchQueue, _ job: @escaping @Sendable () -> Void) {
    // TODO: Submit the job to `queue`, so that it counts from this moment until it has returned.
  }

  /// Blocks until all jobs that were run before are done, but no longer than `seconds`.
  ///
  /// The caller sleeps until the last job or the deadline wakes it; it doesn't look every so often.
  /// Whether it waits for jobs that are run meanwhile isn't promised.
  ///
  /// `seconds` is for all jobs together. Jobs that are done are never reported as timed out, not
  /// even where the time is over; and without jobs all is done.
  ///
  /// Time that is over stops nothing: jobs go on to their end, those that haven't begun run when
  /// their turn comes, and the next wait waits for them again.
  ///
  /// - Precondition: `seconds` isn't negative. 0 asks without waiting.
  public func wait(atMost seconds: Double) -> Outcome {
    precondition(seconds >= 0, "a wait of \(seconds) seconds would end before it begins")
    // TODO: Wait until all jobs are done, or until the moment that `deadline` tells for `seconds`.
    return .finished
  }
}
