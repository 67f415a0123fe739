import Foundation

// Wrong: a property with willSet and didSet, set with the lock held. The notices are sent with the
// lock held too, and their observers read the state.
//
// Safe: guarded by `lock`.
public final class StateNotifier: @unchecked Sendable {
  public enum State: CaseIterable, Sendable {
    case ready, executing, finished
  }

  private let lock = NSRecursiveLock()
  private var operation: Operation?
  private var isMoving = false
  private var current = State.ready {
    willSet {
      operation?.willChangeValue(forKey: newValue.key)
      operation?.willChangeValue(forKey: current.key)
    }
    didSet {
      isMoving = false
      operation?.didChangeValue(forKey: oldValue.key)
      operation?.didChangeValue(forKey: current.key)
      operation = nil
    }
  }

  public init() {}

  public var state: State { lock.withLock { current } }

  @discardableResult
  public func move(_ operation: Operation, from old: State, to new: State) -> Bool {
    lock.withLock {
      guard old.canMove(to: new), current == old, !isMoving else { return false }
      isMoving = true
      self.operation = operation
      current = new
      return true
    }
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
