// Page: make page KATA=BarrierScope (Docs/ConcurrencyKatas.docc/BarrierScope.md)

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
/// Your turn. What you know from `PhotoStore` goes half of the way: reads with `sync`, changes as
/// barriers. But on which queue? A global queue ignores barriers, and on somebody else's queue a barrier
/// stops whoever is there. Look at what the initialiser of `DispatchQueue` takes besides a label. Begin
/// with `update`.
public final class ScopedStore<Value: Sendable>: Sendable {
  // Safe: not yet! Nothing protects `stored` so far; that's what this kata is about.
  private nonisolated(unsafe) var stored: Value
  private let queue: DispatchQueue

  /// Creates a store with `value` in it.
  ///
  /// - Parameters:
  ///   - value: The value to begin with.
  ///   - queue: The queue that changes run on: global, concurrent or serial, and used by others as
  ///     they like.
  public init(_ value: Value, on queue: DispatchQueue) {
    stored = value
    self.queue = queue
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
    // TODO: Side by side with other reads, but not with a change.
    try body(stored)
  }

  /// Changes the value in one step.
  ///
  /// Returns at once.
  ///
  /// `change` runs on the queue that was handed in, when the changes before it are done, and alone:
  /// no read and no other change of this store runs beside it.
  public func update(_ change: @escaping @Sendable (inout Value) -> Void) {
    // TODO: See to it that `change` runs on `queue`, alone.
  }
}
