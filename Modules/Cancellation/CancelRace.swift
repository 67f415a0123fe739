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
/// Safe to use from every thread.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
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
  private var settled: Outcome?

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
  public var outcome: Outcome? { lock.withLock { settled } }

  /// Settles the outcome as cancelled, unless it's settled already.
  ///
  /// While `value` runs, it's left open whether `cancel()` settles the outcome. If that was settled
  /// before, nothing is reported; whether `isCancelled` becomes true is left open.
  ///
  /// - If `cancel()` settles the outcome, `isCancelled` is true before `report` is called or the
  ///   operation finished.
  public override func cancel() {
    settle(.cancelled)
  }

  /// Begins the work.
  ///
  /// Only `start()` may call it.
  public override func main() {
    guard outcome == nil else {
      // Cancelled after start() had checked. Either that cancel() called finish() too early; or it
      // hasn't called super.cancel() yet, which must come before the end, and calls finish() after
      // that.
      if isCancelled { finish() }
      return
    }
    work { [self] value in
      guard outcome == nil else { return }
      settle(.completed(value()))
    }
  }

  /// Settles the outcome and ends the operation, unless the outcome is settled.
  private func settle(_ outcome: Outcome) {
    let isFirst = lock.withLock {
      guard settled == nil else { return false }
      settled = outcome
      return true
    }
    guard isFirst else { return }
    if case .cancelled = outcome { super.cancel() }
    report(outcome)
    finish()
  }
}
