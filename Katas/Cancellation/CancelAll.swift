// Page: make page KATA=CancelAll (Docs/ConcurrencyKatas.docc/CancelAll.md)

import Foundation

extension OperationQueue {
  /// Cancels everything that is in the queue, and notifies the caller when all of that has left it.
  ///
  /// ```swift
  /// imports.cancelAll(noticeQueue: .main) { status = "stopped" }
  /// imports.addOperation(next)  // runs
  /// ```
  ///
  /// A running operation leaves the queue when it has noticed the cancellation and has finished.
  /// One that waits leaves without having begun; a suspended queue lets go of no operation,
  /// cancelled or not.
  ///
  /// - Every operation in the queue is cancelled when `cancelAll` returns, whether it runs, is
  ///   ready or waits for a dependency.
  /// - An operation that waits in the queue never begins, even if a running one ends during the
  ///   call and makes room.
  /// - If calls for a queue overlap, none of its operations begins until the last call has
  ///   cancelled all that it found.
  /// - The completion block of each cancelled operation is called.
  /// - An operation that depends on a cancelled one runs if it is in another queue or is added
  ///   later.
  /// - The operations that a cancelled one depends on finish, even if the caller doesn't retain the
  ///   cancelled one.
  /// - A suspended queue is resumed, even an empty one, and stays resumed.
  /// - An operation added after the call is neither cancelled nor held up, even while another queue
  ///   is being emptied.
  /// - `cancelAll` returns without waiting, neither for operations nor for the notice queue.
  /// - `onEmpty` is called once for each call, when all operations that were in the queue at the
  ///   call have left, even if there were none.
  /// - `onEmpty` waits neither for operations that are added later nor for another call's
  ///   `onEmpty`.
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
  /// - It calls `cancel()` on one operation after another. A running one may end at once when it's
  ///   told, or by itself; then the queue has room, and starts one that hasn't been told yet. A queue
  ///   that is suspended starts nothing.
  /// - It doesn't resume a queue, and cancelled operations leave by being started.
  /// - It tells nobody when they have left. An operation that depends on others runs when they have;
  ///   but where do you put it, so that the next `cancelAll` doesn't cancel it? The operations'
  ///   completion blocks are their own: don't replace them.
  /// - The same queue may be emptied by two threads at once, and the first to return mustn't resume
  ///   it while the other still tells. An extension stores nothing; a dictionary outside of it may,
  ///   behind a lock.
  /// - A cancelled operation leaves before the others that it depends on finish, in another queue perhaps.
  ///   Foundation on Linux doesn't retain it for them: let something retain it until each has finished.
  ///
  /// Source: `cancelAllOperations()` in Apple's documentation of `OperationQueue`.
  public func cancelAll(
    noticeQueue: DispatchQueue, onEmpty: @escaping @Sendable () -> Void
  ) {
    // TODO: Cancel what is in `operations`, and see to the notice.
  }
}
