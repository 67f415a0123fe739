// Page: make page KATA=OutcomeReporter (Docs/ConcurrencyKatas.docc/OutcomeReporter.md)

import AsyncOperations
import Foundation

/// How an operation has ended.
public enum Outcome<Value: Sendable>: Sendable {
  /// The work has delivered a value.
  case completed(Value)
  /// The work has delivered an error other than a `CancellationError`, and the operation wasn't
  /// cancelled before.
  case failed(any Error)
  /// The operation was cancelled before it began or before the work delivered an error, or the work
  /// delivered a `CancellationError`.
  case cancelled
}

/// An operation that reports once how it has ended: completed, failed or cancelled.
///
/// ```swift
/// let load = ReportingOperation<Data> { outcome in
///   switch outcome {
///   case .completed(let data): show(data)
///   case .failed(let error): explain(error)
///   case .cancelled: break  // not wanted any more
///   }
/// } work: { deliver in
///   request.send { deliver($0) }
/// }
/// ```
///
/// An operation's completion block is called on every path, so it doesn't know how the operation
/// ended. `isCancelled` doesn't say it either: it says that a cancellation was requested, perhaps
/// too late. The outcome says what has happened.
///
/// - If the work delivers a value, the outcome is `.completed` with it, even if the operation was
///   cancelled before.
/// - If the work delivers an error other than a `CancellationError`, and the operation wasn't
///   cancelled before, the outcome is `.failed`.
/// - If the operation was cancelled before the work delivered an error, the outcome is
///   `.cancelled`.
/// - If the work delivers a `CancellationError`, the outcome is `.cancelled`, even if the operation
///   wasn't cancelled.
/// - If the operation is cancelled before its start, the outcome is `.cancelled`, and is reported
///   as well.
/// - The outcome is decided when the work delivers: a later cancellation doesn't change it.
/// - A second delivery has no effect.
/// - The operation finishes when the work has delivered, even an error, and not by `cancel()`.
/// - Until the work has delivered, the closure that delivers retains the operation.
/// - The completion block doesn't retain the operation.
/// - The work may deliver inside its own call, and every thread may read `outcome` meanwhile,
///   without blocking.
/// - Several threads may deliver at once, without a data race.
///
/// The `completionBlock` makes the report: if a caller sets another one, there is no report.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
///
/// Your turn: decide the outcome and report it. The superclass `AsyncOperation` is given. Its
/// `start()` calls `main()`, unless the operation is cancelled by then, and `finish()` ends the
/// operation.
///
/// - `main()` begins the work and passes it a closure. That closure decides the outcome, once, and
///   then finishes the operation. Two threads may call it at the same moment: check and decide in
///   one critical section.
/// - The `completionBlock` is called once when the operation is finished, even if `main()` was
///   never called. Set it in the initializer, after `super.init()`, and report there.
/// - An operation retains its `completionBlock`, so a block that captures `self` makes a retain
///   cycle; and a weak `self` may be nil when the report is due. Capture a small object with the
///   decision instead.
public final class ReportingOperation<Value: Sendable>: AsyncOperation,
  @unchecked Sendable  // Safe: nothing changes so far.
{
  private let work: @Sendable (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void

  /// Creates an operation that waits to be added to a queue.
  ///
  /// - `report` is called once, when the operation is finished and not before, on any thread.
  /// - `work` is called once, on the thread that starts the operation, unless the operation was
  ///   cancelled before its start.
  ///
  /// - Parameters:
  ///   - report: Receives the outcome.
  ///   - work: Begins the work and delivers its result, from any thread.
  public init(
    report: @escaping @Sendable (Outcome<Value>) -> Void,
    work:
      @escaping @Sendable (
        _ deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
      ) -> Void
  ) {
    self.work = work
    super.init()
    // TODO: Arrange for the report.
  }

  /// How the operation has ended.
  ///
  /// - `outcome` is nil until the operation is finished, and is there when the end is announced.
  public var outcome: Outcome<Value>? {
    nil  // TODO: The outcome.
  }

  /// Begins the work.
  ///
  /// Only `start()` may call it.
  public override func main() {
    // TODO: Call the work; when it delivers, decide, then finish.
    finish()
  }
}
