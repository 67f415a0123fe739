import Foundation

/// Checks and stores under a lock, but computes between the two.
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
      lock.withLock { stored = value }
      return value
    }
  }
}
