import Dispatch
import Foundation

/// A condition, and a list of waiting changes of which the newest is made first.
public final class ScopedStore<Value: Sendable>: Sendable {
  private let queue: DispatchQueue
  private let condition = NSCondition()
  // Safe: guarded by `condition`; while `isChanging` only the changing thread touches it.
  private nonisolated(unsafe) var stored: Value
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var readers = 0
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var isChanging = false
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var changes: [@Sendable (inout Value) -> Void] = []
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var made = 0

  public init(_ value: Value, on queue: DispatchQueue) {
    stored = value
    self.queue = queue
  }

  public var value: Value { read { $0 } }

  public func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
    condition.lock()
    let before = made + changes.count + (isChanging ? 1 : 0)
    while made < before || isChanging { condition.wait() }
    readers += 1
    let snapshot = stored
    condition.unlock()
    defer {
      condition.lock()
      readers -= 1
      let isLast = readers == 0
      condition.unlock()
      if isLast { makeNextChange() }
    }
    return try body(snapshot)
  }

  public func update(_ change: @escaping @Sendable (inout Value) -> Void) {
    condition.lock()
    changes.append(change)
    condition.unlock()
    makeNextChange()
  }

  /// Submits the next change to the queue if it may run now.
  private func makeNextChange() {
    condition.lock()
    defer { condition.unlock() }
    guard readers == 0, !isChanging, !changes.isEmpty else { return }
    isChanging = true
    let change = changes.removeLast()
    queue.async { [self] in
      change(&stored)
      condition.lock()
      isChanging = false
      made += 1
      condition.broadcast()
      condition.unlock()
      makeNextChange()
    }
  }
}
