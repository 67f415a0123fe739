import Foundation

// Two flags with two setters: first it stops executing, then it's finished. The first data takes
// the only place of a semaphore.
//
// Safe: the flags and the data are guarded by `lock`.
public final class CachedLoadOperation: Operation, @unchecked Sendable {
  public typealias Completion = @Sendable (_ data: Data) -> Void

  private let cached: @Sendable () -> Data?
  private let load: @Sendable (_ completion: @escaping Completion) -> Void
  private let lock = NSRecursiveLock()
  private let place = DispatchSemaphore(value: 1)
  private var executing = false
  private var finished = false
  private var loaded: Data?

  public init(
    cached: @escaping @Sendable () -> Data?,
    load: @escaping @Sendable (_ completion: @escaping Completion) -> Void
  ) {
    self.cached = cached
    self.load = load
    super.init()
  }

  public var data: Data? { lock.withLock { loaded } }
  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { lock.withLock { executing } }
  public override var isFinished: Bool { lock.withLock { finished } }

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

  public override func start() {
    if isCancelled { return setFinished() }
    setExecuting(true)
    main()
  }

  public override func main() {
    if let data = cached() {
      finish(data)
    } else {
      load { [self] data in finish(data) }
    }
  }

  private func finish(_ data: Data) {
    guard place.wait(timeout: .now()) == .success else { return }
    lock.withLock { loaded = data }
    setExecuting(false)
    setFinished()
  }

  // A semaphore that is freed with fewer places than it was created with stops the program.
  deinit { place.signal() }
}
