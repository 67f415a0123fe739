import Foundation

// One value holds the whole state, and every decision is made on it under one lock. A start during
// a cancellation that Foundation doesn't know of yet begins the work; `onCancel` is called after
// that.
//
// Safe: `life` is guarded by `lock`.
public final class CancellableOperation: Operation, @unchecked Sendable {
  private enum Life {
    case waiting(cancelled: Bool)
    case working(cancelled: Bool)
    case ending
    case over
  }

  private let work: @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  private let onCancel: @Sendable () -> Void
  private let lock = NSCondition()
  private var life = Life.waiting(cancelled: false)

  public init(
    onCancel: @escaping @Sendable () -> Void = {},
    work: @escaping @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  ) {
    self.onCancel = onCancel
    self.work = work
    super.init()
  }

  public override var isAsynchronous: Bool { true }

  public override var isExecuting: Bool {
    lock.withLock {
      switch life {
      case .working, .ending: true
      case .waiting, .over: false
      }
    }
  }

  public override var isFinished: Bool {
    lock.withLock { if case .over = life { true } else { false } }
  }

  public override func start() {
    guard lock.withLock({ if case .waiting = life { true } else { false } }) else { return }
    willChangeValue(forKey: "isFinished")
    willChangeValue(forKey: "isExecuting")
    let isTooLate = isCancelled
    let works = lock.withLock {
      guard case .waiting(let isBeingCancelled) = life, !isTooLate else {
        life = .over
        return false
      }
      life = .working(cancelled: isBeingCancelled)
      return true
    }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
    if works { main() }
  }

  public override func cancel() {
    let isFirst = lock.withLock {
      switch life {
      case .waiting(cancelled: false): life = .waiting(cancelled: true)
      case .working(cancelled: false): life = .working(cancelled: true)
      default: return false
      }
      return true
    }
    super.cancel()
    if isFirst, isCancelled { onCancel() }
  }

  public override func main() {
    work { [self] in
      let isFirst = lock.withLock {
        guard case .working = life else { return false }
        life = .ending
        return true
      }
      guard isFirst else { return }
      willChangeValue(forKey: "isExecuting")
      willChangeValue(forKey: "isFinished")
      lock.withLock { life = .over }
      didChangeValue(forKey: "isFinished")
      didChangeValue(forKey: "isExecuting")
    }
  }
}
