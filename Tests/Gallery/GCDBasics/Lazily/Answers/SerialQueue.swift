import Dispatch

/// A serial queue of its own, on which the value is checked for and computed.
public final class Lazily<Value: Sendable>: Sendable {
  // Safe: accessed on `queue` only.
  private nonisolated(unsafe) var stored: Value?
  private let queue = DispatchQueue(label: "katas.gcd-basics.lazily")
  private let compute: @Sendable () throws -> Value

  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  public var value: Value {
    get throws {
      try queue.sync {
        if let stored { return stored }
        let value = try compute()
        stored = value
        return value
      }
    }
  }
}
