/// Checks and computes in two steps, without mutual exclusion.
public final class Lazily<Value: Sendable>: Sendable {
  // Safe: it isn't.
  private nonisolated(unsafe) var stored: Value?
  private let compute: @Sendable () throws -> Value

  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  public var value: Value {
    get throws {
      if let stored { return stored }
      let value = try compute()
      stored = value
      return value
    }
  }
}
