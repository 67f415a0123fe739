// Page: make page KATA=DeadlineOperation (Docs/ConcurrencyKatas.docc/DeadlineOperation.md)

import AsyncOperations
import Foundation

/// An operation that gives up after some seconds, and says so.
///
/// It's over when its work has ended, when its time is up, or when it's cancelled: whichever comes
/// first. Whoever waits for it then reads in ``outcome`` which of the three it was.
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
/// **The first one settles it.** The outcome stays as it is then: a value that comes late, a timer
/// that goes off late, a late ``cancel()`` have no effect. The operation finishes once, and at once:
/// it doesn't wait for work that it has given up.
///
/// **Work that's given up is told to stop**, by the closure that it has returned, once. Where it hasn't
/// returned yet it's told as soon as it has. Work that has ended isn't told.
///
/// **Its time counts from its start**, not from when it's made: the time in a queue is free. Nothing
/// waits for the timer but the timer, so any number of operations may work without a thread.
///
/// **When it's over it has let go** of its work, of the way to stop it, and of the timer, which is
/// cancelled. Whoever still keeps `complete` or the timer's action keeps neither the operation nor
/// its work. Whether anything but its queue keeps it while it works is left open.
///
/// **Cancelled before its start**, the outcome is settled at once, but the operation is finished by
/// its start, as its queue expects: without any work, and without a timer.
///
/// Safe to use from every thread. No lock is held while anything is called that it was given.
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

  /// Tells the work that nobody waits for it any more.
  public typealias Stop = @Sendable () -> Void

  /// The work: it begins, returns soon how to stop it, and calls `complete` when it has ended.
  public typealias Work =
    @Sendable (_ complete: @escaping @Sendable (Data) -> Void) -> Stop

  private let deadline: TimeInterval
  private let schedule: AsyncBlockOperation.Scheduler
  private let work: Work

  /// Creates an operation that waits to be started.
  ///
  /// - Parameters:
  ///   - deadline: The time that the work has, in seconds, counted from just before it's begun.
  ///   - schedule: Sets the timer, on the thread that starts the operation; a timer of Dispatch by
  ///     default.
  ///   - work: Called once when the operation starts, on the thread that starts it, unless the
  ///     outcome is settled by then. It may call `complete` at once or later, on any thread. What it
  ///     returns is called on the thread that gives the work up; or, where the work hadn't returned
  ///     by then, on the one that began it.
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

  /// What it has come to; nil until that is settled, which is before it's announced as finished.
  public var outcome: Outcome? {
    // TODO: The outcome, once it's settled.
    nil
  }

  /// Settles the outcome as cancelled, unless it's settled already.
  ///
  /// Where it settles the outcome, `isCancelled` is true before it calls anything else. Where that was
  /// settled before, it stays, and `isCancelled` is as it was.
  public override func cancel() {
    // TODO: Settle it, and see to all that follows from it.
    super.cancel()
  }

  /// Sets the timer and begins the work.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    // TODO: Set the timer, begin the work; the first of value, timer and cancel() settles it.
    finish()
  }
}
