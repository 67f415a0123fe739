import Dispatch
import Synchronization

// A right answer: no work item at all. A plain block checks an atomic flag when its turn comes.

public final class QueuedWork: Sendable {
  public enum Ending: Sendable {
    case neverRan
    case ran
  }

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  private let flag = Flag()

  public init(
    on queue: DispatchQueue, noticeQueue: DispatchQueue,
    work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Void,
    onEnd: @escaping @Sendable (Ending) -> Void
  ) {
    let flag = flag
    queue.async {
      let isPassedOver = flag.isSet.load(ordering: .acquiring)
      if !isPassedOver { work { flag.isSet.load(ordering: .acquiring) } }
      noticeQueue.async { onEnd(isPassedOver ? .neverRan : .ran) }
    }
  }

  public var isCancelled: Bool { flag.isSet.load(ordering: .acquiring) }

  public func cancel() {
    flag.isSet.store(true, ordering: .releasing)
  }
}
