import Foundation

/// No lock is held during a computation, but one flag says that some key is being computed.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var values: [Key: Value] = [:]
  private nonisolated(unsafe) var isComputing = false  // Safe: as above.
  private let condition = NSCondition()

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    if let value = valueUnlessMyTurn(key) { return value }
    var value: Value?
    defer {
      condition.withLock {
        if let value { values[key] = value }
        isComputing = false
        condition.broadcast()
      }
    }
    let computed = try compute()
    value = computed
    return computed
  }

  private func valueUnlessMyTurn(_ key: Key) -> Value? {
    condition.withLock {
      while true {
        if let value = values[key] { return value }
        if !isComputing { break }
        condition.wait()
      }
      isComputing = true
      return nil
    }
  }
}
