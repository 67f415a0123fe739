import Dispatch

/// A value that many threads read at once and one thread at a time changes, on a queue that isn't
/// the store's.
///
/// The queue is handed in. It may be a global, a concurrent or a serial one, and others submit
/// their own blocks to it as they like.
///
/// - Any number of threads may use a store at the same time, without a data race.
/// - A change runs alone: no read and no other change of this store runs beside it, whether the
///   queue is global, concurrent or serial.
/// - Reads run side by side, unless the queue is serial.
/// - A change and the blocks of others on the queue don't wait for each other, unless the queue is
///   serial or such a block is a barrier.
/// - However many changes wait for their turn, there are threads left for the blocks of others.
/// - A block that runs on the queue may read and change the store like any caller, unless the queue
///   is serial.
/// - Changes are made in the order in which `update` was called.
/// - A read blocks until the changes before it are made, and sees all those that its caller asked
///   for.
/// - A read doesn't wait for changes that are asked for later; they wait for the read.
/// - A change is made even if the store is released before.
///
/// ```swift
/// let drafts = ScopedStore([Draft](), on: .global(qos: .utility))
/// drafts.update { $0.append(draft) }
/// drafts.read { $0.count }  // the new one is among them
/// ```
///
/// A barrier on a queue that was handed in isn't the store's. On a global queue it's no barrier at all,
/// since the system ignores the flag there. On a private concurrent queue it stops everybody who uses
/// that queue, and waits for them. So the store's barriers stay on a queue of its own, whose *target*
/// is the one that was handed in.
///
/// Safe to use from every thread.
///
/// - Warning: ``read(_:)`` and ``value`` block until the changes before them are done. Called from
///   within a change, or on a serial queue that was handed in, they wait for themselves, which is a
///   deadlock.
///
/// Source: `dispatch_barrier_async` and `setTarget(queue:)` in Apple's documentation of Dispatch.
public final class ScopedStore<Value: Sendable>: Sendable {
  // Safe: touched on `scope` only, and changed there only behind a barrier.
  private nonisolated(unsafe) var stored: Value
  /// What a barrier of the store keeps out: all that goes through this queue, and nothing else.
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
  /// - `body` runs on the calling thread.
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
