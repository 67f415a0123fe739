import Foundation

// The state on a serial queue, with the move that is being made as a value beside it.
public final class StateNotifier: Sendable {
  public enum State: CaseIterable, Sendable {
    case ready, executing, finished
  }

  private let queue = DispatchQueue(label: "katas.state-notifier")
  // Safe: used on `queue` only.
  private nonisolated(unsafe) var current = State.ready
  private nonisolated(unsafe) var destination: State?  // Safe: as above.

  public init() {}

  public var state: State { queue.sync { current } }

  @discardableResult
  public func move(_ operation: Operation, from old: State, to new: State) -> Bool {
    let isMine = queue.sync {
      guard current == old, destination == nil, old.canMove(to: new) else { return false }
      destination = new
      return true
    }
    guard isMine else { return false }
    operation.willChangeValue(forKey: old.key)
    operation.willChangeValue(forKey: new.key)
    queue.sync {
      current = new
      destination = nil
    }
    operation.didChangeValue(forKey: new.key)
    operation.didChangeValue(forKey: old.key)
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
