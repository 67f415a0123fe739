import Dispatch
import Foundation

/// A cancellation during a delivery is carried out when the delivery has ended.
public final class Debouncer<Value: Sendable>: Sendable {
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ queue: DispatchQueue, _ item: DispatchWorkItem) -> Void

  private let delay: TimeInterval
  private let queue: DispatchQueue
  private let schedule: Scheduler
  private let action: @Sendable (Value) -> Void
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var generation = 0
  private nonisolated(unsafe) var isDelivering = false  // Safe: as above.
  private nonisolated(unsafe) var isUnwanted = false  // Safe: as above.
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
        let isLatest = lock.withLock {
          if generation == own { isDelivering = true }
          return generation == own
        }
        guard isLatest else { return }
        action(value)
        lock.withLock {
          if isUnwanted { generation += 1 }
          (isDelivering, isUnwanted) = (false, false)
        }
      })
  }

  public func cancel() {
    lock.withLock { if isDelivering { isUnwanted = true } else { generation += 1 } }
  }

  private func next() -> Int {
    lock.withLock {
      generation += 1
      return generation
    }
  }
}
