import Dispatch
import Foundation

/// A number for each value, which the item compares without the lock.
public final class Debouncer<Value: Sendable>: Sendable {
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ queue: DispatchQueue, _ item: DispatchWorkItem) -> Void

  private let delay: TimeInterval
  private let queue: DispatchQueue
  private let schedule: Scheduler
  private let action: @Sendable (Value) -> Void
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var generation = 0
  private let lock = NSLock()

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
    let own = next()
    schedule(
      delay, queue,
      DispatchWorkItem { [self] in
        if generation == own { action(value) }
      })
  }

  public func cancel() { _ = next() }

  private func next() -> Int {
    lock.withLock {
      generation += 1
      return generation
    }
  }
}
