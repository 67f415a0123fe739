import Foundation

// Wrong: a Bool for each property, whose setter announces it, and a check of one of them before.
// Until the second setter is done, every call that checks may finish the operation.
//
// Safe: the flags and the answer are guarded by `lock`.
public final class FirstAnswerOperation: Operation, @unchecked Sendable {
  public typealias Finish = @Sendable (_ answer: String) -> Bool

  private let work: @Sendable (_ finish: @escaping Finish) -> Void
  private let lock = NSLock()
  private var executing = false
  private var finished = false
  private var kept: String?

  public init(work: @escaping @Sendable (_ finish: @escaping Finish) -> Void) {
    self.work = work
    super.init()
  }

  public var answer: String? { lock.withLock { kept } }
  public override var isAsynchronous: Bool { true }

  public override var isExecuting: Bool {
    get { lock.withLock { executing } }
    set {
      willChangeValue(forKey: "isExecuting")
      lock.withLock { executing = newValue }
      didChangeValue(forKey: "isExecuting")
    }
  }

  public override var isFinished: Bool {
    get { lock.withLock { finished } }
    set {
      willChangeValue(forKey: "isFinished")
      lock.withLock { finished = newValue }
      didChangeValue(forKey: "isFinished")
    }
  }

  public override func start() {
    guard !isCancelled else {
      isFinished = true
      return
    }
    isExecuting = true
    main()
  }

  public override func main() {
    work { [self] answer in finish(answer) }
  }

  private func finish(_ answer: String) -> Bool {
    guard !isFinished else { return false }
    lock.withLock { kept = answer }
    isExecuting = false
    isFinished = true
    return true
  }
}
