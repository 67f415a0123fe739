import Foundation

/// As many compute as come, and the value of the first stays.
public final class Lazily<Value: Sendable>: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var stored: Value?
  private let lock = NSLock()
  private let compute: @Sendable () throws -> Value

  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  public var value: Value {
    get throws {
      if let value = lock.withLock({ stored }) { return value }
      let value = try compute()
      return lock.withLock {
        if let stored { return stored }
        stored = value
        return value
      }
    }
  }
}
