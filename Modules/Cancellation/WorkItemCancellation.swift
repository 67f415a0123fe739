import Dispatch
import Synchronization

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
/// Safe to use from every thread.
///
/// Source: `DispatchWorkItem` in Apple's documentation of Dispatch.
public final class QueuedWork: Sendable {
  /// How work has ended.
  public enum Ending: Sendable {
    /// It was cancelled before its turn, and never called.
    case neverRan
    /// It was called and has returned, whether or not it was cancelled meanwhile.
    case ran
  }

  // Safe: every thread may use a work item, though its type isn't Sendable.
  private nonisolated(unsafe) let item: DispatchWorkItem
  private let progress: WorkProgress

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
    // The block may capture `progress`, but not the item: the item retains its block, so that would
    // be a retain cycle.
    let progress = WorkProgress()
    let item = DispatchWorkItem {
      progress.begin()
      work { progress.isCancelled }
    }
    // Called for every end, even of a skipped item. Whether it was skipped isn't the same as
    // whether it was cancelled.
    item.notify(queue: noticeQueue) { onEnd(progress.hasBegun ? .ran : .neverRan) }
    self.item = item
    self.progress = progress
    queue.async(execute: item)
  }

  /// Whether the work has been cancelled, which says nothing about whether it has run.
  ///
  /// - `isCancelled` is true when `cancel()` has returned, whether or not the work has begun.
  public var isCancelled: Bool { progress.isCancelled }

  /// Asks the work to stop: if its turn hasn't come, it is never called; if it runs, it can see
  /// that it's cancelled.
  ///
  /// - `cancel()` returns without waiting for the end of the work.
  public func cancel() {
    progress.cancel()
    item.cancel()
  }
}

/// The state of work on a queue.
private final class WorkProgress: Sendable {
  private let cancelled = Mutex(false)
  private let begun = Mutex(false)

  var isCancelled: Bool { cancelled.withLock { $0 } }
  var hasBegun: Bool { begun.withLock { $0 } }

  func cancel() { cancelled.withLock { $0 = true } }
  func begin() { begun.withLock { $0 = true } }
}
