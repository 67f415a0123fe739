// Page: make page KATA=AtomicBox (Docs/ConcurrencyKatas.docc/AtomicBox.md)

import Dispatch

/// A value that any thread may change in one step, however long that step takes.
///
/// - `update` calls its body once, with the value to change, and returns what the body returns.
/// - No two bodies run at the same time, and none begins with an outdated value.
/// - Nobody sees a value that is half changed.
/// - Where the body throws, the error gets through, and the value is as it was before.
/// - One box never waits for another, so a body may use other boxes.
/// - Its own box it must not use: it would wait for itself.
///
/// Your turn. `update` so far changes a copy and forgets it. Let it keep the copy, when the body has
/// returned; then see to it that nobody comes between the first line and the last. A queue of the box's
/// own can do that.
public final class AtomicBox<Value: Sendable>: Sendable {
  // Safe: not yet! Nothing protects `stored` so far; that's what this kata is about.
  private nonisolated(unsafe) var stored: Value

  /// Creates a box with `value` in it.
  public init(_ value: Value) {
    stored = value
  }

  /// The value, as the last update has left it.
  public var value: Value {
    // TODO: Others may be changing it.
    stored
  }

  /// Changes the value in one step and returns what `body` returns.
  ///
  /// `body` is called once, with the value to change. No other update's body runs meanwhile, and
  /// nobody sees the value between its old and its new state. Blocks until the updates before it are
  /// done.
  ///
  /// Rethrows what `body` throws; then the value is as it was before.
  @discardableResult
  public func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    // TODO: In one step, and keep what the body has made of the value.
    var changed = stored
    let result = try body(&changed)
    return result
  }
}
