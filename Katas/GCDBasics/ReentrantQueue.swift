// Page: make page KATA=ReentrantQueue (Docs/ConcurrencyKatas.docc/ReentrantQueue.md)

import Dispatch

/// A serial queue whose `sync` may be called by code that already runs on the queue.
///
/// On a plain `DispatchQueue` such a call waits for itself, which is a deadlock.
///
/// - All that runs on the queue runs one at a time, whether it was given to `sync` or submitted to
///   `queue`.
/// - Any number of threads may use a `ReentrantQueue` at the same time, without a data race.
/// - Bodies of two `ReentrantQueue`s can run at the same time, unless one of them targets the other
///   or both have a common serial target.
/// - When a `ReentrantQueue` is released and nothing else retains its queue, both are deallocated.
/// - If `queue` outlives its `ReentrantQueue`, a `ReentrantQueue` that is created later doesn't
///   take that queue for its own.
///
/// Your turn. Begin with `isCurrent`, which needs a mark on the queue:
/// `queue.setSpecific(key:value:)` stores a value on a queue for a `DispatchSpecificKey`. The
/// static `DispatchQueue.getSpecific(key:)` looks for that key's value on the queue whose block is
/// running, then on its target, and so on. If each `ReentrantQueue` has a key of its own, the mark
/// of another one isn't found as long as both keys live. A key is recognized by its address, which
/// a later key may have too. Then let `sync` call `queue.sync`, but only if its caller isn't on the
/// queue already.
///
/// - Warning: `sync` checks which queue is running, not through which queues its thread has come.
///   So `a.sync { b.sync { a.sync { … } } }` is a deadlock. So is `sync` called by a block on a
///   serial target of the queue, or on another queue with that target: the body can't run before
///   that block has returned. Agree on an order of queues, and take them in that order only.
public final class ReentrantQueue: Sendable {
  /// The serial queue that everything runs on.
  ///
  /// Callers may submit blocks to it with `async`, pass it to `notify`, or make it the target of
  /// other queues.
  public let queue: DispatchQueue

  /// Creates a queue with nothing to do.
  ///
  /// - `queue` has the label `label`.
  /// - `queue` has `target` as its target; if the target is serial, the blocks of both run one at a
  ///   time.
  ///
  /// - Parameters:
  ///   - label: A name for debuggers and crash reports; other queues may have the same.
  ///   - target: The queue that this queue's blocks run on; nil for one of the system's.
  public init(label: String, target: DispatchQueue? = nil) {
    queue = DispatchQueue(label: label, target: target)
    // TODO: Mark the queue.
  }

  /// Whether the caller runs on this queue.
  ///
  /// - `isCurrent` is true on the queue, in `sync` as well as in a block that was submitted to
  ///   `queue`.
  /// - `isCurrent` is true on every queue that has this one as its target, directly or through
  ///   others.
  /// - Everywhere else `isCurrent` is false, on the queue's own target too, and on another queue
  ///   with the same label.
  /// - If code on this queue calls `sync` of another queue, `isCurrent` is false in that body,
  ///   unless one of the two targets the other, directly or through others.
  /// - `isCurrent` returns without waiting, even while a body runs.
  public var isCurrent: Bool {
    // TODO: Look for the mark.
    false
  }

  /// Runs `body` on the queue and returns its result.
  ///
  /// - If the caller isn't on the queue, `sync` blocks until the queue has run `body` in its turn.
  /// - If the caller is on the queue already, so that `isCurrent` is true, `sync` calls `body` at
  ///   once, as a part of the caller's turn.
  /// - If `body` throws, `sync` rethrows the same error, in a nested call too.
  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    // TODO: Run it with queue.sync, unless the caller is on the queue already.
    try body()
  }
}
