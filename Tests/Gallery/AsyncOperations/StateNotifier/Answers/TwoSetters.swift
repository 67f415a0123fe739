import Foundation

// Wrong: a Bool for each property, whose setter announces it. Between two setters the operation is
// in a state that must never exist, and announces it.
public final class StateNotifier: @unchecked Sendable {  // Safe: guarded by `lock`.
  public enum State: CaseIterable, Sendable {
    case ready, executing, finished
  }

  private let lock = NSLock()
  private var flags: [State: Bool] = [.ready: true]
  private var isMoving = false

  public init() {}

  public var state: State {
    lock.withLock { State.allCases.first { flags[$0] == true } ?? .ready }
  }

  private func set(_ state: State, _ value: Bool, of operation: Operation) {
    operation.willChangeValue(forKey: state.key)
    lock.withLock { flags[state] = value }
    operation.didChangeValue(forKey: state.key)
  }

  @discardableResult
  public func move(_ operation: Operation, from old: State, to new: State) -> Bool {
    let isMine = lock.withLock {
      guard old.canMove(to: new), flags[old] == true, !isMoving else { return false }
      isMoving = true
      return true
    }
    guard isMine else { return false }
    set(old, false, of: operation)
    set(new, true, of: operation)
    lock.withLock { isMoving = false }
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
