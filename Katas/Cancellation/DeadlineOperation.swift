// Page: make page KATA=DeadlineOperation (Docs/ConcurrencyKatas.docc/DeadlineOperation.md)

import AsyncOperations
import Foundation

/// An operation that gives up after some seconds, and says so.
///
/// It's over when its work has ended, when its time is up, or when it's cancelled: whichever comes
/// first. ``outcome`` tells which of the three it was.
///
/// ```swift
/// let load = DeadlineOperation(deadline: 30) { complete in
///   let task = session.dataTask(with: url) { data, _, _ in complete(data ?? Data()) }
///   task.resume()
///   return { task.cancel() }
/// }
/// queue.addOperation(load)
/// ```
///
/// - The first of value, timer and `cancel()` settles the outcome for good; what comes later has no
///   effect, not even on `isCancelled`.
/// - The outcome tells which came first: a value, even an empty one, the timer, or a cancellation.
/// - When the outcome is settled, the operation finishes without waiting for the work, even if
///   `work` hasn't returned.
/// - The operation is announced as finished once, and its outcome is there by then.
/// - Work that is given up is stopped once, on the thread that gives it up, by calling what `work`
///   has returned.
/// - If `work` hasn't returned when it is given up, it is stopped as soon as it has, on the thread
///   that began it.
/// - Work that has ended in time isn't stopped.
/// - Its time counts from the start: the timer is set before the work is begun, not when the
///   operation is made.
/// - If the operation ends before its time is up, its timer is cancelled, even if it was still
///   being set.
/// - While the operation works, it blocks no thread, so a hundred may work at once.
/// - A finished operation retains neither its work nor what stops the work or cancels the timer.
/// - `complete` and the timer's action retain neither a finished operation nor its work.
/// - An operation that is cancelled before its start is finished by its start, not before, without
///   work or timer.
/// - While the operation calls what it was given or sends a notice, every thread may call it, and
///   `complete`, without blocking.
/// - Several threads may call the operation, and `complete`, at once without a data race.
///
/// Whether anything but its queue retains the operation while it works is left open.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
///
/// Your turn: write `outcome`, `cancel()` and `main()`. The superclass does the rest.
///
/// - `start()` is the superclass's. It calls `main()` while the operation executes; or, where
///   `isCancelled` is true, it finishes the operation without.
/// - `finish()` is the superclass's too. It ends an operation that executes, and has no effect before
///   the start and after the end. So a `cancel()` that comes just before `main()` finishes nothing:
///   look at the outcome there once more.
/// - Three may settle the outcome: the value, the timer, `cancel()`. To ask whether it's settled and
///   to settle it must be one step, under a lock. Whoever was first goes on without the lock: tells
///   Foundation (`super.cancel()`) where it's cancelled, cancels the timer, tells the work to stop
///   unless it has brought the value, and calls `finish()`.
/// - `schedule` takes the seconds and the timer's action, `(TimeInterval, @escaping @Sendable () ->
///   Void)`, and returns how to cancel the timer; it may call the action before it returns.
///   `work` returns how to stop it; it may call `complete` before it returns, and it may be given up
///   by then.
/// - A timer may keep its action for hours, even if it's cancelled; so may somebody `complete`. See
///   to it that neither keeps the operation, nor its work.
public final class DeadlineOperation: AsyncOperation,
  @unchecked Sendable  // Safe: nothing changes yet; say what guards what you add.
{
  /// What the operation came to.
  public enum Outcome: Sendable {
    /// The work has ended in time, with this value.
    case completed(Data)
    /// Its time was up before the work had ended.
    case timedOut
    /// It was cancelled before the work had ended.
    case cancelled
  }

  /// Stops work whose value is no longer wanted.
  public typealias Stop = @Sendable () -> Void

  /// The work: it begins, returns soon how to stop it, and calls `complete` when it has ended.
  public typealias Work =
    @Sendable (_ complete: @escaping @Sendable (Data) -> Void) -> Stop

  private let deadline: TimeInterval
  private let schedule: AsyncBlockOperation.Scheduler
  private let work: Work

  /// Creates an operation that waits to be started.
  ///
  /// - `work` is called once, on the thread that starts the operation, unless the outcome is
  ///   settled by then.
  /// - The timer is set by `schedule`, or by default by Dispatch, for `deadline` seconds, on the
  ///   thread that starts the operation.
  ///
  /// - Parameters:
  ///   - deadline: The time that the work has, in seconds.
  ///   - schedule: Sets the timer.
  ///   - work: Begins the work and returns how to stop it. It may call `complete` at once or later,
  ///     on any thread.
  public init(
    deadline: TimeInterval,
    schedule: @escaping AsyncBlockOperation.Scheduler = AsyncBlockOperation.dispatchTimer,
    work: @escaping Work
  ) {
    self.deadline = deadline
    self.schedule = schedule
    self.work = work
    super.init()
  }

  /// What the operation has come to; nil until that is settled.
  public var outcome: Outcome? {
    // TODO: The outcome, once it's settled.
    nil
  }

  /// Settles the outcome as cancelled, unless it's settled already.
  ///
  /// - When `cancel()` returns, the outcome is settled, even if the operation hasn't been started.
  /// - If `cancel()` settles the outcome, `isCancelled` is true before anything else is called and
  ///   before the operation finishes.
  public override func cancel() {
    // TODO: Settle it, and see to all that follows from it.
    super.cancel()
  }

  /// Sets the timer and begins the work.
  ///
  /// Only `start()` may call it.
  public override func main() {
    // TODO: Set the timer, begin the work; the first of value, timer and cancel() settles it.
    finish()
  }
}
