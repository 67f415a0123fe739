import Dispatch
import Foundation

/// An operation that tells, once, when everything that was in some queues has finished.
///
/// ```swift
/// let done = CompletionOperation(of: [network, processing], callbackQueue: .main) {
///   status = "all pictures are here"
/// }
/// for picture in pictures { picture.addSteps(to: network, processing) }
/// done.activate()
/// ```
///
/// **What is waited for** is what is in the queues when ``activate()`` is called, whether it runs, is
/// ready or waits for something. What is added later isn't waited for, and isn't held up either.
///
/// **Cancelled operations** count when they have left their queue, like all others. Suspended queues let
/// nobody go, so the completion waits until they are resumed. If this operation itself is cancelled before
/// all have finished, nobody is called; it finishes all the same, at the latest when they have. A cancel
/// that comes when it has finished changes nothing.
///
/// It's an operation, so others may come after it with `addDependency`. It has a queue of its own, where
/// it holds no thread while it waits: don't add it to another. Once it's activated, nobody has to hold it.
/// This goes for a cancelled one too: what it waits for finishes all the same. When that has finished,
/// nothing retains it. It doesn't wait for the callback queue: it has finished when the completion stands
/// in line there. The completion blocks of what it waits for aren't touched. Safe to use from every thread.
///
/// Source: Apple's documentation of `Operation`, "Operation Dependencies".
public final class CompletionOperation: Operation, @unchecked Sendable {
  // Safe: `isActivated` is guarded by `lock`, the rest never changes.

  private let queues: [OperationQueue]
  private let callbackQueue: DispatchQueue
  private let completion: @Sendable () -> Void
  private let lock = NSLock()
  private var isActivated = false

  /// Creates an operation that waits for nothing yet.
  ///
  /// - Parameters:
  ///   - queues: The queues in which the work is, or will be when ``activate()`` is called.
  ///   - callbackQueue: The queue that `completion` is called on.
  ///   - completion: Called once when everything that was in the queues has finished.
  public init(
    of queues: [OperationQueue], callbackQueue: DispatchQueue,
    completion: @escaping @Sendable () -> Void
  ) {
    self.queues = queues
    self.callbackQueue = callbackQueue
    self.completion = completion
  }

  /// Begins to wait for everything that is in the queues at this moment.
  ///
  /// Returns at once. If nothing is in the queues, the completion is called soon. Called again, it does
  /// nothing.
  public func activate() {
    let isFirst = lock.withLock {
      defer { isActivated = true }
      return !isActivated
    }
    guard isFirst else { return }
    let gate = Operation()
    for operation in queues.flatMap(\.operations) { gate.addDependency(operation) }
    addDependency(gate)
    // Foundation on Linux doesn't retain what depends on the gate. Cancelled, this operation leaves before
    // the gate finishes, and must still be there then. The gate itself can't retain it: it's retained by
    // this one.
    let keeper = BlockOperation { withExtendedLifetime(self) {} }
    keeper.addDependency(gate)
    completions.addOperation(keeper)
    // Not into one of the queues: whoever empties that would cancel these as well.
    completions.addOperations([gate, self], waitUntilFinished: false)
  }

  /// Has the completion called.
  ///
  /// Called by `start()`, never where the operation was cancelled before.
  public override func main() {
    callbackQueue.async(execute: completion)
  }
}

/// Where completions wait for their operations; waiting there holds no thread.
private let completions: OperationQueue = {
  let queue = OperationQueue()
  queue.name = "katas.operations.completion-operation"
  return queue
}()
