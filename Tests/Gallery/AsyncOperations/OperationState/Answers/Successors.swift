// A number for each state, and the set of states that may follow it.
public enum OperationState: Int, CaseIterable, Sendable {
  case ready = 0
  case executing = 1
  case finished = 2

  private static let names = ["isReady", "isExecuting", "isFinished"]

  private var successors: Set<OperationState> {
    switch self {
    case .ready: [.executing, .finished]
    case .executing: [.finished]
    case .finished: []
    }
  }

  public var keyPath: String { Self.names[rawValue] }

  public func canMove(to next: OperationState) -> Bool { successors.contains(next) }

  public func keyPaths(changedByMovingTo next: OperationState) -> [String] {
    var after = self
    return after.move(to: next) ? [keyPath, after.keyPath] : []
  }

  @discardableResult
  public mutating func move(to next: OperationState) -> Bool {
    let isAllowed = canMove(to: next)
    if isAllowed { self = next }
    return isAllowed
  }
}
