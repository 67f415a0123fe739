// Page: make page KATA=AtomicBox (Docs/ConcurrencyKatas.docc/AtomicBox.md)

import Dispatch

/// A value that any thread may change in one step, however long that step takes.
///
/// Neither the body of an update nor the `deinit` of a replaced value may use that box: it would
/// wait for itself, which is a deadlock.
///
/// - Any number of threads may use a box at the same time, without a data race.
/// - No two bodies of one box run at the same time: `update` blocks while the body of another
///   update of the same box runs.
/// - Each body begins with the value that the update before it left.
/// - `value` returns what the last finished update left, never a value that is half changed.
/// - Boxes are independent: an update of one box blocks no caller of another, so a body may use
///   other boxes, unless updates would wait for each other in a circle.
/// - Between updates a box retains nothing but its value: a value that was replaced is released.
///
/// Your turn. So far `update` changes a copy and forgets it. First store the copy once the body has
/// returned. Then make the whole update one critical section, so that no other update runs between
/// its first line and its last: give the box a private concurrent `DispatchQueue`, and run each
/// update in `sync` with the flag `.barrier`. `sync` returns what its block returns and rethrows
/// what it throws. Let `value` go through the same queue.
public final class AtomicBox<Value: Sendable>: Sendable {
  // Safe: not yet! Nothing protects `stored` so far; that's what this kata is about.
  private nonisolated(unsafe) var stored: Value

  /// Creates a box with `value` in it.
  public init(_ value: Value) {
    stored = value
  }

  /// The value.
  ///
  /// While an update is running, `value` may block or return the value from before it.
  public var value: Value {
    // TODO: Another thread may be changing it.
    stored
  }

  /// Changes the value in one step and returns what `body` returns.
  ///
  /// - `body` is called once, with the value to change.
  /// - When `body` has returned, the box keeps the changed value, and `update` returns what `body`
  ///   returned.
  /// - If `body` throws, the error is rethrown, the box keeps the value with which `body` began,
  ///   and the update blocks no later call.
  @discardableResult
  public func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    // TODO: Do this in one step, and store the changed value.
    var changed = stored
    let result = try body(&changed)
    return result
  }
}
