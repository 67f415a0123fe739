// Page: make page KATA=ReentrantQueue (Docs/ConcurrencyKatas.docc/ReentrantQueue.md)

import Dispatch

/// A serial queue whose `sync` may be called by what already runs on it.
///
/// - Whatever runs on the queue runs alone.
/// - `sync` called by what runs there already runs its body at once, as a part of its caller's turn.
///   A plain `DispatchQueue` would wait for itself.
/// - `isCurrent` is true on the queue and on every queue that has it as its target, directly or
///   through others; nowhere else, whatever another queue is called, and whichever queues the caller
///   has come through.
/// - What `body` throws gets through.
/// - Any thread may use it, and two that have nothing to do with each other don't wait for each other.
/// - It goes when nobody keeps it, and so does its queue. A queue that somebody keeps for longer counts
///   as nobody's.
///
/// Your turn. Begin with `isCurrent`. A queue can be marked: `queue.setSpecific(key:value:)` puts a
/// value under a `DispatchSpecificKey`, and `DispatchQueue.getSpecific(key:)`, asked anywhere, looks
/// under that key on the queue that is running, and on its targets. A key that belongs to one
/// `ReentrantQueue` alone can't find another one's mark. Then let `sync` wait with `queue.sync`, but
/// only where it has to.
public final class ReentrantQueue: Sendable {
  /// The serial queue that everything runs on.
  ///
  /// For whoever wants a queue: to put work there with `async`, to give it to `notify`, or as the
  /// target of other queues. All of that runs in turn with what is given to `sync`, and may call it.
  public let queue: DispatchQueue

  /// Creates a queue with nothing to do.
  ///
  /// - Parameters:
  ///   - label: What the queue is called, for people; others may be called the same.
  ///   - target: The queue that this one runs its work on, which excludes everything there too; nil
  ///     for one of the system's.
  public init(label: String, target: DispatchQueue? = nil) {
    queue = DispatchQueue(label: label, target: target)
    // TODO: Mark the queue.
  }

  /// Whether the caller runs on this queue, or on one that has it as its target.
  ///
  /// Returns at once.
  public var isCurrent: Bool {
    // TODO: Look for the mark.
    false
  }

  /// Runs `body` on the queue, alone, and returns its result.
  ///
  /// Where the caller already runs there, `body` runs at once, as a part of the caller's turn.
  /// Everybody else is blocked until it is their turn and `body` has returned. Rethrows what `body`
  /// throws.
  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    // TODO: On the queue, in turn with everybody else, unless the caller is there already.
    try body()
  }
}
