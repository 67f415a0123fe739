import Foundation

/// Sixteen locks; a key's hash value selects its lock.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private final class Stripe: Sendable {
    let lock = NSRecursiveLock()
    // Safe: guarded by `lock`.
    nonisolated(unsafe) var values: [Key: Value] = [:]
  }

  private let stripes = (0..<16).map { _ in Stripe() }

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    let stripe = stripes[abs(key.hashValue % stripes.count)]
    return try stripe.lock.withLock {
      if let value = stripe.values[key] { return value }
      let value = try compute()
      stripe.values[key] = value
      return value
    }
  }
}
