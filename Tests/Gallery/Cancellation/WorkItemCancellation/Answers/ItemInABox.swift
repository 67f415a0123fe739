import Dispatch

// A right answer: the block reads its item itself, through a box that is emptied at the end, so
// that the two don't retain each other. The box is used on a serial queue.

public final class QueuedWork: Sendable {
  public enum Ending: Sendable {
    case neverRan
    case ran
  }

  private final class Box: Sendable {
    // Safe: touched on `queue` alone.
    private nonisolated(unsafe) var item: DispatchWorkItem?
    private nonisolated(unsafe) var hasRun = false  // Safe: as above.
    private let queue = DispatchQueue(label: "katas.cancellation.queued-work")

    func fill(_ item: DispatchWorkItem) { queue.sync { self.item = item } }
    func run() { queue.sync { hasRun = true } }
    var isCancelled: Bool { queue.sync { item?.isCancelled ?? false } }

    func empty() -> Ending {
      queue.sync {
        item = nil
        return hasRun ? .ran : .neverRan
      }
    }
  }

  private nonisolated(unsafe) let item: DispatchWorkItem  // Safe: Dispatch's items are.

  public init(
    on queue: DispatchQueue, noticeQueue: DispatchQueue,
    work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Void,
    onEnd: @escaping @Sendable (Ending) -> Void
  ) {
    let box = Box()
    item = DispatchWorkItem {
      box.run()
      work { box.isCancelled }
    }
    box.fill(item)
    queue.async(execute: item)
    item.notify(queue: noticeQueue) { onEnd(box.empty()) }
  }

  public var isCancelled: Bool { item.isCancelled }

  public func cancel() { item.cancel() }
}
