import Foundation

/// Keeps the result of an attempt, even if it's an error.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private final class Cell: Sendable {
    let lock = NSLock()
    // Safe: guarded by `lock`.
    nonisolated(unsafe) var result: Result<Value, any Error>?
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var cells: [Key: Cell] = [:]
  private let lock = NSLock()

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) throws -> Value {
    let cell = lock.withLock {
      let cell = cells[key] ?? Cell()
      cells[key] = cell
      return cell
    }
    return try cell.lock.withLock {
      let result = cell.result ?? Result { try compute() }
      cell.result = result
      return try result.get()
    }
  }
}
