import Foundation

/// All callers that wait for an attempt share its outcome, even a failure.
public final class Lazily<Value: Sendable>: Sendable {
  private final class Attempt: Sendable {
    // Safe: guarded by the condition.
    nonisolated(unsafe) var outcome: Result<Value, any Error>?
  }

  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var attempt: Attempt?
  private let condition = NSCondition()
  private let compute: @Sendable () throws -> Value

  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  public var value: Value {
    get throws {
      let (attempt, isMine) = join()
      let outcome = isMine ? Result { try compute() } : nil
      return try condition.withLock {
        if let outcome {
          attempt.outcome = outcome
          if case .failure = outcome { self.attempt = nil }
          condition.broadcast()
        }
        while true {
          if let outcome = attempt.outcome { return outcome }
          condition.wait()
        }
      }.get()
    }
  }

  private func join() -> (Attempt, isMine: Bool) {
    condition.withLock {
      if let attempt { return (attempt, false) }
      let attempt = Attempt()
      self.attempt = attempt
      return (attempt, true)
    }
  }
}
