import Foundation

// Two flags, each with its own notices, as in Apple's old sample: first it stops executing, then it
// is finished.
//
// Safe: the flags are guarded by `lock`.
open class AsyncOperation: Operation, @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var executing = false
  private var finished = false
  private var started = false
  private var ended = false

  public override init() {
    super.init()
  }

  public final override var isAsynchronous: Bool { true }

  public final override var isExecuting: Bool {
    lock.lock()
    defer { lock.unlock() }
    return executing
  }

  public final override var isFinished: Bool {
    lock.lock()
    defer { lock.unlock() }
    return finished
  }

  private func setExecuting(_ value: Bool) {
    willChangeValue(forKey: "isExecuting")
    lock.lock()
    executing = value
    lock.unlock()
    didChangeValue(forKey: "isExecuting")
  }

  private func setFinished() {
    willChangeValue(forKey: "isFinished")
    lock.lock()
    finished = true
    lock.unlock()
    didChangeValue(forKey: "isFinished")
  }

  public final override func start() {
    lock.lock()
    let isFirst = !started
    started = true
    lock.unlock()
    guard isFirst else { return }
    if isCancelled {
      setFinished()
      return
    }
    setExecuting(true)
    if isExecuting { main() }
  }

  public final func finish() {
    lock.lock()
    let isFirst = executing && !ended
    if isFirst { ended = true }
    lock.unlock()
    guard isFirst else { return }
    setExecuting(false)
    setFinished()
  }
}
