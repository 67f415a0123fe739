import Foundation

/// One lock is held during an update; another only while its result is stored.
///
/// So a read never waits for a slow update.
public final class AtomicBox<Value: Sendable>: Sendable {
  // Safe: guarded by `place`.
  private nonisolated(unsafe) var stored: Value
  private let turn = NSLock()
  private let place = NSLock()

  public init(_ value: Value) {
    stored = value
  }

  public var value: Value {
    place.lock()
    defer { place.unlock() }
    return stored
  }

  @discardableResult
  public func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    turn.lock()
    defer { turn.unlock() }
    var changed = value
    let result = try body(&changed)
    place.lock()
    defer { place.unlock() }
    stored = changed
    return result
  }
}
