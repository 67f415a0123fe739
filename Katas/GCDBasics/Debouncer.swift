// Page: make page KATA=Debouncer (Docs/ConcurrencyKatas.docc/Debouncer.md)

import Dispatch
import Foundation

/// Delivers the last value of a burst, once the burst is over.
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
/// Your turn. Make a `DispatchWorkItem` for each value, and have it submitted by calling `schedule` with
/// the delay, the queue and the item. An item that hasn't begun can be cancelled: `item.cancel()`; so
/// remember the latest. Any thread may send, so guard what you remember with a lock, and take the old
/// one out and put the new one in as one step. Hold no lock while the action runs.
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
    // TODO: Silence the value before, and set the timer for this one.
  }

  /// Delivers nothing of what was sent so far.
  ///
  /// Returns at once; a delivery that has begun goes on. What's sent later is delivered as ever.
  public func cancel() {
    // TODO: Silence the value that waits, if one does.
  }
}
