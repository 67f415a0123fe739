import Dispatch
import Foundation

// A mistake: cancel() reports the end, as if it had stopped the work.

public final class QueuedWork: Sendable {
  public enum Ending: Sendable {
    case neverRan
    case ran
  }

  private nonisolated(unsafe) let item: DispatchWorkItem  // Safe: Dispatch's items are.
  private let progress: WorkProgress
  private let onCancel: @Sendable () -> Void

  public init(
    on queue: DispatchQueue, noticeQueue: DispatchQueue,
    work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Void,
    onEnd: @escaping @Sendable (Ending) -> Void
  ) {
    // The block may read `progress`, but not the item: the item retains its block, so a block
    // that retains its item makes a retain cycle.
    let progress = WorkProgress()
    let item = DispatchWorkItem {
      progress.begin()
      work { progress.isCancelled }
    }
    // Called at every end, even of a skipped item. Whether it was skipped isn't the same as
    // whether it was cancelled.
    item.notify(queue: noticeQueue) {
      progress.tell { onEnd(.ran) }
    }
    onCancel = { noticeQueue.async { progress.tell { onEnd(.neverRan) } } }
    self.item = item
    self.progress = progress
    queue.async(execute: item)
  }

  public var isCancelled: Bool { progress.isCancelled }

  public func cancel() {
    progress.cancel()
    item.cancel()
    onCancel()
  }
}

private final class WorkProgress: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var cancelled = false
  private nonisolated(unsafe) var begun = false
  private nonisolated(unsafe) var told = false  // Safe: as above.
  private let lock = NSLock()

  var isCancelled: Bool { lock.withLock { cancelled } }
  var hasBegun: Bool { lock.withLock { begun } }

  func cancel() { lock.withLock { cancelled = true } }

  func tell(_ body: () -> Void) {
    let isFirst = lock.withLock {
      defer { told = true }
      return !told
    }
    if isFirst { body() }
  }

  func begin() { lock.withLock { begun = true } }
}
