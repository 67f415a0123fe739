import Foundation

// A semaphore with one place, which is never returned: the call that gets it ends the operation.
//
// Safe: `state` and `kept` are guarded by `lock`.
public final class FirstAnswerOperation: Operation, @unchecked Sendable {
  public typealias Finish = @Sendable (_ answer: String) -> Bool

  private let work: @Sendable (_ finish: @escaping Finish) -> Void
  private let place = DispatchSemaphore(value: 1)
  private let lock = NSRecursiveLock()
  private var state = (executing: false, finished: false)
  private var kept: String?

  public init(work: @escaping @Sendable (_ finish: @escaping Finish) -> Void) {
    self.work = work
    super.init()
  }

  public var answer: String? { lock.withLock { kept } }
  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { lock.withLock { state.executing } }
  public override var isFinished: Bool { lock.withLock { state.finished } }

  private func become(executing: Bool, finished: Bool, with answer: String? = nil) {
    willChangeValue(forKey: "isFinished")
    willChangeValue(forKey: "isExecuting")
    lock.withLock {
      kept = answer
      state = (executing, finished)
    }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }

  public override func start() {
    guard !isCancelled else { return become(executing: false, finished: true) }
    become(executing: true, finished: false)
    main()
  }

  public override func main() {
    work { [self] answer in finish(answer) }
  }

  private func finish(_ answer: String) -> Bool {
    guard place.wait(timeout: .now()) == .success else { return false }
    become(executing: false, finished: true, with: answer)
    return true
  }

  // A semaphore that is freed with fewer places than it was created with stops the program.
  deinit { place.signal() }
}
