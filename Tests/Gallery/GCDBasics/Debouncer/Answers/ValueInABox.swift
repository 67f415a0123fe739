import Dispatch
import Foundation

/// Each value in a box that is emptied by its item or by the next value, whichever is first.
public final class Debouncer<Value: Sendable>: Sendable {
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ queue: DispatchQueue, _ item: DispatchWorkItem) -> Void

  private final class Box: Sendable {
    // Safe: guarded by `lock`.
    private nonisolated(unsafe) var value: Value?
    private let lock = NSLock()

    init(_ value: Value) {
      self.value = value
    }

    func take() -> Value? {
      lock.withLock {
        defer { value = nil }
        return value
      }
    }
  }

  private let delay: TimeInterval
  private let queue: DispatchQueue
  private let schedule: Scheduler
  private let action: @Sendable (Value) -> Void
  // Safe: accessed on `state` only.
  private nonisolated(unsafe) var latest: Box?
  private let state = DispatchQueue(label: "katas.gcd-basics.debouncer")

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
    let box = Box(value)
    state.sync {
      _ = latest?.take()
      latest = box
      schedule(delay, queue, DispatchWorkItem { [action] in box.take().map(action) })
    }
  }

  public func cancel() {
    state.sync {
      _ = latest?.take()
      latest = nil
    }
  }
}
