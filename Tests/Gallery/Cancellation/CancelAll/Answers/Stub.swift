// Page: make page KATA=CancelAll (Docs/ConcurrencyKatas.docc/CancelAll.md)

import Foundation

extension OperationQueue {
  /// Cancels everything that is in the queue, and notifies the caller when all of it has left.
  ///
  /// ```swift
  /// imports.cancelAll(noticeQueue: .main) { status = "stopped" }
  /// imports.addOperation(next)  // runs
  /// ```
  ///
  /// A running operation leaves the queue when it has noticed the cancellation and has finished. A
  /// waiting one leaves without having begun. As long as a queue is suspended, no waiting operation
  /// leaves it, cancelled or not.
  ///
  /// - Every operation that is in the queue at the call is cancelled when `cancelAll` returns,
  ///   whether it runs, is ready or waits for a dependency.
  /// - An operation that waits in the queue never begins, even if a running one ends during the
  ///   call and makes room.
  /// - If calls for a queue overlap, none of its operations begins until the last call has
  ///   cancelled all that it found.
  /// - The completion block of each cancelled operation is called.
  /// - An operation that depends on a cancelled one runs if it is in another queue or is added
  ///   later.
  /// - An operation that a cancelled one depends on can still finish without a crash, even if the
  ///   caller doesn't retain the cancelled one.
  /// - A suspended queue is resumed, even an empty one, and stays resumed.
  /// - If no other call for the queue is under way, an operation added after the call is neither
  ///   cancelled nor held up, even while another queue is being emptied.
  /// - `cancelAll` waits neither for operations, nor for the notice queue, nor for another call.
  /// - `onEmpty` is called once for each call, when all operations that were in the queue at the
  ///   call have left, even if there were none.
  /// - `onEmpty` waits neither for operations that are added later nor for an `onEmpty` on another
  ///   notice queue.
  /// - `onEmpty` is called on the notice queue.
  /// - Nothing checks at intervals whether the operations have left.
  /// - Several threads may call `cancelAll` at once, for one queue or for several, without a data
  ///   race.
  ///
  /// The caller must not set `isSuspended` on another thread meanwhile.
  ///
  /// - Parameters:
  ///   - noticeQueue: The queue on which `onEmpty` is called.
  ///   - onEmpty: Called when everything that was in the queue has left it, perhaps at once.
  ///
  /// Your turn. `cancelAllOperations()` looks like the answer, and is less than half of it:
  ///
  /// - It calls `cancel()` on one operation after another. If a running one ends meanwhile, the
  ///   queue has room and starts one that isn't cancelled yet. A suspended queue starts nothing.
  /// - It doesn't resume a suspended queue. A cancelled operation leaves when the queue calls its
  ///   `start()`, which doesn't call `main()` then.
  /// - It doesn't notify the caller when they have left. An operation that depends on all of them
  ///   can do that; add it to a queue in which the next `cancelAll` doesn't cancel it. Don't
  ///   replace the operations' completion blocks: they belong to other code.
  /// - Two threads may call `cancelAll` for the same queue at once. The first to return must not
  ///   resume the queue while the other is still cancelling. An extension has no stored properties:
  ///   use a dictionary at file level, guarded by a lock.
  /// - A cancelled operation leaves the queue before its dependencies finish, which may be in
  ///   another queue. Foundation on Linux doesn't retain it for them, so let something retain it
  ///   until each of them has finished. A single operation that depends on all of them may release
  ///   it too early.
  ///
  /// Source: `cancelAllOperations()` in Apple's documentation of `OperationQueue`.
  public func cancelAll(
    noticeQueue: DispatchQueue, onEmpty: @escaping @Sendable () -> Void
  ) {
    // TODO: Cancel the `operations`, and arrange for `onEmpty` to be called.
  }
}
