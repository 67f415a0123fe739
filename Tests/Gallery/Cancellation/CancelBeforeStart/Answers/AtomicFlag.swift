import Foundation
import Synchronization

// An atomic flag decides which call passes the cancellation on; the state is two flags behind a
// lock.
//
// Safe: the flags of the state are guarded by `lock`; `isPassedOn` is atomic.
public final class CancellableOperation: Operation, @unchecked Sendable {
  private let work: @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  private let onCancel: @Sendable () -> Void
  private let isPassedOn = Atomic(false)
  private let isStarted = Atomic(false)
  private let isEnding = Atomic(false)
  private let lock = NSRecursiveLock()
  private var executing = false
  private var finished = false

  public init(
    onCancel: @escaping @Sendable () -> Void = {},
    work: @escaping @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  ) {
    self.onCancel = onCancel
    self.work = work
    super.init()
  }

  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { lock.withLock { executing } }
  public override var isFinished: Bool { lock.withLock { finished } }

  public override func start() {
    guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { return }
    if isCancelled { return setFinished() }
    setExecuting(true)
    main()
  }

  public override func cancel() {
    guard !isFinished else { return }
    super.cancel()
    // The work may have ended since the check of isFinished.
    guard isCancelled else { return }
    if !isPassedOn.exchange(true, ordering: .acquiringAndReleasing) { onCancel() }
  }

  public override func main() {
    work { [self] in
      guard !isEnding.exchange(true, ordering: .acquiringAndReleasing) else { return }
      setExecuting(false)
      setFinished()
    }
  }

  private func setExecuting(_ value: Bool) {
    willChangeValue(forKey: "isExecuting")
    lock.withLock { executing = value }
    didChangeValue(forKey: "isExecuting")
  }

  private func setFinished() {
    willChangeValue(forKey: "isFinished")
    lock.withLock { finished = true }
    didChangeValue(forKey: "isFinished")
  }
}
