import Foundation

/// Every caller that finds nothing computes, and the first value that is stored stays.
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
