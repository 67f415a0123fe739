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
/// So data that is accessed only on the queue needs no other protection, and methods that use
/// `sync` may call each other:
///
/// ```swift
/// let account = ReentrantQueue(label: "bank.account")
/// func withdraw(_ sum: Int) { account.sync { balance -= sum } }
/// func payRent() { account.sync { withdraw(800); withdraw(50) } }  // one turn, no deadlock
/// ```
///
/// - Warning: `sync` checks which queue is running, not through which queues its thread has come.
///   So `a.sync { b.sync { a.sync { … } } }` is a deadlock. So is `sync` called by a block on a
///   serial target of the queue, or on another queue with that target: the body can't run before
///   that block has returned. Agree on an order of queues, and take them in that order only.
///
/// Source: `setSpecific(key:value:)` and `getSpecific(key:)` in Apple's documentation of
/// `DispatchQueue`.
public final class ReentrantQueue: Sendable {
  /// The serial queue that everything runs on.
  ///
  /// Callers may submit blocks to it with `async`, pass it to `notify`, or make it the target of
  /// other queues.
  public let queue: DispatchQueue

  /// Belongs to this object alone, so a value that is found for it isn't another object's.
  private let key = DispatchSpecificKey<Bool>()

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
    queue.setSpecific(key: key, value: true)
  }

  deinit {
    // Others may retain the queue for longer than the key lives. A key that is made later may have
    // the same address, and would find this value.
    queue.setSpecific(key: key, value: nil)
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
  public var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Runs `body` on the queue and returns its result.
  ///
  /// - If the caller isn't on the queue, `sync` blocks until the queue has run `body` in its turn.
  /// - If the caller is on the queue already, so that `isCurrent` is true, `sync` calls `body` at
  ///   once, as a part of the caller's turn.
  /// - If `body` throws, `sync` rethrows the same error, in a nested call too.
  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    if isCurrent { return try body() }
    return try queue.sync(execute: body)
  }
}
