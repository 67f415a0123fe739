import Dispatch

/// Checks, computes and stores behind one barrier; values that are there are read side by side.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  // Safe: read on `queue`, and changed there behind a barrier only.
  private nonisolated(unsafe) var values: [Key: Value] = [:]
  private let queue = DispatchQueue(label: "katas.barriers.cache", attributes: .concurrent)

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    if let value = queue.sync(execute: { values[key] }) { return value }
    return try queue.sync(flags: .barrier) {
      if let value = values[key] { return value }
      let value = try compute()
      values[key] = value
      return value
    }
  }
}
