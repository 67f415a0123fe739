import Foundation

// Wrong: it has no start() of its own. Foundation's start() calls main(), and finishes the
// operation when main() returns. An operation that has ended inside main() ends twice, and one that
// is still loading is finished too soon.
public final class CachedLoadOperation: Operation, @unchecked Sendable {  // Safe: behind `lock`.
  public typealias Completion = @Sendable (_ data: Data) -> Void

  private let cached: @Sendable () -> Data?
  private let load: @Sendable (_ completion: @escaping Completion) -> Void
  private let lock = NSLock()
  private var state = State.waiting
  private var isChanging = false
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

  public override var isExecuting: Bool { lock.withLock { state == .executing } }

  public override var isFinished: Bool { lock.withLock { state == .finished } }

  public override func main() {
    change(from: .waiting, to: .executing)
    if let data = cached() {
      finish(data)
    } else {
      load { [self] data in finish(data) }
    }
  }

  private func finish(_ data: Data) {
    change(from: .executing, to: .finished, keeping: data)
  }

  // MARK: - The state and its notices

  private enum State {
    case waiting, executing, finished

    var key: String? {
      switch self {
      case .waiting: nil
      case .executing: "isExecuting"
      case .finished: "isFinished"
      }
    }
  }

  @discardableResult
  private func change(from old: State, to new: State, keeping data: Data? = nil) -> Bool {
    let isMine = lock.withLock {
      guard state == old, !isChanging else { return false }
      isChanging = true
      return true
    }
    guard isMine else { return false }

    let keys = [new.key, old.key].compactMap(\.self)
    for key in keys { willChangeValue(forKey: key) }
    lock.withLock {
      loaded = data
      state = new
      isChanging = false
    }
    for key in keys.reversed() { didChangeValue(forKey: key) }
    return true
  }
}
