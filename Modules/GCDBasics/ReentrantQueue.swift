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
/// So what is only touched there needs no other protection, and methods that use `sync` may call each
/// other:
///
/// ```swift
/// let account = ReentrantQueue(label: "bank.account")
/// func withdraw(_ sum: Int) { account.sync { balance -= sum } }
/// func payRent() { account.sync { withdraw(800); withdraw(50) } }  // one turn, no deadlock
/// ```
///
/// - Warning: It asks which queue is running, not which ones its thread has come through.
///   `a.sync { b.sync { a.sync { … } } }` is a deadlock, and so is `sync` called on the target that runs
///   beneath: agree on an order of queues, and go through them in that order only.
///
/// Source: `setSpecific(key:value:)` and `getSpecific(key:)` in Apple's documentation of
/// `DispatchQueue`.
public final class ReentrantQueue: Sendable {
  /// The serial queue that everything runs on.
  ///
  /// For whoever wants a queue: to put work there with `async`, to give it to `notify`, or as the
  /// target of other queues. All of that runs in turn with what is given to `sync`, and may call it.
  public let queue: DispatchQueue

  /// Belongs to this queue alone, so what is found under it can't be another one's.
  private let key = DispatchSpecificKey<Bool>()

  /// Creates a queue with nothing to do.
  ///
  /// - Parameters:
  ///   - label: What the queue is called, for people; others may be called the same.
  ///   - target: The queue that this one runs its work on, which excludes everything there too; nil
  ///     for one of the system's.
  public init(label: String, target: DispatchQueue? = nil) {
    queue = DispatchQueue(label: label, target: target)
    queue.setSpecific(key: key, value: true)
  }

  deinit {
    // The queue may be kept by others and outlive the key; at its address there may be a new one by
    // then, of a queue that this one would be taken for.
    queue.setSpecific(key: key, value: nil)
  }

  /// Whether the caller runs on this queue, or on one that has it as its target.
  ///
  /// Returns at once.
  public var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Runs `body` on the queue, alone, and returns its result.
  ///
  /// Where the caller already runs there, `body` runs at once, as a part of the caller's turn.
  /// Everybody else is blocked until it is their turn and `body` has returned. Rethrows what `body`
  /// throws.
  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    if isCurrent { return try body() }
    return try queue.sync(execute: body)
  }
}
