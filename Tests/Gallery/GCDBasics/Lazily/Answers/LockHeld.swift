import Foundation

/// A lock that is held while the value is computed.
public final class Lazily<Value: Sendable>: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var stored: Value?
  private let lock = NSLock()
  private let compute: @Sendable () throws -> Value

  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  public var value: Value {
    get throws {
      lock.lock()
      defer { lock.unlock() }
      if let stored { return stored }
      let value = try compute()
      stored = value
      return value
    }
  }
}
