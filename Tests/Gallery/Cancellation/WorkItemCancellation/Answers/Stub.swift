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
/// A cancellation stops no thread. It keeps work from being called whose turn hasn't come; work
/// that has begun can look, by calling the closure that it's given, and return early. Whatever
/// waits for the end gets it, cancelled or not.
///
/// - Work that is cancelled before its turn is never called.
/// - If the work is cancelled before its turn, `onEnd` is called with `.neverRan` when its queue
///   has come to it, not before.
/// - If the work is cancelled while it runs, it goes on, and `onEnd` is called with `.ran` when it
///   has returned.
/// - `onEnd` is called once, even if the work is cancelled again or after its end.
/// - Cancelling one `QueuedWork` has no effect on another.
/// - While the work or `onEnd` runs, every thread may cancel the work and read `isCancelled`
///   without blocking.
/// - What is submitted to `queue` after the work doesn't wait for `onEnd`.
/// - The work runs and `onEnd` is called even if the `QueuedWork` is released before.
/// - When `onEnd` has been called and the `QueuedWork` is released, nothing retains the work.
/// - One thread may cancel the work while another runs it, without a data race.
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
  /// - The initializer returns without waiting for the work.
  /// - The work runs on `queue`.
  /// - `onEnd` is called on `noticeQueue`.
  /// - The closure that `work` is given tells whether the work has been cancelled by the time of
  ///   that call.
  ///
  /// - Parameters:
  ///   - queue: The queue for the work.
  ///   - noticeQueue: The queue for the notice of its end.
  ///   - work: What is to be done.
  ///   - onEnd: Takes how it has ended: the work has returned, or was passed over.
  public init(
    on queue: DispatchQueue, noticeQueue: DispatchQueue,
    work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Void,
    onEnd: @escaping @Sendable (Ending) -> Void
  ) {
    // TODO: Submit the work, and see to it that its end is told.
  }

  /// Whether the work has been cancelled, which says nothing about whether it has run.
  ///
  /// - `isCancelled` is true when `cancel()` has returned, whether or not the work has begun.
  public var isCancelled: Bool { false }

  /// Asks the work to stop: it isn't called if it hasn't been, and can see that it's cancelled.
  ///
  /// - `cancel()` returns without waiting for the end of the work.
  public func cancel() {
    // TODO: Keep the work from being called, and let it see that it's cancelled.
  }
}
