import Dispatch

/// A value that any thread may change in one step, however long that step takes.
///
/// A property with a thread-safe getter and a thread-safe setter isn't a thread-safe variable:
/// `box.value += 1` would get, add and set, and two threads that do so at once can lose one of the
/// additions. So this box has no setter. A caller passes the whole change, as a closure.
///
/// ```swift
/// let scores = AtomicBox(["Ada": 0])
/// scores.update { $0["Ada", default: 0] += 1 }
/// let place = scores.update { scores in
///   scores["Bob"] = 3
///   return scores.count
/// }
/// ```
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
/// Safe to use from every thread. An update works on a copy; for an array or a dictionary the first
/// change within an update therefore copies its storage.
///
/// Source: *read–modify–write*, the term for a processor's atomic instructions of this kind;
/// Dispatch's barriers.
public final class AtomicBox<Value: Sendable>: Sendable {
  // Safe: touched on `queue` only, and changed there only behind a barrier.
  private nonisolated(unsafe) var stored: Value
  private let queue = DispatchQueue(label: "katas.barriers.atomic-box", attributes: .concurrent)

  /// Creates a box with `value` in it.
  public init(_ value: Value) {
    stored = value
  }

  /// The value.
  ///
  /// While an update is running, `value` may block or return the value from before it. This one
  /// blocks.
  public var value: Value { queue.sync { stored } }

  /// Changes the value in one step and returns what `body` returns.
  ///
  /// - `body` is called once, with the value to change.
  /// - When `body` has returned, the box keeps the changed value, and `update` returns what `body`
  ///   returned.
  /// - If `body` throws, the error is rethrown, the box keeps the value with which `body` began,
  ///   and the update blocks no later call.
  @discardableResult
  public func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try queue.sync(flags: .barrier) {
      // On a copy, so that a body that throws halfway leaves the value as it was.
      var changed = stored
      let result = try body(&changed)
      stored = changed
      return result
    }
  }
}
