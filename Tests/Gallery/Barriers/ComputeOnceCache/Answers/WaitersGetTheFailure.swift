import Foundation

/// All callers that wait for an attempt share its result, even a failure.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private final class Attempt: Sendable {
    // Safe: guarded by the condition.
    nonisolated(unsafe) var outcome: Result<Value, any Error>?
  }

  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var attempts: [Key: Attempt] = [:]
  private let condition = NSCondition()

  public init() {}

  public func value(for key: Key, compute: () throws -> Value) throws -> Value {
    let (attempt, isMine) = join(key)
    let outcome = isMine ? Result { try compute() } : nil
    return try condition.withLock {
      if let outcome {
        attempt.outcome = outcome
        if case .failure = outcome { attempts[key] = nil }
        condition.broadcast()
      }
      while true {
        if let outcome = attempt.outcome { return outcome }
        condition.wait()
      }
    }.get()
  }

  private func join(_ key: Key) -> (Attempt, isMine: Bool) {
    condition.withLock {
      if let attempt = attempts[key] { return (attempt, false) }
      let attempt = Attempt()
      attempts[key] = attempt
      return (attempt, true)
    }
  }
}
