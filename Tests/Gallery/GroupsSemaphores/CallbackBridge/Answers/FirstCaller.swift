import Dispatch
import Foundation

/// The first callback wins before its value is made; later ones have no effect.
public final class CallbackBridge<Request, Value: Sendable>: Sendable {
  public typealias Reply = @Sendable (_ value: () throws -> Value) -> Void
  public typealias Start = @Sendable (_ request: Request, _ reply: @escaping Reply) -> Void

  private let start: Start

  public init(_ start: @escaping Start) {
    self.start = start
  }

  public func value(for request: Request, within seconds: TimeInterval) throws -> Value {
    precondition(seconds >= 0, "nobody can wait for \(seconds) seconds")
    let floor = Floor<Value>()
    start(request) { value in
      guard floor.isTaken() else { return }
      floor.close(with: Result { try value() })
    }
    return try floor.outcome(within: seconds).get()
  }
}

public enum CallbackBridgeError: Error, Equatable, Sendable {
  case timedOut
}

private final class Floor<Value: Sendable>: Sendable {
  private let lock = NSLock()
  private let closed = DispatchSemaphore(value: 0)
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var hasSpeaker = false
  private nonisolated(unsafe) var result: Result<Value, any Error>?  // Safe: as above.

  /// Claims the result, unless it has been claimed before; returns whether it did.
  func isTaken() -> Bool {
    lock.withLock {
      defer { hasSpeaker = true }
      return !hasSpeaker
    }
  }

  func close(with newResult: Result<Value, any Error>) {
    lock.withLock { result = result ?? newResult }
    closed.signal()
  }

  func outcome(within seconds: TimeInterval) -> Result<Value, any Error> {
    _ = closed.wait(timeout: .now() + seconds)
    return lock.withLock {
      hasSpeaker = true
      let outcome = result ?? .failure(CallbackBridgeError.timedOut)
      result = outcome
      return outcome
    }
  }
}
