import Foundation

// Wrong: each access to the state is safe, behind a readers–writers queue, but the two of them
// aren't atomic. A second thread may come between the check and the change.
//
// Safe: `stored` and `kept` are used on `access` only, and changed there only in a barrier.
public final class FirstAnswerOperation: Operation, @unchecked Sendable {
  public typealias Finish = @Sendable (_ answer: String) -> Bool

  private let work: @Sendable (_ finish: @escaping Finish) -> Void

  private enum State: String {
    case ready, executing, finished

    var keyPath: String { "is\(rawValue.capitalized)" }
  }

  private let access = DispatchQueue(label: "katas.first-answer.access", attributes: .concurrent)
  private var stored = State.ready
  private var kept: String?

  private var state: State {
    get { access.sync { stored } }
    set {
      let oldValue = state
      willChangeValue(forKey: newValue.keyPath)
      willChangeValue(forKey: oldValue.keyPath)
      access.sync(flags: .barrier) { stored = newValue }
      didChangeValue(forKey: oldValue.keyPath)
      didChangeValue(forKey: newValue.keyPath)
    }
  }

  public init(work: @escaping @Sendable (_ finish: @escaping Finish) -> Void) {
    self.work = work
    super.init()
  }

  public var answer: String? { access.sync { kept } }
  public override var isReady: Bool { super.isReady && state == .ready }
  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { state == .executing }
  public override var isFinished: Bool { state == .finished }

  public override func start() {
    if isCancelled {
      state = .finished
      return
    }
    state = .executing
    main()
  }

  public override func main() {
    work { [self] answer in finish(answer) }
  }

  private func finish(_ answer: String) -> Bool {
    guard state != .finished else { return false }
    access.sync(flags: .barrier) { kept = answer }
    state = .finished
    return true
  }
}
