import Foundation

// Wrong: two flags in the wrong order. When it announces its end, `isExecuting` is still true.
//
// Safe: the flags are guarded by `lock`.
open class AsyncOperation: Operation, @unchecked Sendable {
  private let lock = NSLock()
  private var executing = false
  private var finished = false
  private var ended = false

  public override init() {
    super.init()
  }

  public final override var isAsynchronous: Bool { true }
  public final override var isExecuting: Bool { lock.withLock { executing } }
  public final override var isFinished: Bool { lock.withLock { finished } }

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

  public final override func start() {
    if isCancelled {
      setFinished()
      return
    }
    setExecuting(true)
    main()
  }

  public final func finish() {
    let isFirst = lock.withLock {
      guard executing, !ended else { return false }
      ended = true
      return true
    }
    guard isFirst else { return }
    setFinished()
    setExecuting(false)
  }
}
