import Dispatch
import Foundation

/// An operation that moves the outcome of one operation into the next.
///
/// The adapter stands between two operations that know nothing of each other, and that may be in
/// different queues. It depends on the source, and the target depends on it.
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
/// - The adapter calls `output` after the source has finished, whether the operations are in one
///   queue or in several.
/// - A target that depends on the adapter starts after `inject` has returned, in one queue or in
///   several, unless the adapter or the target is cancelled.
/// - An adapter that moves an outcome announces its end after `inject` has returned.
/// - If the source ended with an error, the target gets that error itself.
/// - If `output` returns nil and the source was cancelled, the target gets a `CancellationError`.
/// - If `output` returns nil and the source wasn't cancelled, the target gets
///   `InjectionError.noOutcome`.
/// - If the source has an outcome, it is moved as it is, even if the source was cancelled.
/// - The adapter finishes even if the source has no outcome, and even if the target no longer
///   depends on it and has been released.
/// - Unless the adapter is cancelled or the target has been released, `output` and `inject` are
///   called once each, even if the target has been cancelled.
/// - While the adapter waits for `queue`, it holds no thread.
/// - If the adapter is cancelled before `queue` has begun the move, it moves nothing.
/// - If the adapter is cancelled after `queue` has begun the move, both closures are still called.
/// - If the adapter is cancelled, its target doesn't wait for the source any more.
/// - The adapter cancels neither the source nor the target.
/// - The adapter retains the target at most while it moves the outcome, and not while it waits for
///   `queue`.
///
/// An error is moved like a value: the target starts and can tell why it has no input. Everything
/// else that the two operations do happens before the move or after it, so their properties need no
/// lock for it.
///
/// The target retains the adapter, as every operation retains its dependencies; if the adapter
/// retained the target too, a chain that is never run would never be released. So the caller must
/// retain the target until the adapter has finished. The caller must also retain a cancelled
/// adapter until the source has finished. A queue retains its operations too, but it releases a
/// cancelled one before its dependencies have finished. Foundation on Linux crashes when an
/// operation finishes and one that depends on it has been released. A target that was made
/// independent of the adapter with `removeDependency` may be released earlier.
///
/// Source: Apple's documentation of `Operation`, "Operation Dependencies".
public final class InjectingOperation<Value: Sendable>: AsyncOperation, @unchecked Sendable {
  // Safe: nothing changes after the initialiser.

  /// What a source ends with: a value or an error.
  public typealias Outcome = Result<Value, any Error>

  private let queue: DispatchQueue
  private let move: @Sendable () -> Void

  /// Creates an adapter, to be added to any queue, and sets the two dependencies.
  ///
  /// - `output` and `inject` are called on `queue`, one after the other.
  ///
  /// The caller must create the adapter before it adds either operation to a queue.
  ///
  /// - Parameters:
  ///   - source: The operation that comes first.
  ///   - output: Reads the outcome of the source; nil if it has none.
  ///   - target: The operation that comes next.
  ///   - queue: Where the outcome is moved; it may be the main queue.
  ///   - inject: Gives an outcome to the target.
  public init<Source: Operation, Target: Operation>(
    from source: Source, _ output: @escaping @Sendable (Source) -> Outcome?,
    into target: Target, on queue: DispatchQueue = .global(),
    _ inject: @escaping @Sendable (Target, Outcome) -> Void
  ) {
    self.queue = queue
    move = { [weak target] in
      guard let target else { return }
      inject(target, output(source) ?? .failure(Self.error(without: source)))
    }
    super.init()
    addDependency(source)
    target.addDependency(self)
  }

  /// Begins the move.
  ///
  /// Only `start()` calls it.
  public override func main() {
    queue.async { [self] in
      if !isCancelled { move() }
      finish()
    }
  }

  /// Why a finished source has no outcome.
  private static func error(without source: Operation) -> any Error {
    source.isCancelled ? CancellationError() : InjectionError.noOutcome
  }
}

/// Why an adapter had nothing to move.
public enum InjectionError: Error {
  /// The source finished without a value or an error, and without having been cancelled.
  case noOutcome
}
