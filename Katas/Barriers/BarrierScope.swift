// Page: make page KATA=BarrierScope (Docs/ConcurrencyKatas.docc/BarrierScope.md)

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
/// Your turn. `PhotoStore` gets you halfway: reads with `sync`, changes with `async` and the flag
/// `.barrier`. But on which queue? A global queue ignores barriers, and on a concurrent queue that
/// other code uses, a barrier stops that code's blocks, too. The store needs a private concurrent
/// queue for its barriers, and its changes must still run on the queue that was handed in. A queue
/// can have a *target queue*: look at the parameters of `DispatchQueue`'s initialiser. Create it in
/// `init`; `read` and `update` submit to it.
///
/// - Warning: `read(_:)` and `value` block until the changes before them are made. Called in a
///   change, in a read while a change waits, or on the queue if it's serial or has a serial target,
///   they wait for themselves: a deadlock.
public final class ScopedStore<Value: Sendable>: Sendable {
  // Safe: not yet! Nothing protects `stored` so far; that's what this kata is about.
  private nonisolated(unsafe) var stored: Value
  private let queue: DispatchQueue

  /// Creates a store with `value` in it.
  ///
  /// - Parameters:
  ///   - value: The value to begin with.
  ///   - queue: The queue that changes run on.
  public init(_ value: Value, on queue: DispatchQueue) {
    stored = value
    self.queue = queue
  }

  /// The value; a read like any other.
  public var value: Value { read { $0 } }

  /// Calls `body` with the value and returns its result.
  ///
  /// - `body` runs on the calling thread. If the queue is the main queue, or targets it, `body` may
  ///   run on the main thread instead.
  /// - If `body` throws, the error is rethrown, and the read ends as if `body` had returned.
  public func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
    // TODO: This may overlap with other reads, but not with a change.
    try body(stored)
  }

  /// Changes the value in one step.
  ///
  /// - `update` returns without waiting, neither for its change nor for what runs before it.
  /// - `change` runs on the queue that was handed in.
  public func update(_ change: @escaping @Sendable (inout Value) -> Void) {
    // TODO: Submit `change` so that it runs alone, on `queue`.
  }
}
