import Dispatch
import Foundation

/// Two semaphores and a lock, but a putter chooses its place before it waits.
public final class BoundedBuffer<Element: Sendable>: Sendable {
  private let free = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var places: [Element?]
  private nonisolated(unsafe) var first = 0  // Safe: as above.
  private nonisolated(unsafe) var end = 0  // Safe: as above.
  private nonisolated(unsafe) var isClosed = false  // Safe: as above.

  public init(capacity: Int) {
    precondition(capacity > 0, "a buffer for \(capacity) elements would never take any")
    places = Array(repeating: nil, count: capacity)
    for _ in 0..<capacity { free.signal() }
  }

  @discardableResult
  public func put(_ element: Element) -> Bool {
    let place = lock.withLock { end }
    free.wait()
    let isIn = lock.withLock {
      guard !isClosed else { return false }
      places[place] = element
      end = (place + 1) % places.count
      return true
    }
    if isIn { filled.signal() } else { free.signal() }
    return isIn
  }

  public func take() -> Element? {
    filled.wait()
    let element: Element? = lock.withLock {
      guard let element = places[first] else { return nil }
      places[first] = nil
      first = (first + 1) % places.count
      return element
    }
    if element != nil { free.signal() } else { filled.signal() }
    return element
  }

  public func close() {
    let isFirst = lock.withLock {
      defer { isClosed = true }
      return !isClosed
    }
    guard isFirst else { return }
    free.signal()
    filled.signal()
  }
}
