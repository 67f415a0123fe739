import Dispatch

/// A value with many readers and one writer at a time, whose changes run on a queue that isn't the
/// store's.
///
/// The queue is handed in. It may be a global, a concurrent or a serial one, and other code may
/// submit blocks to it at any time.
///
/// - Any number of threads may use a store at the same time, without a data race.
/// - A change runs alone: no read and no other change of this store runs beside it, whether the
///   queue is global, concurrent or serial.
/// - If neither the queue nor a target of it is serial, and no barrier of others is on it, reads
///   run side by side.
/// - If neither the queue nor a target of it is serial, a change and the blocks of others on it
///   don't wait for each other; barriers of others are the exception.
/// - However many changes wait, threads are left for the blocks of others.
/// - If neither the queue nor a target of it is serial, and no barrier of others is on it, a block
///   of others may use the store like any caller.
/// - Changes are made in the order in which `update` was called.
/// - A read blocks until the changes before it are made, and sees all those that its caller asked
///   for.
/// - A read doesn't wait for changes whose `update` is called later; they wait for the read.
/// - A change is made even if the store is released while the change waits.
///
/// ```swift
/// let drafts = ScopedStore([Draft](), on: .global(qos: .utility))
/// drafts.update { $0.append(draft) }
/// drafts.read { $0.count }  // includes the new one
/// ```
///
/// A barrier on the queue that was handed in has the wrong scope. On a global queue it's no barrier
/// at all, since Dispatch ignores the flag there. On a concurrent queue it stops all other blocks of
/// that queue, and waits for them. So the store's barriers stay on a queue of its own, whose
/// *target* is the one that was handed in.
///
/// Safe to use from every thread.
///
/// - Warning: ``read(_:)`` and ``value`` block until the changes before them are made. Called in a
///   change, in a read while a change waits, or on the queue if it's serial or has a serial target,
///   they wait for themselves: a deadlock.
///
/// Source: `dispatch_barrier_async` and `setTarget(queue:)` in Apple's documentation of Dispatch.
public final class ScopedStore<Value: Sendable>: Sendable {
  // Safe: touched on `scope` only, and changed there only behind a barrier.
  private nonisolated(unsafe) var stored: Value
  /// The scope of the store's barriers: they keep out blocks of this queue, and no others.
  private let scope: DispatchQueue

  /// Creates a store with `value` in it.
  ///
  /// - Parameters:
  ///   - value: The value to begin with.
  ///   - queue: The queue that changes run on.
  public init(_ value: Value, on queue: DispatchQueue) {
    stored = value
    scope = DispatchQueue(
      label: "katas.barriers.scoped-store", attributes: .concurrent, target: queue)
  }

  /// The value; a read like any other.
  public var value: Value { read { $0 } }

  /// Calls `body` with the value and returns its result.
  ///
  /// - `body` runs on the calling thread. If the queue is the main queue, or targets it, `body` may
  ///   run on the main thread instead.
  /// - If `body` throws, the error is rethrown, and the read ends as if `body` had returned.
  public func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
    try scope.sync { try body(stored) }
  }

  /// Changes the value in one step.
  ///
  /// - `update` returns without waiting, neither for its change nor for what runs before it.
  /// - `change` runs on the queue that was handed in.
  public func update(_ change: @escaping @Sendable (inout Value) -> Void) {
    scope.async(flags: .barrier) { [self] in change(&stored) }
  }
}
