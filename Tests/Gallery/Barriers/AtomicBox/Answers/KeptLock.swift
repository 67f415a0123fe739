import Foundation

/// A lock that isn't unlocked on every path out of the function.
public final class AtomicBox<Value: Sendable>: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var stored: Value
  private let lock = NSLock()

  public init(_ value: Value) {
    stored = value
  }

  public var value: Value {
    lock.lock()
    defer { lock.unlock() }
    return stored
  }

  @discardableResult
  public func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    var changed = stored
    let result = try body(&changed)
    stored = changed
    lock.unlock()
    return result
  }
}
