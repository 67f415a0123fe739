import Dispatch
import Foundation

/// Delivers the last value of a burst, once the burst is over.
///
/// Somebody types, and each letter is a value; a search is wanted when they pause.
///
/// ```swift
/// let search = Debouncer(delay: 0.3, queue: .main) { text in show(hits(for: text)) }
/// search.send("d")
/// search.send("da")
/// search.send("dawn")  // the only one that is searched for, 0.3 s from now
/// ```
///
/// - Each value waits for `delay` seconds, counted from its own `send`. If another one is sent by then,
///   it takes its place, and the delay begins anew.
/// - A value is delivered by calling `action`, on `queue`, once.
/// - When `send` or `cancel` has returned, no earlier value begins to be delivered, even one whose time
///   has come and which waits for the queue to be free. What has begun goes on.
/// - Nobody is held: not by sending, not by cancelling, even while `action` runs. `action` itself may
///   send the next value.
/// - A value is delivered even if nobody keeps the debouncer. When that's done, or it was cancelled and
///   its time has passed, nothing of it is left, and nothing of its action. While somebody keeps it, it
///   may keep the last value too, and no older one whose time has passed.
/// - Any thread may send and cancel.
///
/// No lock is held while it calls out. A debouncer that nobody keeps can't be silenced any more.
///
/// Source: `DispatchWorkItem` and `asyncAfter(deadline:execute:)` in Apple's documentation of Dispatch.
public final class Debouncer<Value: Sendable>: Sendable {
  /// Submits `item` to `queue` when a number of seconds has passed.
  ///
  /// Called on the thread that sends, and returns at once.
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ queue: DispatchQueue, _ item: DispatchWorkItem) -> Void

  private let delay: TimeInterval
  private let queue: DispatchQueue
  private let schedule: Scheduler
  private let action: @Sendable (Value) -> Void
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var latest: DispatchWorkItem?
  private let lock = NSLock()

  /// Creates a debouncer with nothing to deliver.
  ///
  /// - Parameters:
  ///   - delay: How long a value waits for another one to take its place, in seconds.
  ///   - queue: The queue that `action` is called on.
  ///   - schedule: Sets the timer, once for each value; `asyncAfter` by default.
  ///   - action: Called with each value to be delivered. It may send the next one, or cancel.
  public init(
    delay: TimeInterval, queue: DispatchQueue,
    schedule: @escaping Scheduler = { seconds, queue, item in
      queue.asyncAfter(deadline: .now() + seconds, execute: item)
    },
    action: @escaping @Sendable (Value) -> Void
  ) {
    self.delay = delay
    self.queue = queue
    self.schedule = schedule
    self.action = action
  }

  /// Delivers `value` after the delay, unless another one is sent by then.
  ///
  /// Returns at once. A value that is still waiting isn't delivered any more.
  public func send(_ value: Value) {
    // The item keeps what it needs and not the debouncer, for the debouncer keeps the item.
    let item = DispatchWorkItem { [action] in action(value) }
    replaceLatest(by: item)
    schedule(delay, queue, item)
  }

  /// Delivers nothing of what was sent so far.
  ///
  /// Returns at once; a delivery that has begun goes on. What's sent later is delivered as ever.
  public func cancel() {
    replaceLatest(by: nil)
  }

  /// Puts an item in the place of the latest, in one step, so that two who send at once find each
  /// other.
  private func replaceLatest(by item: DispatchWorkItem?) {
    let previous = lock.withLock {
      defer { latest = item }
      return latest
    }
    // Without effect where it has begun or ended.
    previous?.cancel()
  }
}
