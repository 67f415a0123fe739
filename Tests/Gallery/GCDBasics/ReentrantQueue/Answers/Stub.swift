// Page: make page KATA=ReentrantQueue (Docs/ConcurrencyKatas.docc/ReentrantQueue.md)

import Dispatch

/// A serial queue whose `sync` may be called by code that already runs on the queue.
///
/// On a plain `DispatchQueue` such a call waits for itself, which is a deadlock.
///
/// - All that runs on the queue runs one at a time, whether it was given to `sync` or submitted to
///   `queue`.
/// - Any number of threads may use a `ReentrantQueue` at the same time, without a data race.
/// - Two `ReentrantQueue`s don't wait for each other, unless one of them targets the other or both
///   have a common serial target.
/// - When a `ReentrantQueue` is released and nothing else retains its queue, both are deallocated.
/// - A queue that is retained for longer than its `ReentrantQueue` isn't taken for the queue of
///   another one.
///
/// Your turn. Begin with `isCurrent`, which needs a mark on the queue:
/// `queue.setSpecific(key:value:)` stores a value on a queue for a `DispatchSpecificKey`. The
/// static `DispatchQueue.getSpecific(key:)` looks for that key's value on the queue that is
/// running, then on its target, and so on. If each `ReentrantQueue` has a key of its own, no other
/// queue's mark is found. Then let `sync` call `queue.sync`, but only if its caller isn't on the
/// queue already.
///
/// - Warning: `sync` checks which queue is running, not through which queues its thread has come.
///   So `a.sync { b.sync { a.sync { … } } }` is a deadlock. So is `sync` called by a block on a
///   serial target of the queue: the body can't run before that block has returned. Agree on an
///   order of queues, and take them in that order only.
public final class ReentrantQueue: Sendable {
  /// The serial queue that everything runs on.
  ///
  /// Callers may submit blocks to it with `async`, pass it to `notify`, or make it the target of
  /// other queues.
  public let queue: DispatchQueue

  /// Creates a queue with nothing to do.
  ///
  /// - `queue` has the label `label`.
  /// - `queue` has `target` as its target, so its blocks run in turn with everything on a serial
  ///   target.
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
  /// - On a queue that the caller has gone to from here with `sync`, `isCurrent` is false, unless
  ///   that queue targets this one.
  /// - `isCurrent` returns without waiting, even while a body runs.
  public var isCurrent: Bool {
    // TODO: Look for the mark.
    false
  }

  /// Runs `body` on the queue and returns its result.
  ///
  /// - If the caller isn't on the queue, `sync` blocks until its turn has come and `body` has
  ///   returned.
  /// - If the caller is on the queue already, in `sync` or in a block submitted to `queue`, `sync`
  ///   calls `body` at once, as a part of the caller's turn.
  /// - If `body` throws, `sync` rethrows the same error, in a nested call too.
  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    // TODO: Run it with queue.sync, unless the caller is on the queue already.
    try body()
  }
}
