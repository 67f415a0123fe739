import Foundation

// Wrong: the state is changed on one queue and read on another. Each queue orders its own blocks,
// but not those of the other.
public final class StateNotifier: Sendable {
  public enum State: CaseIterable, Sendable {
    case ready, executing, finished
  }

  private let reads = DispatchQueue(label: "katas.state-notifier.reads")
  private let writes = DispatchQueue(label: "katas.state-notifier.writes")
  // Safe: it isn't.
  private nonisolated(unsafe) var current = State.ready
  private nonisolated(unsafe) var isMoving = false  // Safe: used on `writes` only.

  public init() {}

  public var state: State { reads.sync { current } }

  @discardableResult
  public func move(_ operation: Operation, from old: State, to new: State) -> Bool {
    let isMine = writes.sync {
      guard old.canMove(to: new), current == old, !isMoving else { return false }
      isMoving = true
      return true
    }
    guard isMine else { return false }
    operation.willChangeValue(forKey: new.key)
    operation.willChangeValue(forKey: old.key)
    writes.sync {
      isMoving = false
      current = new
    }
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
