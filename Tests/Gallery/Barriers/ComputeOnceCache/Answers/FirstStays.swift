import Foundation

/// Every caller computes, and the first value stays.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var values: [Key: Value] = [:]
  private let lock = NSLock()

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    if let value = lock.withLock({ values[key] }) { return value }
    let value = try compute()
    return lock.withLock {
      if let first = values[key] { return first }
      values[key] = value
      return value
    }
  }
}
