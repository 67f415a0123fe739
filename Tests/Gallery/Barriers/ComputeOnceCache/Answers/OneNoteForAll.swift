import Foundation

private let commonCondition = NSCondition()
// Safe: guarded by the condition.
private nonisolated(unsafe) var commonComputing: Set<AnyHashable> = []

/// Each cache has values of its own, but all share one set of keys that are being computed.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var values: [Key: Value] = [:]
  private let condition = commonCondition

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    condition.lock()
    while commonComputing.contains(key) { condition.wait() }
    if let value = values[key] {
      condition.unlock()
      return value
    }
    commonComputing.insert(key)
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
    if let value { values[key] = value }
    commonComputing.remove(key)
    condition.broadcast()
    condition.unlock()
  }
}
