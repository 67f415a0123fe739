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
/// the queues depends on it, directly or through others: the two would wait for each other. Safe to
/// use from every thread.
///
/// Source: Apple's documentation of `Operation`, "Operation Dependencies".
public final class CompletionOperation: Operation, @unchecked Sendable {
  // Safe: `isActivated` is guarded by `lock`, the rest never changes.

  private let queues: [OperationQueue]
  private let callbackQueue: DispatchQueue
  private let completion: @Sendable () -> Void
  private let lock = NSLock()
  private var isActivated = false

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
    let isFirst = lock.withLock {
      defer { isActivated = true }
      return !isActivated
    }
    guard isFirst else { return }
    let gate = Operation()
    for operation in queues.flatMap(\.operations) { gate.addDependency(operation) }
    addDependency(gate)
    // Foundation on Linux doesn't retain an operation's dependents. If this operation is cancelled,
    // it leaves its queue before the gate finishes, and must still exist then. The gate can't
    // retain it: this operation retains the gate, so that would be a retain cycle.
    let keeper = BlockOperation { withExtendedLifetime(self) {} }
    keeper.addDependency(gate)
    completions.addOperation(keeper)
    // Not into one of the queues: `cancelAllOperations()` there would cancel these as well.
    completions.addOperations([gate, self], waitUntilFinished: false)
    // A queue on Linux may miss that an operation becomes ready while it's added: look again.
    completions.isSuspended = false
  }

  /// Submits the completion to the callback queue.
  ///
  /// Called by `start()`, unless the operation was cancelled before.
  public override func main() {
    callbackQueue.async(execute: completion)
  }
}

/// The queue of completions, gates and keepers; an operation that waits there blocks no thread.
private let completions: OperationQueue = {
  let queue = OperationQueue()
  queue.name = "katas.operations.completion-operation"
  return queue
}()
