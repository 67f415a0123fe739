import Foundation

// Wrong: it leaves `start()` to Foundation, which finishes an operation when its `main()` returns.
//
// Safe: `finished` is guarded by `lock`.
open class AsyncOperation: Operation, @unchecked Sendable {
  private let lock = NSLock()
  private var finished = false

  public override init() {
    super.init()
  }

  public final override var isAsynchronous: Bool { true }
  public final override var isExecuting: Bool { super.isExecuting && !isFinished }
  public final override var isFinished: Bool {
    lock.withLock { finished } || (isCancelled && super.isFinished)
  }

  public final override func start() {
    super.start()
  }

  public final func finish() {
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    lock.withLock { finished = true }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}
