// Page: make page KATA=CancelRace (Docs/ConcurrencyKatas.docc/CancelRace.md)

import AsyncOperations
import Foundation

/// An operation that has exactly one outcome, even if `complete` and `cancel()` are called at the
/// same moment.
///
/// A reply arrives on one thread while another thread cancels. Both calls are legitimate, and
/// neither knows of the other. Yet the caller must receive one outcome only: the value, or the
/// cancellation.
///
/// ```swift
/// let load = OneOutcomeOperation { outcome in
///   // … show the picture, or an empty cell; called once …
/// } work: { complete in
///   request.send { reply in complete { unpacked(reply) } }
/// }
/// queue.addOperation(load)
/// load.cancel()  // at any time, on any thread
/// ```
///
/// - The first call of `complete` or `cancel()` settles the outcome for good, however close the
///   calls come, unless another is made while its `value` runs.
/// - `report` is called once, with that outcome, even if another call is made during the first.
/// - The operation is announced as finished once, and its outcome is there by then.
/// - If `cancel()` settles the outcome while the operation works, the operation finishes at once,
///   even if `work` hasn't returned.
/// - An operation that is cancelled before its start never works, waits for no dependency, and is
///   finished by its start, not before.
/// - If the operation is cancelled before its start, that `cancel()` settles the outcome and
///   reports it.
/// - If the operation is cancelled after `start()` has checked `isCancelled` but before `work` is
///   called, it finishes without waiting for the work.
/// - While `work`, `report` or a `value` runs or a notification is sent, every thread may call the
///   operation and `complete` without blocking.
/// - While the operation works, `complete` retains it.
/// - Several threads may call the operation and `complete` at once, without a data race.
///
/// A cancellation doesn't wait for the work: use this only if the result can be thrown away.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
///
/// Your turn: write `outcome`, `cancel()` and `main()`. The superclass does the rest.
///
/// - `start()` is inherited. It calls `main()` while the operation executes; if `isCancelled` is
///   true, it finishes the operation instead.
/// - `finish()` is inherited too. It ends an executing operation and sends the notifications;
///   before the start and after the end it has no effect.
/// - So if `cancel()` comes between the check of `isCancelled` in `start()` and the call of
///   `main()`, its `finish()` may have no effect. Check the outcome in `main()`: if it's settled,
///   don't begin the work, and call `finish()` only if `isCancelled` is true. If it's false,
///   `cancel()` hasn't called `super.cancel()` yet, and calls `finish()` after that.
/// - Checking whether the outcome is settled and settling it must be one atomic step; check, then
///   act is a race condition. Guard what you store with `lock`, in the getter too, and release the
///   lock before you call a closure, `super.cancel()` or `finish()`.
public final class OneOutcomeOperation: AsyncOperation, @unchecked Sendable {  // Safe: `lock`.
  /// How the operation ended.
  public enum Outcome: Sendable {
    /// The work has ended with this value.
    case completed(Data)
    /// It was cancelled before the work had ended.
    case cancelled
  }

  /// What the work calls when it has ended, on any thread.
  ///
  /// `value` makes the result, and may take long. While `value` runs, its `complete` has settled
  /// nothing. If `cancel()` or another `complete` is called then, it's left open which of these
  /// calls settles the outcome.
  ///
  /// - `value` isn't called if the outcome was settled before `complete` was called.
  /// - `complete` doesn't settle the outcome before `value` has returned.
  public typealias Complete = @Sendable (_ value: () -> Data) -> Void

  private let report: @Sendable (Outcome) -> Void
  private let work: @Sendable (_ complete: @escaping Complete) -> Void
  private let lock = NSLock()

  /// Creates an operation that waits to be started.
  ///
  /// - `work` is called once at most, when the operation starts and not before.
  /// - `report` is called by the call that settles the outcome, on its thread and before it
  ///   returns.
  /// - When `report` is called, `outcome` is there.
  ///
  /// - Parameters:
  ///   - report: Receives the outcome; it may call the operation.
  ///   - work: Begins the work, and calls `complete` when the work has ended.
  public init(
    report: @escaping @Sendable (Outcome) -> Void,
    work: @escaping @Sendable (_ complete: @escaping Complete) -> Void
  ) {
    self.report = report
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
  /// While `value` runs, it's left open whether `cancel()` settles the outcome. If that was settled
  /// before, nothing is reported; whether `isCancelled` becomes true is left open.
  ///
  /// - If `cancel()` settles the outcome, `isCancelled` is true before `report` is called or the
  ///   operation finished.
  public override func cancel() {
    // TODO: Settle the outcome; call super.cancel(); report it; finish.
  }

  /// Begins the work.
  ///
  /// Only `start()` may call it.
  public override func main() {
    work { _ in
      // TODO: Make the value, settle the outcome, report it, finish; each only if it's wanted.
    }
  }
}
