import Foundation

// Two flags with two setters behind a pthread mutex, and a third flag that decides which call ends
// it.
//
// Safe: the flags and the answer are guarded by `mutex`, which keeps its address.
public final class FirstAnswerOperation: Operation, @unchecked Sendable {
  public typealias Finish = @Sendable (_ answer: String) -> Bool

  private let work: @Sendable (_ finish: @escaping Finish) -> Void
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var executing = false
  private var finished = false
  private var ended = false
  private var kept: String?

  public init(work: @escaping @Sendable (_ finish: @escaping Finish) -> Void) {
    self.work = work
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    super.init()
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  public var answer: String? { locked { kept } }
  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { locked { executing } }
  public override var isFinished: Bool { locked { finished } }

  private func setExecuting(_ value: Bool) {
    willChangeValue(forKey: "isExecuting")
    locked { executing = value }
    didChangeValue(forKey: "isExecuting")
  }

  private func setFinished() {
    willChangeValue(forKey: "isFinished")
    locked { finished = true }
    didChangeValue(forKey: "isFinished")
  }

  public override func start() {
    if isCancelled { return setFinished() }
    setExecuting(true)
    main()
  }

  public override func main() {
    work { [self] answer in finish(answer) }
  }

  private func finish(_ answer: String) -> Bool {
    let isFirst = locked {
      defer { ended = true }
      if !ended { kept = answer }
      return !ended
    }
    if isFirst {
      setExecuting(false)
      setFinished()
    }
    return isFirst
  }
}
