import Dispatch
import Foundation

/// The semaphore and the result belong to the bridge, and all calls share them.
public final class CallbackBridge<Request, Value: Sendable>: Sendable {
  public typealias Reply = @Sendable (_ value: () throws -> Value) -> Void
  public typealias Start = @Sendable (_ request: Request, _ reply: @escaping Reply) -> Void

  private let start: Start
  private let isThere = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var result: Result<Value, any Error>?

  public init(_ start: @escaping Start) {
    self.start = start
  }

  public func value(for request: Request, within seconds: TimeInterval) throws -> Value {
    lock.withLock { result = nil }
    start(request) { [self] value in
      let newResult = Result { try value() }
      let isFirst = lock.withLock {
        guard result == nil else { return false }
        result = newResult
        return true
      }
      if isFirst { isThere.signal() }
    }
    _ = isThere.wait(timeout: .now() + seconds)
    guard let result = lock.withLock({ result }) else { throw CallbackBridgeError.timedOut }
    return try result.get()
  }
}

public enum CallbackBridgeError: Error, Equatable, Sendable {
  case timedOut
}
