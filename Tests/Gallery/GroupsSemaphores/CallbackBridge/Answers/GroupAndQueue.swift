import Dispatch
import Foundation

/// A group that is left once, and a serial queue for the result.
public final class CallbackBridge<Request, Value: Sendable>: Sendable {
  public typealias Reply = @Sendable (_ value: () throws -> Value) -> Void
  public typealias Start = @Sendable (_ request: Request, _ reply: @escaping Reply) -> Void

  private let start: Start

  public init(_ start: @escaping Start) {
    self.start = start
  }

  public func value(for request: Request, within seconds: TimeInterval) throws -> Value {
    let outcome = Outcome<Value>()
    start(request) { value in
      outcome.keep(Result { try value() })
    }
    // Dispatch traps if a group is destroyed before it was left.
    if outcome.pending.wait(timeout: .now() + seconds) == .timedOut {
      outcome.keep(.failure(CallbackBridgeError.timedOut))
    }
    guard let result = outcome.kept else { throw CallbackBridgeError.timedOut }
    return try result.get()
  }
}

public enum CallbackBridgeError: Error, Equatable, Sendable {
  case timedOut
}

private final class Outcome<Value: Sendable>: Sendable {
  let pending = DispatchGroup()
  private let queue = DispatchQueue(label: "katas.answers.callback-bridge")
  // Safe: touched on `queue` only.
  private nonisolated(unsafe) var result: Result<Value, any Error>?

  init() {
    pending.enter()
  }

  var kept: Result<Value, any Error>? { queue.sync { result } }

  func keep(_ newResult: Result<Value, any Error>) {
    queue.sync {
      guard result == nil else { return }
      result = newResult
      pending.leave()
    }
  }
}
