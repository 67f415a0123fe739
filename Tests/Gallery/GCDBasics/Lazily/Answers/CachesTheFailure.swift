import Foundation

/// Stores the result of the first attempt, even an error.
public final class Lazily<Value: Sendable>: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var stored: Result<Value, any Error>?
  private let lock = NSLock()
  private let compute: @Sendable () throws -> Value

  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  public var value: Value {
    get throws {
      try lock.withLock {
        if let stored { return try stored.get() }
        let result = Result { try compute() }
        stored = result
        return try result.get()
      }
    }
  }
}
