import Foundation

// The names as raw values, and the order of the cases: every move is forward.
public enum OperationState: String, CaseIterable, Comparable, Sendable {
  case ready, executing, finished

  public var keyPath: String { "is\(rawValue.capitalized)" }

  public static func < (first: OperationState, second: OperationState) -> Bool {
    first.place < second.place
  }

  private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  public func canMove(to next: OperationState) -> Bool { self < next }

  public func keyPaths(changedByMovingTo next: OperationState) -> [String] {
    Self.allCases.filter { self < next && ($0 == self || $0 == next) }.map(\.keyPath)
  }

  @discardableResult
  public mutating func move(to next: OperationState) -> Bool {
    defer { self = max(self, next) }
    return self < next
  }
}
