// Page: make page KATA=WorkItemCancellation (Docs/ConcurrencyKatas.docc/WorkItemCancellation.md)

import Dispatch

/// Work on a dispatch queue that can be cancelled, and that tells whether it has ever run.
///
/// ```swift
/// let thumbnail = QueuedWork(on: worker, noticeQueue: .main) { isCancelled in
///   for row in rows where !isCancelled() { draw(row) }
/// } onEnd: { ending in
///   spinner.stop()  // also when it was cancelled before its turn
/// }
/// thumbnail.cancel()
/// ```
///
/// **What `cancel()` can do.** Cancelled before its turn, the work is never called. Its end is told
/// all the same, in its turn: when its queue comes to it and passes it over. So whatever waits for
/// the end gets it, exactly once, cancelled or not.
///
/// **What it can't do.** Work that has begun goes on: no thread is stopped. It can look, by calling
/// the closure that it's given, and return early if it likes. Either way it has run, and its end is
/// told when it has returned. A second `cancel()`, or one after the end, changes nothing of that.
///
/// Safe to use from every thread. Nothing here waits. The work runs and its end is told even if
/// nobody keeps the `QueuedWork`; but then nobody can cancel it. When its end has been told and nobody
/// keeps it, nothing of it remains.
///
/// Source: `DispatchWorkItem` in Apple's documentation of Dispatch.
///
/// Your turn: make a `DispatchWorkItem`, submit it, and keep what `cancel()` needs. How Dispatch
/// behaves:
///
/// - `item.cancel()` before the item's turn: its queue passes it over when it comes to it. After
///   that, it only makes `item.isCancelled` true.
/// - `item.notify(queue:execute:)` is called when the item has run *and* when it was passed over; not
///   before its turn, and not for an item that was never submitted.
/// - Every thread may use an item, but its type doesn't say so. Keep it like this, with a line that
///   says why: `private nonisolated(unsafe) let item: DispatchWorkItem`.
/// - An item keeps its block alive, so a block that keeps its item keeps itself, for ever. A weak
///   reference is no way out: the queue keeps the block, not the item, and the block may run when
///   the item is gone. Let the block look at a small object of its own, with a lock in it.
public final class QueuedWork: Sendable {
  /// How work has come to its end.
  public enum Ending: Sendable {
    /// It was cancelled before its turn, and never called.
    case neverRan
    /// It was called and has returned, whether or not it was cancelled meanwhile.
    case ran
  }

  /// Submits work to a queue.
  ///
  /// Returns at once.
  ///
  /// - Parameters:
  ///   - queue: The queue that the work runs on.
  ///   - noticeQueue: The queue that `onEnd` is called on.
  ///   - work: Called once on `queue`, unless it's cancelled before its turn. The closure that it's
  ///     given tells whether it has been cancelled by now.
  ///   - onEnd: Called once, when the work has returned or was passed over.
  public init(
    on queue: DispatchQueue, noticeQueue: DispatchQueue,
    work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Void,
    onEnd: @escaping @Sendable (Ending) -> Void
  ) {
    // TODO: Submit the work, and see to it that its end is told.
  }

  /// Whether somebody has cancelled the work.
  ///
  /// That says nothing about whether it has run.
  public var isCancelled: Bool { false }

  /// Asks the work to stop: it isn't called if it hasn't been, and can see that it's cancelled.
  ///
  /// Returns at once. Nothing is told by it; the end comes when it comes.
  public func cancel() {
    // TODO: Keep the work from being called, and let it see that it's cancelled.
  }
}
