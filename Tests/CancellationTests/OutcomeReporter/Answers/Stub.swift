// Page: make page KATA=OutcomeReporter (Docs/ConcurrencyKatas.docc/OutcomeReporter.md)

import AsyncOperations
import Foundation

/// How an operation has come to its end.
public enum Outcome<Value: Sendable>: Sendable {
  /// The work has delivered a value.
  case completed(Value)
  /// The work has delivered an error, and nobody had cancelled it.
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
/// And `isCancelled` doesn't either: it says that somebody has asked, perhaps in vain. The outcome
/// says what has happened, and is decided when the work delivers:
///
/// | The work delivers | and was cancelled before | Outcome |
/// |---|---|---|
/// | a value | or not | `.completed`: it was done all the same |
/// | a `CancellationError` | or not | `.cancelled` |
/// | another error | no | `.failed` |
/// | another error | yes | `.cancelled`: errors follow from being cancelled |
/// | nothing, since it never began | yes | `.cancelled` |
///
/// What happens after that changes nothing: no cancellation, and no second delivery.
///
/// Safe to use from every thread. The operation is finished when the work has delivered, and not by
/// `cancel()`. The report comes after that. While it works the closure that delivers keeps the
/// operation; the completion block doesn't.
///
/// - Note: The report is made by the `completionBlock`; whoever sets another has none.
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
  /// - Parameters:
  ///   - report: Called once when the operation is finished, on any thread.
  ///   - work: Called once when the operation starts, unless it's cancelled by then. It begins the
  ///     work and delivers what has come of it, from any thread; a second delivery has no effect.
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

  /// How the operation has ended, or nil as long as it isn't finished.
  public var outcome: Outcome<Value>? { nil }

  /// Begins the work.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    // TODO: Call the work; when it delivers, decide, then finish.
    finish()
  }
}
