import Foundation

/// An asynchronous operation as it's often written: its state is guarded by a concurrent queue and
/// changed behind a barrier.
class BarrierOperation: Operation, @unchecked Sendable {
  // Safe: `stored` is touched on `access` only, and changed there only behind a barrier.
  private enum State: String {
    case ready = "isReady"
    case executing = "isExecuting"
    case finished = "isFinished"
  }

  private let access = DispatchQueue(label: "benchmarks.state", attributes: .concurrent)
  private var stored = State.ready

  private var state: State {
    get { access.sync { stored } }
    set {
      let oldValue = state
      willChangeValue(forKey: oldValue.rawValue)
      willChangeValue(forKey: newValue.rawValue)
      access.sync(flags: .barrier) { stored = newValue }
      didChangeValue(forKey: oldValue.rawValue)
      didChangeValue(forKey: newValue.rawValue)
    }
  }

  override var isReady: Bool { super.isReady && state == .ready }
  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { state == .executing }
  override var isFinished: Bool { state == .finished }

  override func start() {
    guard !isCancelled else {
      state = .finished
      return
    }
    state = .executing
    main()
  }

  func finish() {
    state = .finished
  }
}
