// Page: make page KATA=CompletionOperation (Docs/ConcurrencyKatas.docc/CompletionOperation.md)

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
/// Your turn. An operation runs when everything that it depends on has finished: that is the whole trick,
/// and it takes no thread. Which operations does it depend on, and from when? And in which queue does it
/// wait: one where somebody else cancels everything, or holds everything up? Cancelled, it leaves that queue
/// at once, and Foundation on Linux doesn't retain what depends on an operation. What retains it until all
/// have finished, and no longer?
///
/// Source: Apple's documentation of `Operation`, "Operation Dependencies".
public final class CompletionOperation: Operation, @unchecked Sendable {
  // TODO: Say here what makes it safe: the compiler takes your word.

  private let queues: [OperationQueue]
  private let callbackQueue: DispatchQueue
  private let completion: @Sendable () -> Void
  // TODO: How do you know that it was activated before? Two threads may ask at once.

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
    // TODO: Depend on what is in the queues, then wait in a queue where nobody else has a say.
  }

  /// Has the completion called.
  ///
  /// Called by `start()`, never where the operation was cancelled before.
  public override func main() {
    // TODO: All have finished.
  }
}
