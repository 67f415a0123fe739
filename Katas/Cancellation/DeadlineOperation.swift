// Page: make page KATA=DeadlineOperation (Docs/ConcurrencyKatas.docc/DeadlineOperation.md)

import AsyncOperations
import Foundation

/// An operation with a deadline: if its work doesn't end in time, it gives up and reports that.
///
/// It ends when its work has ended, when its time is up, or when it's cancelled, whichever comes
/// first. ``outcome`` says which of the three it was.
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
/// - If the timer or `cancel()` settles the outcome after `work` has returned, the settling thread
///   stops the work once, by calling the closure that `work` returned.
/// - If the timer or `cancel()` settles the outcome before `work` has returned, the thread that
///   began the work stops it as soon as `work` has returned.
/// - Work that has ended in time isn't stopped.
/// - The deadline counts from the start: the timer is set before the work is begun, not when the
///   operation is created.
/// - If the operation ends before its time is up, its timer is cancelled; if it was still being
///   set, as soon as `schedule` has returned.
/// - While the operation works, it blocks no thread, so a hundred may work at once.
/// - A finished operation retains neither its work nor the closures that stop the work and cancel
///   the timer.
/// - `complete` and the timer's action retain neither a finished operation nor its work.
/// - An operation that is cancelled before its start is finished by its start, not before, without
///   work or timer.
/// - While the operation calls a closure that it was given or sends a notification, every thread
///   may call the operation and `complete` without blocking.
/// - Several threads may call the operation, and `complete`, at once without a data race.
///
/// Whether anything except its queue retains the operation while it works is left open.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
///
/// Your turn: write `outcome`, `cancel()` and `main()`. The superclass does the rest.
///
/// - `start()` is inherited. It calls `main()` while the operation executes; if `isCancelled` is
///   true, it finishes the operation instead.
/// - `finish()` is inherited too. It ends an executing operation; before the start and after the
///   end it has no effect. So if `cancel()` comes just before `main()`, its `finish()` may have no
///   effect: check the outcome again in `main()`. If it's settled, don't begin the work, and call
///   `finish()` only if `isCancelled` is true. If it's false, `cancel()` hasn't called
///   `super.cancel()` yet, and calls `finish()` after that.
/// - Three things may settle the outcome: the value, the timer, `cancel()`. Checking whether it's
///   settled and settling it must be one atomic step, under a lock. The first goes on without the
///   lock: it calls `super.cancel()` if it's a cancellation, cancels the timer, stops the work
///   unless that has delivered its value, and calls `finish()`.
/// - `schedule` takes the seconds and the timer's action, `(TimeInterval, @escaping @Sendable () ->
///   Void)`. It returns a closure that cancels the timer, `@Sendable () -> Void`. It may call the
///   action before it returns.
/// - `work` returns a closure that stops it. It may call `complete` before it returns, and may be
///   given up before it returns.
/// - A timer may retain its action for hours, even if it's cancelled, and so may other code retain
///   `complete`. Make sure that neither retains the operation or its work.
public final class DeadlineOperation: AsyncOperation,
  @unchecked Sendable  // Safe: nothing changes yet; say what guards what you add.
{
  /// How the operation ended.
  public enum Outcome: Sendable {
    /// The work has ended in time, with this value.
    case completed(Data)
    /// The time was up before the work had ended.
    case timedOut
    /// It was cancelled before the work had ended.
    case cancelled
  }

  /// Stops work whose value is no longer wanted.
  public typealias Stop = @Sendable () -> Void

  /// The work: it begins, soon returns a closure that stops it, and calls `complete` when it has
  /// ended.
  public typealias Work =
    @Sendable (_ complete: @escaping @Sendable (Data) -> Void) -> Stop

  private let deadline: TimeInterval
  private let schedule: AsyncBlockOperation.Scheduler
  private let work: Work

  /// Creates an operation that waits to be started.
  ///
  /// - `work` is called once, on the thread that starts the operation, unless the outcome is
  ///   settled by the time that the timer has been set.
  /// - The timer is set by `schedule`, or by default by Dispatch, for `deadline` seconds, on the
  ///   thread that starts the operation.
  ///
  /// - Parameters:
  ///   - deadline: The time that the work has, in seconds.
  ///   - schedule: Sets the timer.
  ///   - work: Begins the work and returns a closure that stops it. It may call `complete` at once
  ///     or later, on any thread.
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

  /// The outcome; nil until it is settled.
  public var outcome: Outcome? {
    // TODO: Return the outcome, once it's settled.
    nil
  }

  /// Settles the outcome as cancelled, unless it's settled already.
  ///
  /// - When `cancel()` returns, the outcome is settled, even if the operation hasn't been started.
  /// - If `cancel()` settles the outcome, `isCancelled` is true before `cancel()` calls anything
  ///   else, and before the operation finishes.
  public override func cancel() {
    // TODO: Settle the outcome, and do all that follows from it.
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
