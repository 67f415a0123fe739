import Dispatch
import Foundation

/// The latest item retains the debouncer, which releases it on delivery.
public final class Debouncer<Value: Sendable>: Sendable {
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ queue: DispatchQueue, _ item: DispatchWorkItem) -> Void

  private let delay: TimeInterval
  private let queue: DispatchQueue
  private let schedule: Scheduler
  private let action: @Sendable (Value) -> Void
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var generation = 0
  private nonisolated(unsafe) var latest: DispatchWorkItem?  // Safe: as above.
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
    let item = DispatchWorkItem { [self] in
      guard lock.withLock({ generation == own }) else { return }
      action(value)
      lock.withLock { if generation == own { latest = nil } }
    }
    lock.withLock { if generation == own { latest = item } }
    schedule(delay, queue, item)
  }

  public func cancel() { _ = next() }

  private func next() -> Int {
    lock.withLock {
      generation += 1
      return generation
    }
  }
}
