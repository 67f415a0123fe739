import Foundation

/// A condition variable that is signalled only if the buffer was empty, or was full.
public final class BoundedBuffer<Element: Sendable>: Sendable {
  private let capacity: Int
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var elements: [Element] = []
  private nonisolated(unsafe) var isClosed = false  // Safe: as above.

  public init(capacity: Int) {
    precondition(capacity > 0, "a buffer for \(capacity) elements would never take any")
    self.capacity = capacity
  }

  @discardableResult
  public func put(_ element: Element) -> Bool {
    condition.withLock {
      while elements.count == capacity, !isClosed { condition.wait() }
      guard !isClosed else { return false }
      elements.append(element)
      if elements.count == 1 { condition.signal() }
      return true
    }
  }

  public func take() -> Element? {
    condition.withLock {
      while elements.isEmpty, !isClosed { condition.wait() }
      guard !elements.isEmpty else { return nil }
      if elements.count == capacity { condition.signal() }
      return elements.removeFirst()
    }
  }

  public func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }
}
