import Foundation
import Synchronization

// The standard library's mutex around the moves that have been decided on: the state is the result
// of the last one made.
public final class StateNotifier: Sendable {
  public enum State: CaseIterable, Sendable {
    case ready, executing, finished
  }

  private struct Life {
    var made: [State] = [.ready]
    var decided: [State] = [.ready]
  }

  private let life = Mutex(Life())

  public init() {}

  public var state: State { life.withLock { $0.made.last ?? .ready } }

  @discardableResult
  public func move(_ operation: Operation, from old: State, to new: State) -> Bool {
    guard old.canMove(to: new) else { return false }
    let isMine = life.withLock { life in
      guard life.decided.last == old, life.made.last == old else { return false }
      life.decided.append(new)
      return true
    }
    if isMine {
      [old, new].forEach { operation.willChangeValue(forKey: $0.key) }
      life.withLock { $0.made.append(new) }
      [new, old].forEach { operation.didChangeValue(forKey: $0.key) }
    }
    return isMine
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
