// Page: make page KATA=WorkItemCancellation (Docs/ConcurrencyKatas.docc/WorkItemCancellation.md)

import Dispatch

/// Work on a dispatch queue that can be cancelled, and that reports whether it ever ran.
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
/// A cancellation doesn't stop a thread. It keeps work whose turn hasn't come from being called.
/// Work that has begun can check for a cancellation, by calling the closure that it receives, and
/// return early. `onEnd` is called in any case, cancelled or not.
///
/// - If `cancel()` has returned before the work's turn, the work is never called.
/// - If the work is cancelled before its turn, `onEnd` is called with `.neverRan` when the queue
///   comes to it, not before.
/// - If the work is cancelled while it runs, it goes on, and `onEnd` is called with `.ran` when it
///   has returned.
/// - `onEnd` is called once, even if the work is cancelled again or after its end.
/// - Cancelling one `QueuedWork` has no effect on another.
/// - While the work or `onEnd` runs, every thread may cancel the work and read `isCancelled`
///   without blocking.
/// - What is submitted to `queue` after the work doesn't wait for `onEnd`, unless that is called on
///   the same serial queue.
/// - The work runs and `onEnd` is called even if the `QueuedWork` is released first.
/// - Soon after `onEnd` has been called and the `QueuedWork` is released, nothing retains the work.
/// - One thread may cancel the work while another runs it, without a data race.
///
/// Source: `DispatchWorkItem` in Apple's documentation of Dispatch.
///
/// Your turn: create a `DispatchWorkItem`, submit it, and keep what `cancel()` needs. How Dispatch
/// behaves:
///
/// - If `item.cancel()` is called before the item's turn, the queue skips the item when it comes to
///   it. If `item.cancel()` is called later, it only makes `item.isCancelled` true.
/// - The block of `item.notify(queue:execute:)` is called when the item has run *and* when it was
///   skipped. It isn't called before the item's turn, nor for an item that was never submitted.
/// - Every thread may use an item, but its type isn't `Sendable`. Declare it with a comment that
///   says why it's safe: `private nonisolated(unsafe) let item: DispatchWorkItem`.
/// - An item retains its block, so a block that captures its item makes a retain cycle. A weak
///   reference doesn't help: the queue retains the block, not the item, which may be gone when the
///   block runs. Let the block capture a small object of its own, with a lock in it.
public final class QueuedWork: Sendable {
  /// How work has ended.
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
  /// - The closure that `work` receives returns whether the work has been cancelled by the time of
  ///   that call.
  ///
  /// - Parameters:
  ///   - queue: The queue for the work.
  ///   - noticeQueue: The queue on which `onEnd` is called.
  ///   - work: The work.
  ///   - onEnd: Receives how the work has ended: it has returned, or was skipped.
  public init(
    on queue: DispatchQueue, noticeQueue: DispatchQueue,
    work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Void,
    onEnd: @escaping @Sendable (Ending) -> Void
  ) {
    // TODO: Submit the work, and arrange for onEnd to be called.
  }

  /// Whether the work has been cancelled, which says nothing about whether it has run.
  ///
  /// - `isCancelled` is true when `cancel()` has returned, whether or not the work has begun.
  public var isCancelled: Bool {
    false  // TODO: Whether it has been cancelled.
  }

  /// Asks the work to stop: if its turn hasn't come, it is never called; if it runs, it can see
  /// that it's cancelled.
  ///
  /// - `cancel()` returns without waiting for the end of the work.
  public func cancel() {
    // TODO: Keep the work from being called, and let it see that it's cancelled.
  }
}
