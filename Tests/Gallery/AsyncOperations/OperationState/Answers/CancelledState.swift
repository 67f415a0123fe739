import Foundation

// Wrong: cancelled is a state of its own, which an operation passes on its way to finished.
public enum OperationState: String, CaseIterable, Sendable {
  case ready, executing, cancelled, finished

  public var keyPath: String { "is\(rawValue.capitalized)" }

  public func canMove(to next: OperationState) -> Bool {
    switch (self, next) {
    case (.ready, .executing), (.ready, .finished), (.executing, .finished): true
    case (.ready, .cancelled), (.executing, .cancelled), (.cancelled, .finished): true
    default: false
    }
  }

  public func keyPaths(changedByMovingTo next: OperationState) -> [String] {
    canMove(to: next) ? [keyPath, next.keyPath] : []
  }

  @discardableResult
  public mutating func move(to next: OperationState) -> Bool {
    guard canMove(to: next) else { return false }
    self = next
    return true
  }
}
