import Dispatch
import Foundation

/// Computes on a global queue, and waits for it.
public final class Lazily<Value: Sendable>: Sendable {
  private final class Outcome: Sendable {
    // Safe: set before `isThere` is signalled, read afterwards.
    nonisolated(unsafe) var result: Result<Value, any Error>?
    let isThere = DispatchSemaphore(value: 0)
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var stored: Value?
  private let lock = NSLock()
  private let compute: @Sendable () throws -> Value

  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  public var value: Value {
    get throws {
      try lock.withLock {
        if let stored { return stored }
        let outcome = Outcome()
        DispatchQueue.global().async { [compute] in
          outcome.result = Result { try compute() }
          outcome.isThere.signal()
        }
        outcome.isThere.wait()
        stored = try outcome.result?.get()
        guard let stored else { preconditionFailure("Signalled without a result.") }
        return stored
      }
    }
  }
}
