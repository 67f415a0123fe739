import Foundation

// The state on a serial queue. A change is decided on the queue, and the notices are sent outside
// of it.
//
// Safe: `state` and `hasDecided` are used on `queue` only.
open class AsyncOperation: Operation, @unchecked Sendable {
  private enum State { case waiting, executing, finished }

  private let queue = DispatchQueue(label: "katas.async-operations.state")
  private var state = State.waiting
  private var hasDecided = (start: false, finish: false)

  public override init() {
    super.init()
  }

  public final override var isAsynchronous: Bool { true }
  public final override var isExecuting: Bool { queue.sync { state == .executing } }
  public final override var isFinished: Bool { queue.sync { state == .finished } }

  public final override func start() {
    let isFirst = queue.sync {
      defer { hasDecided.start = true }
      return !hasDecided.start
    }
    guard isFirst else { return }
    if isCancelled {
      willChangeValue(for: \.isFinished)
      queue.sync { state = .finished }
      didChangeValue(for: \.isFinished)
    } else {
      willChangeValue(for: \.isExecuting)
      queue.sync { state = .executing }
      didChangeValue(for: \.isExecuting)
      if isExecuting { main() }
    }
  }

  public final func finish() {
    let isFirst = queue.sync {
      guard state == .executing, !hasDecided.finish else { return false }
      hasDecided.finish = true
      return true
    }
    guard isFirst else { return }
    willChangeValue(for: \.isExecuting)
    willChangeValue(for: \.isFinished)
    queue.sync { state = .finished }
    didChangeValue(for: \.isExecuting)
    didChangeValue(for: \.isFinished)
  }
}
