// Page: make page KATA=CancelRace (Docs/ConcurrencyKatas.docc/CancelRace.md)

import AsyncOperations
import Foundation

/// An operation that comes to exactly one outcome, however close `complete` and `cancel()` come.
///
/// A reply arrives on one thread while another cancels. Both are right to call, neither knows of the
/// other, and yet whoever waits must hear of one outcome only: the value, or the cancellation.
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
/// **The first one settles it.** Of all calls of `complete` and ``cancel()`` one settles
/// the ``outcome``, for good; `report` is called once, and the operation finishes once. The others
/// have no effect on any of it, also when they come in the midst of the first one.
///
/// **Cancelled while it works**, it's finished at once, without waiting for the work: this is for
/// work whose result can be thrown away. **Cancelled before its start**, the outcome is settled and
/// reported at once too, but the operation is finished by its start, as its queue expects, and never
/// works.
///
/// Safe to use from every thread. No lock is held while `work`, `report` or a `value` is called, nor
/// while a notice is sent. While it works `complete` keeps the operation: nobody else need do so.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
///
/// Your turn: decide who is first, and write `outcome`, `cancel()` and `main()`. The superclass does
/// the rest.
///
/// - `start()` is the superclass's. It calls `main()` while the operation executes; or, where
///   `isCancelled` is true, it finishes the operation without.
/// - `finish()` is the superclass's too. It ends an operation that executes, and sends the notices. It
///   has no effect before the start and after the end.
/// - So a `cancel()` that comes between the look of `start()` at `isCancelled` and `main()` has
///   nothing to finish yet. Somebody has to look again.
/// - To ask whether the outcome is settled and to settle it must be one step. What you keep for it
///   belongs under `lock`, in the getter too; call out without holding it.
public final class OneOutcomeOperation: AsyncOperation, @unchecked Sendable {  // Safe: `lock`.
  /// What the operation came to.
  public enum Outcome: Sendable {
    /// The work has ended with this value.
    case completed(Data)
    /// It was cancelled before the work had ended.
    case cancelled
  }

  /// What the work calls when it has ended, on any thread.
  ///
  /// `value` makes the result, and may take long. It isn't called where the outcome is settled
  /// already: nobody decodes a picture that nobody wants. A cancellation that comes while it runs may
  /// win or lose.
  public typealias Complete = @Sendable (_ value: () -> Data) -> Void

  private let report: @Sendable (Outcome) -> Void
  private let work: @Sendable (_ complete: @escaping Complete) -> Void
  private let lock = NSLock()

  /// Creates an operation that waits to be started.
  ///
  /// - Parameters:
  ///   - report: Called once, with the outcome, by the call that settles it, on that thread and
  ///     before that call returns. It may call the operation.
  ///   - work: Called once when the operation starts, unless it's cancelled by then. It begins the
  ///     work and calls `complete` when the work has ended.
  public init(
    report: @escaping @Sendable (Outcome) -> Void,
    work: @escaping @Sendable (_ complete: @escaping Complete) -> Void
  ) {
    self.report = report
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
  /// Where this settles it, `isCancelled` is true before it calls anything else. Where it was settled
  /// before, it stays, and nothing is reported; whether `isCancelled` becomes true then is left open.
  public override func cancel() {
    // TODO: Settle it; tell Foundation (super.cancel()); report it; finish.
  }

  /// Begins the work.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    work { _ in
      // TODO: Make the value, settle the outcome, report it, finish; each only if it's still wanted.
    }
  }
}
