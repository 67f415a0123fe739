import Foundation

private let lock = NSRecursiveLock()

/// One lock for all values.
public final class Lazily<Value: Sendable>: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var stored: Value?
  private let compute: @Sendable () throws -> Value

  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  public var value: Value {
    get throws {
      try lock.withLock {
        if let stored { return stored }
        let value = try compute()
        stored = value
        return value
      }
    }
  }
}
