import Foundation

/// Counts the rows that a filter is asked for, from any thread.
final class RowCounter: Sendable {
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var rows: [Int]
  private nonisolated(unsafe) var total = 0
  private nonisolated(unsafe) var cancelledBy: ObjectIdentifier?  // Safe: as above.
  private nonisolated(unsafe) var tooLate: [ObjectIdentifier: Int] = [:]
  private nonisolated(unsafe) var canceller: @Sendable () -> Void = {}

  init(height: Int) {
    rows = Array(repeating: 0, count: height)
  }

  /// Notes that `row` is begun on this thread; returns how often it has been, this time included.
  @discardableResult
  func begin(_ row: Int) -> Int {
    let thread = ObjectIdentifier(Thread.current)
    return lock.withLock {
      rows[row] += 1
      total += 1
      if cancelledBy != nil { tooLate[thread, default: 0] += 1 }
      return rows[row]
    }
  }

  /// Notes that the operation has been cancelled, by this thread.
  func noteCancelled() {
    let thread = ObjectIdentifier(Thread.current)
    lock.withLock { cancelledBy = thread }
  }

  /// What cancels the operation; set before it runs.
  var cancel: @Sendable () -> Void {
    get { lock.withLock { canceller } }
    set { lock.withLock { canceller = newValue } }
  }

  /// How often each row has been begun.
  var counts: [Int] { lock.withLock { rows } }

  /// How many rows have been begun.
  var begun: Int { lock.withLock { total } }

  /// How many rows have been begun since the operation was cancelled.
  var begunTooLate: Int { lock.withLock { tooLate.values.reduce(0, +) } }

  /// How many of them were begun by a thread that must have known.
  ///
  /// Rows may be computed on several threads: the one that cancelled knows, and each other may have
  /// looked for its next row just before.
  var begunTooLateForSure: Int {
    lock.withLock {
      tooLate.reduce(0) { $0 + ($1.key == cancelledBy ? $1.value : $1.value - 1) }
    }
  }
}
