import Dispatch
import Foundation
import Synchronization

/// Counts calls of `send` and `cancel`.
private final class Latest: Sendable {
  let number = Atomic(0)

  func next() -> Int { number.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }

  func isLatest(_ own: Int) -> Bool { number.load(ordering: .acquiring) == own }
}

private let latest = Latest()

/// An atomic number for all debouncers, and no lock.
public final class Debouncer<Value: Sendable>: Sendable {
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ queue: DispatchQueue, _ item: DispatchWorkItem) -> Void

  private let delay: TimeInterval
  private let queue: DispatchQueue
  private let schedule: Scheduler
  private let action: @Sendable (Value) -> Void

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

  public func send(_ value: Value) {
    let own = latest.next()
    schedule(
      delay, queue,
      DispatchWorkItem { [action] in
        if latest.isLatest(own) { action(value) }
      })
  }

  public func cancel() { _ = latest.next() }
}
