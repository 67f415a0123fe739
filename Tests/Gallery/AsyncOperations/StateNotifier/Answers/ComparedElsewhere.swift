import Foundation

// Wrong: the state is read on one queue and compared on another. By then it may have changed, and
// two calls may both find "still ready".
public final class StateNotifier: Sendable {
  public enum State: CaseIterable, Sendable {
    case ready, executing, finished
  }

  private let access = DispatchQueue(label: "katas.state-notifier.access", attributes: .concurrent)
  private let moves = DispatchQueue(label: "katas.state-notifier.moves")
  // Safe: used on `access` only, and changed there only in a barrier.
  private nonisolated(unsafe) var current = State.ready

  public init() {}

  public var state: State { access.sync { current } }

  @discardableResult
  public func move(_ operation: Operation, from old: State, to new: State) -> Bool {
    let now = state
    guard moves.sync(execute: { now == old && old.canMove(to: new) }) else { return false }
    operation.willChangeValue(forKey: new.key)
    operation.willChangeValue(forKey: old.key)
    access.sync(flags: .barrier) { current = new }
    operation.didChangeValue(forKey: old.key)
    operation.didChangeValue(forKey: new.key)
    return true
  }
}

extension StateNotifier.State {
  fileprivate var key: String {
    switch self {
    case .ready: "isReady"
    case .executing: "isExecuting"
    case .finished: "isFinished"
    }
  }

  fileprivate func canMove(to next: Self) -> Bool {
    switch (self, next) {
    case (.ready, .executing), (.ready, .finished), (.executing, .finished): true
    default: false
    }
  }
}
