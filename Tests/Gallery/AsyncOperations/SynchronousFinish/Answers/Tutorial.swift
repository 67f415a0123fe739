import Foundation

// Wrong: as in many tutorials. The state announces itself, but main() is called before executing is
// set, and the end is announced before the data is stored. cancel() ends an operation that never
// began, and nothing guards the state.
//
// Safe: it isn't.
public final class CachedLoadOperation: Operation, @unchecked Sendable {
  public typealias Completion = @Sendable (_ data: Data) -> Void

  private let cached: @Sendable () -> Data?
  private let load: @Sendable (_ completion: @escaping Completion) -> Void

  private enum State: String {
    case ready, executing, finished

    var keyPath: String { "is\(rawValue.capitalized)" }
  }

  private var state = State.ready {
    willSet {
      willChangeValue(forKey: newValue.keyPath)
      willChangeValue(forKey: state.keyPath)
    }
    didSet {
      didChangeValue(forKey: oldValue.keyPath)
      didChangeValue(forKey: state.keyPath)
    }
  }

  public private(set) var data: Data?

  public init(
    cached: @escaping @Sendable () -> Data?,
    load: @escaping @Sendable (_ completion: @escaping Completion) -> Void
  ) {
    self.cached = cached
    self.load = load
    super.init()
  }

  public override var isReady: Bool { super.isReady && state == .ready }
  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { state == .executing }
  public override var isFinished: Bool { state == .finished }

  public override func start() {
    if isCancelled {
      state = .finished
      return
    }
    main()
    state = .executing
  }

  public override func cancel() {
    super.cancel()
    state = .finished
  }

  public override func main() {
    if let data = cached() {
      finish(data)
    } else {
      load { [self] data in finish(data) }
    }
  }

  private func finish(_ data: Data) {
    state = .finished
    self.data = data
  }
}
