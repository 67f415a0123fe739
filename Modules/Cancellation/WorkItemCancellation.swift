import Dispatch
import Foundation

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
public final class QueuedWork: Sendable {
  /// How work has come to its end.
  public enum Ending: Sendable {
    /// It was cancelled before its turn, and never called.
    case neverRan
    /// It was called and has returned, whether or not it was cancelled meanwhile.
    case ran
  }

  // Safe: Dispatch's items may be used by every thread, though the type doesn't say so.
  private nonisolated(unsafe) let item: DispatchWorkItem
  private let progress: WorkProgress

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
    // The block may look at `progress`, but not at the item: the item keeps its block, and a block
    // that keeps its item is never let go.
    let progress = WorkProgress()
    let item = DispatchWorkItem {
      progress.begin()
      work { progress.isCancelled }
    }
    // Told of every end, also of an item that was passed over. Whether it was isn't the same as
    // whether it was cancelled.
    item.notify(queue: noticeQueue) { onEnd(progress.hasBegun ? .ran : .neverRan) }
    self.item = item
    self.progress = progress
    queue.async(execute: item)
  }

  /// Whether somebody has cancelled the work.
  ///
  /// That says nothing about whether it has run.
  public var isCancelled: Bool { progress.isCancelled }

  /// Asks the work to stop: it isn't called if it hasn't been, and can see that it's cancelled.
  ///
  /// Returns at once. Nothing is told by it; the end comes when it comes.
  public func cancel() {
    progress.cancel()
    item.cancel()
  }
}

/// What is known of work on a queue.
private final class WorkProgress: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var cancelled = false
  private nonisolated(unsafe) var begun = false
  private let lock = NSLock()

  var isCancelled: Bool { lock.withLock { cancelled } }
  var hasBegun: Bool { lock.withLock { begun } }

  func cancel() { lock.withLock { cancelled = true } }
  func begin() { lock.withLock { begun = true } }
}
