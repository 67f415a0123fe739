import Foundation
import KataTesting

/// Counts the rows that a filter is called for, from any thread.
final class RowCounter: Sendable {
  private struct Tally {
    var counts: [Int]
    var cancelledBy: ObjectIdentifier?
    var tooLate: [ObjectIdentifier: Int] = [:]
  }

  private let tally: LockedValue<Tally>

  init(height: Int) {
    tally = LockedValue(Tally(counts: Array(repeating: 0, count: height)))
  }

  /// Notes that this thread begins `row`; returns how often it has been begun, this time included.
  @discardableResult
  func begin(_ row: Int) -> Int {
    tally.withLock { tally in
      tally.counts[row] += 1
      if tally.cancelledBy != nil {
        tally.tooLate[ObjectIdentifier(Thread.current), default: 0] += 1
      }
      return tally.counts[row]
    }
  }

  /// Notes that the operation has been cancelled, by this thread.
  func noteCancelled() { tally.withLock { $0.cancelledBy = ObjectIdentifier(Thread.current) } }

  /// How often each row has been begun.
  var counts: [Int] { tally.value.counts }
  /// How many rows have been begun.
  var begun: Int { counts.reduce(0, +) }
  /// How many rows have been begun since the operation was cancelled.
  var begunTooLate: Int { tally.value.tooLate.values.reduce(0, +) }

  /// How many of them were begun by a thread that must have seen the cancel.
  ///
  /// Rows may be computed on several threads. The one that cancelled must see it at once; each
  /// other thread may have checked just before, and begins one more row.
  var begunTooLateForSure: Int {
    let (tooLate, cancelledBy) = tally.withLock { ($0.tooLate, $0.cancelledBy) }
    return tooLate.reduce(0) { $0 + ($1.key == cancelledBy ? $1.value : $1.value - 1) }
  }
}
