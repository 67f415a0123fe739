// Page: make page KATA=Debouncer (Docs/ConcurrencyKatas.docc/Debouncer.md)

import Dispatch
import Foundation

/// Delivers the last value of a burst, once the burst is over.
///
/// In a burst each value is sent before the delay of the one before has passed.
///
/// Each value waits for a delay before it's delivered. A later `send` or a `cancel` silences the
/// value that waits: it isn't delivered any more. A delivery that has begun goes on. Of two values
/// that are sent at the same moment, one counts as the earlier.
///
/// - Each value waits for `delay` seconds, counted from its own `send`, not from the first value of
///   the burst.
/// - When `send` or `cancel` has returned, the delivery of no earlier value begins, even if its
///   delay is over and it waits for `queue`.
/// - A value that no later `send` or `cancel` of the same debouncer silences is delivered by
///   calling `action` once, even if it equals the value before.
/// - `action` is called on `queue`, even if the delay is zero.
/// - `send` and `cancel` return without waiting, even while `action` runs or `queue` is busy.
/// - `action` may itself call `send` and `cancel`.
/// - Any number of threads may send and cancel at the same time, without a data race.
/// - A value is delivered even if the debouncer is released first.
/// - A released debouncer and its `action` are deallocated soon after its last value is delivered
///   or, if that was cancelled, once its delay is over and `queue` is free.
/// - A debouncer may retain its last value, but no older one whose delay is over.
///
/// Your turn. Make a `DispatchWorkItem` for each value, and call `schedule` with the delay, the
/// queue and the item. `item.cancel()` keeps an item from running if it hasn't begun, so store the
/// latest item. Any thread may send: guard the stored item with a lock, and in one critical section
/// cancel the old item and store the new one. Hold no lock while the action runs, and mind retain
/// cycles: the debouncer retains the item.
public final class Debouncer<Value: Sendable>: Sendable {
  /// Submits `item` to `queue` when a number of seconds has passed.
  ///
  /// The debouncer calls it to set a timer. It must return at once.
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ queue: DispatchQueue, _ item: DispatchWorkItem) -> Void

  private let delay: TimeInterval
  private let queue: DispatchQueue
  private let schedule: Scheduler
  private let action: @Sendable (Value) -> Void

  /// Creates a debouncer with nothing to deliver.
  ///
  /// - The default `schedule` is Dispatch's `asyncAfter`: the item is submitted when the seconds
  ///   have passed.
  ///
  /// - Parameters:
  ///   - delay: How long a value waits, in seconds.
  ///   - queue: The queue that `action` is called on.
  ///   - schedule: Sets a timer.
  ///   - action: Receives a value that is delivered.
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

  /// Sends a value, which replaces the one that waits.
  ///
  /// - `send` calls `schedule` once for each value, on the calling thread, with `delay`, `queue`
  ///   and an item.
  public func send(_ value: Value) {
    // TODO: Cancel the previous item, and schedule one for this value.
  }

  /// Silences the value that waits, if there is one.
  ///
  /// - A value that is sent after `cancel` is delivered like any other.
  public func cancel() {
    // TODO: Cancel the latest item, if there is one.
  }
}
