// Page: make page KATA=OutcomeReporter (Docs/ConcurrencyKatas.docc/OutcomeReporter.md)

import AsyncOperations
import Foundation

/// How an operation has come to its end.
public enum Outcome<Value: Sendable>: Sendable {
  /// The work has delivered a value.
  case completed(Value)
  /// The work has delivered an error, and the operation wasn't cancelled before.
  case failed(any Error)
  /// The operation was cancelled before it began, or the work gave up because of it.
  case cancelled
}

/// An operation that reports once how it has ended: completed, failed or cancelled.
///
/// ```swift
/// let load = ReportingOperation<Data> { outcome in
///   switch outcome {
///   case .completed(let data): show(data)
///   case .failed(let error): explain(error)
///   case .cancelled: break  // nobody waits for it any more
///   }
/// } work: { deliver in
///   request.send { deliver($0) }
/// }
/// ```
///
/// An operation's completion block is called on every path, so it doesn't tell which one it was.
/// And `isCancelled` doesn't either: it says that a cancellation was asked for, perhaps in vain.
/// The outcome says what has happened.
///
/// - If the work delivers a value, the outcome is `.completed` with it, even if the operation was
///   cancelled before.
/// - If the work delivers an error other than a `CancellationError`, and the operation wasn't
///   cancelled before, the outcome is `.failed`.
/// - If the operation was cancelled before the work delivers an error, the outcome is `.cancelled`.
/// - If the work delivers a `CancellationError`, the outcome is `.cancelled`, even if the operation
///   wasn't cancelled.
/// - If the operation is cancelled before its start, the outcome is `.cancelled`, and is reported
///   as well.
/// - The outcome is decided when the work delivers: a later cancellation doesn't change it.
/// - A second delivery has no effect.
/// - The operation finishes when the work has delivered, even an error, and not by `cancel()`.
/// - While the operation works, the closure that delivers retains it.
/// - The completion block doesn't retain the operation.
/// - While `work` is called, it may deliver, and every thread may read `outcome`, without blocking.
/// - Several threads may deliver at once, without a data race.
///
/// The report is made by the `completionBlock`: a caller that sets another one gets no report.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
///
/// Your turn: decide the outcome and report it. `AsyncOperation` is given, with `start()`: it calls
/// `main()`, unless the operation is cancelled by then, and it's finished by `finish()`.
///
/// - `main()` begins the work and gives it a closure that decides, once, and then finishes. Two
///   threads may call that closure at the same moment: keep the decision behind a lock.
/// - The `completionBlock` is called once when the operation is finished, also where `main()` was
///   never called. Set it in the initializer, after `super.init()`, and report there.
/// - An operation keeps its `completionBlock`, so one that mentions `self` keeps the operation for
///   ever; and a weak `self` may be gone when the report is due. Let it keep a small object with the
///   decision instead.
public final class ReportingOperation<Value: Sendable>: AsyncOperation,
  @unchecked Sendable  // Safe: nothing changes so far.
{
  private let work: @Sendable (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void

  /// Creates an operation that waits to be added to a queue.
  ///
  /// - `report` is called once, when the operation is finished and not before, on any thread.
  /// - `work` is called once, when the operation starts, unless the operation is cancelled by then.
  ///
  /// - Parameters:
  ///   - report: Takes the outcome.
  ///   - work: Begins the work and delivers what has come of it, from any thread.
  public init(
    report: @escaping @Sendable (Outcome<Value>) -> Void,
    work:
      @escaping @Sendable (
        _ deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
      ) -> Void
  ) {
    self.work = work
    super.init()
    // TODO: See to the report.
  }

  /// How the operation has ended.
  ///
  /// - `outcome` is nil until the operation is finished, and is there when the end is announced.
  public var outcome: Outcome<Value>? { nil }

  /// Begins the work.
  ///
  /// Only `start()` may call it.
  public override func main() {
    // TODO: Call the work; when it delivers, decide, then finish.
    finish()
  }
}
