import Dispatch
import Foundation

/// Looks for the value and for a running attempt, each under the lock, but not at once.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var values: [Key: Value] = [:]
  private nonisolated(unsafe) var attempts: [Key: DispatchGroup] = [:]  // Safe: as above.
  private let lock = NSLock()

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    while true {
      if let value = lock.withLock({ values[key] }) { return value }
      let (attempt, isMine) = attempt(for: key)
      guard isMine else {
        attempt.wait()
        continue
      }
      var result: Value?
      defer { end(attempt, for: key, with: result) }
      let value = try compute()
      result = value
      return value
    }
  }

  /// The running attempt, or a new one.
  private func attempt(for key: Key) -> (DispatchGroup, isMine: Bool) {
    lock.withLock {
      if let running = attempts[key] { return (running, false) }
      let attempt = DispatchGroup()
      attempt.enter()
      attempts[key] = attempt
      return (attempt, true)
    }
  }

  private func end(_ attempt: DispatchGroup, for key: Key, with value: Value?) {
    lock.withLock {
      attempts[key] = nil
      if let value { values[key] = value }
    }
    attempt.leave()
  }
}
