import Dispatch
import Foundation

/// A condition, a list of waiting changes, and a block for each on the queue that was handed in.
public final class ScopedStore<Value: Sendable>: Sendable {
  private struct Waiting: Sendable {
    let change: @Sendable (inout Value) -> Void
    /// How many reads were called before it.
    let readsBefore: Int
  }

  private let queue: DispatchQueue
  private let condition = NSCondition()
  // Safe: guarded by `condition`; while `isChanging` only the changing thread touches it.
  private nonisolated(unsafe) var stored: Value
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var readers = 0
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var isChanging = false
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var reads = (asked: 0, begun: 0)
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var changes: [Waiting] = []
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
    reads.asked += 1
    while made < before { condition.wait() }
    reads.begun += 1
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
    changes.append(Waiting(change: change, readsBefore: reads.asked))
    condition.unlock()
    makeNextChange()
  }

  /// Submits the next change to the queue if it may run now.
  private func makeNextChange() {
    condition.lock()
    defer { condition.unlock() }
    guard readers == 0, !isChanging, let next = changes.first, reads.begun >= next.readsBefore
    else { return }
    isChanging = true
    changes.removeFirst()
    queue.async { [self] in
      next.change(&stored)
      condition.lock()
      isChanging = false
      made += 1
      condition.broadcast()
      condition.unlock()
      makeNextChange()
    }
  }
}
