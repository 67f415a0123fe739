import Dispatch

/// A value that many read at once and one at a time changes, on a queue that belongs to somebody else.
///
/// - A change runs alone: no read and no other change of this store beside it. So it is on a global
///   queue, on a concurrent queue and on a serial one.
/// - Reads run side by side, unless the queue is serial.
/// - Others use the queue too. No change waits for them, and they don't wait for a change, unless the
///   queue is serial. However many changes wait for their turn, there are threads left for others.
/// - Changes run on the queue that was handed in. `update` returns at once, and a read that the same
///   caller asks for later sees the change.
/// - Changes are made in the order of asking, even if nobody keeps the store.
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
  ///   - queue: The queue that changes run on: global, concurrent or serial, and used by others as
  ///     they like.
  public init(_ value: Value, on queue: DispatchQueue) {
    stored = value
    scope = DispatchQueue(
      label: "katas.barriers.scoped-store", attributes: .concurrent, target: queue)
  }

  /// The value.
  ///
  /// Blocks until the changes before it are done.
  public var value: Value { read { $0 } }

  /// Calls `body` with the value and returns its result.
  ///
  /// `body` runs on the calling thread and never beside a change; unless the queue is serial, it runs
  /// side by side with other reads. Blocks until the changes before it are done; changes that are asked
  /// for later wait for the read. Rethrows what `body` throws; the read is over then, as when it returns.
  public func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
    try scope.sync { try body(stored) }
  }

  /// Changes the value in one step.
  ///
  /// Returns at once.
  ///
  /// `change` runs on the queue that was handed in, when the changes before it are done, and alone:
  /// no read and no other change of this store runs beside it.
  public func update(_ change: @escaping @Sendable (inout Value) -> Void) {
    scope.async(flags: .barrier) { [self] in change(&stored) }
  }
}
