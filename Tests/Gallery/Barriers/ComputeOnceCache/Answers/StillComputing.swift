import Foundation

/// Leaves the key marked as being computed when the computation throws.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var values: [Key: Value] = [:]
  private nonisolated(unsafe) var computing: Set<Key> = []  // Safe: as above.
  private let condition = NSCondition()

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    condition.lock()
    while computing.contains(key) { condition.wait() }
    if let value = values[key] {
      condition.unlock()
      return value
    }
    computing.insert(key)
    condition.unlock()

    let result = try compute()
    finish(key, result)
    return result
  }

  private func finish(_ key: Key, _ value: Value) {
    condition.lock()
    values[key] = value
    computing.remove(key)
    condition.broadcast()
    condition.unlock()
  }
}
