import Foundation

// A pthread mutex around two numbers: the operation's state, and the state that it is changing to.
//
// Safe: both are guarded by `mutex`, which keeps its address until the operation is freed.
open class AsyncOperation: Operation, @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var phase = 0
  private var aim = 0

  public override init() {
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

  private func setOut(from old: Int, to new: Int) -> Bool {
    locked {
      guard phase == old, aim == old else { return false }
      aim = new
      return true
    }
  }

  public final override var isAsynchronous: Bool { true }
  public final override var isExecuting: Bool { locked { phase == 1 } }
  public final override var isFinished: Bool { locked { phase == 2 } }

  public final override func start() {
    guard setOut(from: 0, to: 1) else { return }
    if isCancelled {
      willChangeValue(forKey: "isFinished")
      locked { phase = 2 }
      didChangeValue(forKey: "isFinished")
      return
    }
    willChangeValue(forKey: "isExecuting")
    locked { phase = 1 }
    didChangeValue(forKey: "isExecuting")
    guard isExecuting else { return }
    main()
  }

  public final func finish() {
    guard setOut(from: 1, to: 2) else { return }
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    locked { phase = 2 }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}
