// Page: make page KATA=CompletionOperation (Docs/ConcurrencyKatas.docc/CompletionOperation.md)

import Dispatch
import Foundation

/// Calls a completion when all operations that were in some queues have finished.
///
/// ```swift
/// let done = CompletionOperation(of: [network, processing], callbackQueue: .main) {
///   status = "all pictures are here"
/// }
/// for picture in pictures { picture.addSteps(to: network, processing) }
/// done.activate()
/// ```
///
/// - This operation waits for all operations that are in the queues when `activate()` is called,
///   whether they run, are ready or wait for others.
/// - Operations that are added to the queues later are neither waited for nor held up.
/// - A cancelled operation is waited for like any other, until it has finished.
/// - Operations in a suspended queue are waited for too, and the queue isn't resumed.
/// - The completion is called once, on the callback queue, when all those operations have finished.
/// - This operation finishes without waiting for the callback queue, once it has submitted the
///   completion there.
/// - If this operation is cancelled before all those have finished, the completion is never called.
/// - If this operation is activated and cancelled, in either order, it finishes, at the latest when
///   all those operations have finished.
/// - If this operation is cancelled after it has finished, the completion is called all the same.
/// - An operation that depends on this one with `addDependency` begins when this one has finished.
/// - This operation waits in a queue of its own: `cancelAllOperations()` on the other queues
///   doesn't cancel it.
/// - This operation blocks no thread while it waits.
/// - Once this operation is activated, the caller needn't retain it, not even if it is cancelled.
/// - Soon after this operation and all those have finished, nothing but the caller and its
///   dependents retains it, not even a completion that still waits for its queue.
/// - The completion blocks of the operations in the queues stay as they are.
///
/// The caller must not add this operation to another queue, nor activate it while an operation in
/// the queues depends on it, directly or through others: the two would wait for each other.
///
/// Your turn. An operation begins when all its dependencies have finished, and blocks no thread
/// until then. So `activate()` makes each operation that is in the queues a dependency. Then it
/// adds this operation to a queue of your own, where no other code cancels or suspends it.
///
/// If it's cancelled, it leaves that queue at once and may be deallocated, but Foundation on Linux
/// keeps an unretained pointer to it in each dependency. So each dependency needs an operation of
/// yours that depends on it and retains this one until the dependency has finished. A single one for
/// several dependencies could finish while one of them still uses its pointer. Avoid a retain cycle:
/// an operation retains its dependencies.
///
/// Source: Apple's documentation of `Operation`, "Operation Dependencies".
public final class CompletionOperation: Operation, @unchecked Sendable {
  // TODO: Say here what makes it safe; the compiler can't check it.

  private let queues: [OperationQueue]
  private let callbackQueue: DispatchQueue
  private let completion: @Sendable () -> Void
  // TODO: Remember that it was activated. Two threads may call activate() at once.

  /// Creates an operation that doesn't wait for anything yet.
  ///
  /// - The completion isn't called before `activate()` is, even if everything has finished.
  ///
  /// - Parameters:
  ///   - queues: The queues that have the work in them when ``activate()`` is called.
  ///   - callbackQueue: The queue that `completion` is called on.
  ///   - completion: Called when all operations that were in the queues have finished.
  public init(
    of queues: [OperationQueue], callbackQueue: DispatchQueue,
    completion: @escaping @Sendable () -> Void
  ) {
    self.queues = queues
    self.callbackQueue = callbackQueue
    self.completion = completion
  }

  /// Begins to wait for the operations that are in the queues at this moment.
  ///
  /// - `activate()` returns without waiting.
  /// - If nothing is in the queues, or if there are no queues, the completion is called soon.
  /// - Called again, `activate()` does nothing, even if nothing was in the queues the first time.
  /// - Several threads may call `activate()` at once, which counts as one call.
  public func activate() {
    // TODO: Depend on the operations that are in the queues, then wait in a queue of your own.
  }

  /// Submits the completion to the callback queue.
  ///
  /// Called by `start()`, unless the operation was cancelled before.
  public override func main() {
    // TODO: All have finished: submit the completion to the callback queue.
  }
}
