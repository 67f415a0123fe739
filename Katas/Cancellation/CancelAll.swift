// Page: make page KATA=CancelAll (Docs/ConcurrencyKatas.docc/CancelAll.md)

import Foundation

extension OperationQueue {
  /// Cancels everything that is in the queue now, and tells when all of that has left it.
  ///
  /// ```swift
  /// imports.cancelAll(noticeQueue: .main) { status = "stopped" }
  /// imports.addOperation(next)  // runs
  /// ```
  ///
  /// Operations that run are told: `isCancelled` is true from now on, and they leave when they have
  /// looked and finished. Operations that wait never begin. They leave too, and on their way out
  /// their completion blocks are called and their dependents go on, in this queue and in others. None
  /// of them begins while the others are being told, even where a running one ends at that moment
  /// and makes room. Where calls overlap, nothing begins until the last of them has told everybody.
  /// The caller need not keep what was cancelled: what it depends on finishes all the same.
  ///
  /// **A suspended queue is resumed**, since only a queue that runs lets go of cancelled operations,
  /// and it stays so. What's added after this call is none of its business: it is neither cancelled
  /// nor held up, and `onEmpty` doesn't wait for it.
  ///
  /// Returns at once, and nothing looks again and again whether they have left. Safe to call from
  /// every thread, again and again; each call has its notice. Who sets `isSuspended` meanwhile, on
  /// another thread, interferes.
  ///
  /// - Parameters:
  ///   - noticeQueue: The queue that `onEmpty` is called on.
  ///   - onEmpty: Called once when everything that was in the queue has left it, perhaps at once.
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
