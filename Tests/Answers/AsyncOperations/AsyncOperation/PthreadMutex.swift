import Foundation

// A pthread mutex around a number, and every repeated finish announced again, which is harmless.
//
// Safe: `phase` is guarded by `mutex`, which stays where it is until the operation goes away.
open class AsyncOperation: Operation, @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var phase = 0

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

  public final override var isAsynchronous: Bool { true }
  public final override var isExecuting: Bool { locked { phase == 1 } }
  public final override var isFinished: Bool { locked { phase == 2 } }

  public final override func start() {
    if isCancelled {
      willChangeValue(forKey: "isFinished")
      locked { phase = 2 }
      didChangeValue(forKey: "isFinished")
      return
    }
    willChangeValue(forKey: "isExecuting")
    locked { phase = 1 }
    didChangeValue(forKey: "isExecuting")
    main()
  }

  public final func finish() {
    guard locked({ phase > 0 }) else { return }
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    locked { phase = 2 }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}
