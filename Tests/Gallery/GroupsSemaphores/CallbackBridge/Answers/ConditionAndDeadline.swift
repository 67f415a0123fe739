import Foundation

/// A condition variable and a deadline; checks before it waits, and after each wakeup.
public final class CallbackBridge<Request, Value: Sendable>: Sendable {
  public typealias Reply = @Sendable (_ value: () throws -> Value) -> Void
  public typealias Start = @Sendable (_ request: Request, _ reply: @escaping Reply) -> Void

  private let start: Start

  public init(_ start: @escaping Start) {
    self.start = start
  }

  public func value(for request: Request, within seconds: TimeInterval) throws -> Value {
    let mailbox = Mailbox<Value>()
    start(request) { value in mailbox.put(Result { try value() }) }
    // On Linux a condition traps at a date that is centuries away.
    let deadline = seconds < 1e9 ? Date(timeIntervalSinceNow: seconds) : nil
    return try mailbox.take(before: deadline).get()
  }
}

public enum CallbackBridgeError: Error, Equatable, Sendable {
  case timedOut
}

private final class Mailbox<Value: Sendable>: Sendable {
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var letter: Result<Value, any Error>?

  func put(_ letter: Result<Value, any Error>) {
    condition.withLock {
      if self.letter == nil { self.letter = letter }
      condition.signal()
    }
  }

  func take(before deadline: Date?) -> Result<Value, any Error> {
    condition.withLock {
      while letter == nil {
        guard let deadline else {
          condition.wait()
          continue
        }
        guard condition.wait(until: deadline) else { break }
      }
      return letter ?? .failure(CallbackBridgeError.timedOut)
    }
  }
}
