import Foundation

/// A cell that no caller uses is dropped, but a caller counts only after it has found its cell.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private final class Cell: Sendable {
    let lock = NSLock()
    // Safe: guarded by `lock`.
    nonisolated(unsafe) var value: Value?
    // Safe: guarded by the cache's lock.
    nonisolated(unsafe) var callers = 0
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var cells: [Key: Cell] = [:]
  private let lock = NSLock()

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    let cell = cell(for: key)
    lock.withLock { cell.callers += 1 }
    cell.lock.lock()
    defer {
      leave(cell, of: key)
      cell.lock.unlock()
    }
    if let value = cell.value { return value }
    let value = try compute()
    cell.value = value
    return value
  }

  private func cell(for key: Key) -> Cell {
    lock.withLock {
      let cell = cells[key] ?? Cell()
      cells[key] = cell
      return cell
    }
  }

  /// Drops a cell without a value when its last caller leaves; called with the cell's lock held.
  private func leave(_ cell: Cell, of key: Key) {
    lock.withLock {
      cell.callers -= 1
      if cell.callers == 0, cell.value == nil { cells[key] = nil }
    }
  }
}
