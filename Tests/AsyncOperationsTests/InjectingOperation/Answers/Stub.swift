// Page: make page KATA=InjectingOperation (Docs/ConcurrencyKatas.docc/InjectingOperation.md)

import AsyncOperations
import Dispatch
import Foundation

// The base class is the finished one, AsyncOperations.AsyncOperation, and is named in full: your
// own AsyncOperation stands beside this file and may not be finished yet.

/// An operation that moves the outcome of one operation into the next.
///
/// It stands between two operations that know nothing of each other, and that may be in different
/// queues. It depends on the source, and the target depends on it; so it reads when the source has
/// finished and injects before the target starts.
///
/// ```swift
/// let download = DownloadOperation(url)
/// let decode = DecodeOperation()
/// let inject = InjectingOperation(from: download, { $0.result }, into: decode) {
///   $0.input = $1  // a Result: the data, or the download's error
/// }
/// network.addOperation(download)
/// processor.addOperations([inject, decode], waitUntilFinished: false)
/// ```
///
/// **Failures** are passed on like values: the target gets the source's own error. For a source
/// that finished without an outcome it gets a `CancellationError` if that was cancelled, and
/// otherwise `InjectionError.noOutcome`. An outcome counts, whether its source was cancelled or
/// not. Either way the target starts, and can tell why it has nothing to work on.
///
/// **Threads.** Both closures are called once, one after the other, on `queue`, and no thread waits
/// for it meanwhile. Since everything
/// else that the two operations do comes before or after, their properties need no lock for it.
///
/// **Cancellation.** An adapter that is cancelled before `queue` has come to it moves nothing; like
/// every cancelled operation it waits for nobody, so its target may start at once, with what it
/// has. The adapter never cancels the others.
///
/// **Memory.** The target keeps the adapter, as every operation keeps its dependencies; so the
/// adapter doesn't keep the target, or a chain that is never run would never go. The caller keeps the
/// target until the adapter has finished; a queue does that too, unless the target is cancelled. Foundation
/// on Linux crashes when an operation finishes and one that depends on it has gone. A target that was
/// made independent of the adapter with `removeDependency` may go earlier: the adapter finishes all the
/// same.
///
/// Source: Apple's documentation of `Operation`, "Operation Dependencies".
///
/// Your turn: write the initialiser and `main()`.
///
/// - Set both dependencies in the initialiser, but read nothing yet: the source hasn't worked.
/// - A closure can keep what you need for later, also the types of source and target, which the
///   class doesn't know: `let move: @Sendable () -> Void`.
/// - The base class calls `main()` when the source has finished, and not at all where the adapter
///   was cancelled before. It takes the adapter for unfinished, and so the target waits, until you
///   call `finish()`, on any thread. Whatever happens, it must be called.
public final class InjectingOperation<Value: Sendable>: AsyncOperations.AsyncOperation,
  @unchecked Sendable  // Safe: nothing changes after the initialiser.
{
  /// What a source ends with: a value or an error.
  public typealias Outcome = Result<Value, any Error>

  /// Creates an adapter, to be added to any queue, and sets the two dependencies.
  ///
  /// To be called before either operation is added to a queue.
  ///
  /// - Parameters:
  ///   - source: The operation that comes first.
  ///   - output: Reads the outcome of the finished source; nil where it has none.
  ///   - target: The operation that comes next. It isn't kept.
  ///   - queue: Where `output` and `inject` are called.
  ///   - inject: Gives an outcome to the target.
  public init<Source: Operation, Target: Operation>(
    from source: Source, _ output: @escaping @Sendable (Source) -> Outcome?,
    into target: Target, on queue: DispatchQueue = .global(),
    _ inject: @escaping @Sendable (Target, Outcome) -> Void
  ) {
    // TODO: Keep what you need, and set the dependencies.
    super.init()
  }

  /// Begins the move.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    // TODO: On the queue: read, inject, finish.
    finish()
  }
}

/// Why an adapter had nothing to move.
public enum InjectionError: Error {
  /// The source finished without a value or an error, and without having been cancelled.
  case noOutcome
}
