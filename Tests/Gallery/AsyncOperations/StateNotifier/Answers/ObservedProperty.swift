import Foundation

// Wrong: the tutorials' property with willSet and didSet. It announces what it should, but guards
// nothing: two threads that request a move at once both get it.
//
// Safe: it isn't.
public final class StateNotifier: @unchecked Sendable {
  public enum State: CaseIterable, Sendable {
    case ready, executing, finished
  }

  private weak var operation: Operation?
  private var current = State.ready {
    willSet {
      operation?.willChangeValue(forKey: newValue.key)
      operation?.willChangeValue(forKey: current.key)
    }
    didSet {
      operation?.didChangeValue(forKey: oldValue.key)
      operation?.didChangeValue(forKey: current.key)
    }
  }

  public init() {}

  public var state: State { current }

  @discardableResult
  public func move(_ operation: Operation, from old: State, to new: State) -> Bool {
    guard old.canMove(to: new), current == old else { return false }
    self.operation = operation
    current = new
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
