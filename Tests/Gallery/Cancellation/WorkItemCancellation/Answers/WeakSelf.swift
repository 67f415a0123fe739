import Dispatch
import Foundation

// A mistake: the block and the notice use the QueuedWork through weak references, and nothing
// else retains it.

public final class QueuedWork: Sendable {
  public enum Ending: Sendable {
    case neverRan
    case ran
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var item: DispatchWorkItem?
  private nonisolated(unsafe) var cancelled = false
  private nonisolated(unsafe) var begun = false
  private let lock = NSLock()

  public init(
    on queue: DispatchQueue, noticeQueue: DispatchQueue,
    work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Void,
    onEnd: @escaping @Sendable (Ending) -> Void
  ) {
    let item = DispatchWorkItem { [weak self] in
      self?.begin()
      if let self { work { self.isCancelled } }
    }
    item.notify(queue: noticeQueue) { [weak self] in
      if let self { onEnd(self.lock.withLock { self.begun } ? .ran : .neverRan) }
    }
    self.item = item
    queue.async(execute: item)
  }

  private func begin() { lock.withLock { begun = true } }

  public var isCancelled: Bool { lock.withLock { cancelled } }

  public func cancel() {
    lock.withLock {
      cancelled = true
      return item
    }?.cancel()
  }
}
