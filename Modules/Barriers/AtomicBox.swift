import Dispatch

/// A value that any thread may change in one step, however long that step takes.
///
/// A property with a thread-safe getter and a thread-safe setter isn't a thread-safe variable:
/// `box.value += 1` would get, add and set, and two threads that do so at once lose one of the
/// additions. So this box has no setter. It is changed by giving it the whole change.
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
/// - `update` calls its body once, with the value to change, and returns what the body returns.
/// - No two bodies run at the same time, and none begins with an outdated value.
/// - Nobody sees a value that is half changed.
/// - Where the body throws, the error gets through, and the value is as it was before.
/// - One box never waits for another, so a body may use other boxes.
/// - Its own box it must not use: it would wait for itself.
///
/// Safe to use from every thread. An update works on a copy; for an array or a dictionary the first
/// change within an update therefore copies its storage.
///
/// Source: *read–modify–write*, as the atomic instructions of processors are called; Dispatch's
/// barriers.
public final class AtomicBox<Value: Sendable>: Sendable {
  // Safe: touched on `queue` only, and changed there only behind a barrier.
  private nonisolated(unsafe) var stored: Value
  private let queue = DispatchQueue(label: "katas.barriers.atomic-box", attributes: .concurrent)

  /// Creates a box with `value` in it.
  public init(_ value: Value) {
    stored = value
  }

  /// The value, as the last update has left it.
  ///
  /// Blocks while an update is under way.
  public var value: Value { queue.sync { stored } }

  /// Changes the value in one step and returns what `body` returns.
  ///
  /// `body` is called once, with the value to change. No other update's body runs meanwhile, and
  /// nobody sees the value between its old and its new state. Blocks until the updates before it are
  /// done.
  ///
  /// Rethrows what `body` throws; then the value is as it was before.
  @discardableResult
  public func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try queue.sync(flags: .barrier) {
      // On a copy, so that a body that throws half way leaves nothing behind.
      var changed = stored
      let result = try body(&changed)
      stored = changed
      return result
    }
  }
}
