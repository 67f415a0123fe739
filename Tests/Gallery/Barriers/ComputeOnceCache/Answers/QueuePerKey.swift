import Dispatch
import Synchronization

/// A serial queue for each key, on which its value is computed; a mutex guards the dictionary.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private final class Cell: Sendable {
    let queue = DispatchQueue(label: "katas.answers.cache.key")
    // Safe: touched on `queue` only.
    nonisolated(unsafe) var value: Value?
  }

  private let cells = Mutex<[Key: Cell]>([:])

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    let cell = cells.withLock { cells in
      let cell = cells[key] ?? Cell()
      cells[key] = cell
      return cell
    }
    return try cell.queue.sync {
      if let value = cell.value { return value }
      let value = try compute()
      cell.value = value
      return value
    }
  }
}
