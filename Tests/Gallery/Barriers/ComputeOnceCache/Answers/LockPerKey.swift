import Dispatch
import Foundation

/// A lock for each key, held while its value is computed; the cells are found behind a barrier.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private final class Cell: Sendable {
    let lock = NSLock()
    // Safe: guarded by `lock`.
    nonisolated(unsafe) var value: Value?
  }

  // Safe: read on `queue`, and changed there behind a barrier only.
  private nonisolated(unsafe) var cells: [Key: Cell] = [:]
  private let queue = DispatchQueue(label: "katas.answers.cache", attributes: .concurrent)

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    let cell = cell(for: key)
    cell.lock.lock()
    defer { cell.lock.unlock() }
    if let value = cell.value { return value }
    let value = try compute()
    cell.value = value
    return value
  }

  private func cell(for key: Key) -> Cell {
    if let cell = queue.sync(execute: { cells[key] }) { return cell }
    return queue.sync(flags: .barrier) {
      if let cell = cells[key] { return cell }
      let cell = Cell()
      cells[key] = cell
      return cell
    }
  }
}
