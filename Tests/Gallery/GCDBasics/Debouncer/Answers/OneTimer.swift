import Dispatch
import Foundation

/// The first value sets a timer; when it fires, the latest value is delivered.
public final class Debouncer<Value: Sendable>: Sendable {
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ queue: DispatchQueue, _ item: DispatchWorkItem) -> Void

  private let delay: TimeInterval
  private let queue: DispatchQueue
  private let schedule: Scheduler
  private let action: @Sendable (Value) -> Void
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var latest: Value?
  private nonisolated(unsafe) var isWaiting = false  // Safe: as above.
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
    let isFirst = lock.withLock {
      latest = value
      defer { isWaiting = true }
      return !isWaiting
    }
    guard isFirst else { return }
    schedule(
      delay, queue,
      DispatchWorkItem { [self] in
        let value = lock.withLock {
          defer { (latest, isWaiting) = (nil, false) }
          return latest
        }
        if let value { action(value) }
      })
  }

  public func cancel() { lock.withLock { latest = nil } }
}
