import Foundation

// The state behind a readers–writers queue, in a property that announces its own changes.
//
// Safe: `stored`, `starting` and `ending` are used on `access` only, and changed there only in a
// barrier.
open class AsyncOperation: Operation, @unchecked Sendable {
  private enum State: String {
    case ready = "isReady"
    case executing = "isExecuting"
    case finished = "isFinished"
  }

  private let access = DispatchQueue(label: "katas.async.access", attributes: .concurrent)
  private var stored = State.ready
  private var starting = false
  private var ending = false

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

  public override init() {
    super.init()
  }

  public final override var isReady: Bool { super.isReady && state == .ready }
  public final override var isAsynchronous: Bool { true }
  public final override var isExecuting: Bool { state == .executing }
  public final override var isFinished: Bool { state == .finished }

  public final override func start() {
    let isFirst = access.sync(flags: .barrier) {
      defer { starting = true }
      return !starting
    }
    guard isFirst else { return }
    if isCancelled {
      state = .finished
      return
    }
    state = .executing
    guard state == .executing else { return }
    main()
  }

  public final func finish() {
    let isFirst = access.sync(flags: .barrier) {
      guard stored == .executing, !ending else { return false }
      ending = true
      return true
    }
    if isFirst { state = .finished }
  }
}
