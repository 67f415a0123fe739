import Foundation

/// Replaces the dictionary instead of changing it, so that a first check needs no lock.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  // Safe: it isn't; nothing orders the first check and the replacement.
  private nonisolated(unsafe) var values: [Key: Value] = [:]
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var computing: Set<Key> = []
  private let condition = NSCondition()

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    if let value = values[key] { return value }
    condition.lock()
    while computing.contains(key) { condition.wait() }
    if let value = values[key] {
      condition.unlock()
      return value
    }
    computing.insert(key)
    condition.unlock()

    let result: Value
    do {
      result = try compute()
    } catch {
      finish(key, nil)
      throw error
    }
    finish(key, result)
    return result
  }

  private func finish(_ key: Key, _ value: Value?) {
    condition.lock()
    if let value {
      var copy = values
      copy[key] = value
      values = copy
    }
    computing.remove(key)
    condition.broadcast()
    condition.unlock()
  }
}
