import Foundation

// The data is the end: an operation that has data is finished. Everything is on a serial queue.
public final class CachedLoadOperation: Operation, @unchecked Sendable {
  public typealias Completion = @Sendable (_ data: Data) -> Void

  private let cached: @Sendable () -> Data?
  private let load: @Sendable (_ completion: @escaping Completion) -> Void
  private let queue = DispatchQueue(label: "katas.cached-load")
  // Safe: these are used on `queue` only.
  private var hasStarted = false
  private var arrived: Data?
  private var isOver = false

  public init(
    cached: @escaping @Sendable () -> Data?,
    load: @escaping @Sendable (_ completion: @escaping Completion) -> Void
  ) {
    self.cached = cached
    self.load = load
    super.init()
  }

  public var data: Data? { queue.sync { isOver ? arrived : nil } }
  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { queue.sync { hasStarted && !isOver } }
  public override var isFinished: Bool { queue.sync { isOver } }

  public override func start() {
    if isCancelled {
      willChangeValue(for: \.isFinished)
      queue.sync { isOver = true }
      didChangeValue(for: \.isFinished)
    } else {
      willChangeValue(for: \.isExecuting)
      queue.sync { hasStarted = true }
      didChangeValue(for: \.isExecuting)
      main()
    }
  }

  public override func main() {
    if let data = cached() {
      finish(data)
    } else {
      load { [self] data in finish(data) }
    }
  }

  private func finish(_ data: Data) {
    let isFirst = queue.sync {
      if arrived == nil {
        arrived = data
        return true
      }
      return false
    }
    guard isFirst else { return }
    willChangeValue(for: \.isExecuting)
    willChangeValue(for: \.isFinished)
    queue.sync { isOver = true }
    didChangeValue(for: \.isExecuting)
    didChangeValue(for: \.isFinished)
  }
}
