import Dispatch
import Foundation

/// Two semaphores, and a lock for each end: putters and takers never wait for each other's lock.
///
/// A taker reads what a putter wrote only after it took a unit of `filled`, and the other way round.
public final class BoundedBuffer<Element: Sendable>: Sendable {
  private let capacity: Int
  private let free = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)
  private let putLock = NSLock()
  private let takeLock = NSLock()
  // Safe: a place belongs to the thread that has a unit of `free`, or of `filled`, for it.
  private nonisolated(unsafe) let places: UnsafeMutablePointer<Element?>
  private nonisolated(unsafe) var putCount = 0  // Safe: guarded by `putLock`.
  private nonisolated(unsafe) var isClosed = false  // Safe: guarded by `putLock`.
  private nonisolated(unsafe) var takeCount = 0  // Safe: guarded by `takeLock`.

  public init(capacity: Int) {
    precondition(capacity > 0, "a buffer for \(capacity) elements would never take any")
    self.capacity = capacity
    places = .allocate(capacity: capacity)
    places.initialize(repeating: nil, count: capacity)
    for _ in 0..<capacity { free.signal() }
  }

  deinit {
    places.deinitialize(count: capacity)
    places.deallocate()
  }

  @discardableResult
  public func put(_ element: Element) -> Bool {
    free.wait()
    let isIn = putLock.withLock {
      guard !isClosed else { return false }
      places[putCount % capacity] = element
      putCount += 1
      return true
    }
    if isIn { filled.signal() } else { free.signal() }
    return isIn
  }

  public func take() -> Element? {
    filled.wait()
    let element: Element? = takeLock.withLock {
      let place = takeCount % capacity
      guard let element = places[place] else { return nil }
      places[place] = nil
      takeCount += 1
      return element
    }
    if element != nil { free.signal() } else { filled.signal() }
    return element
  }

  public func close() {
    let isFirst = putLock.withLock {
      defer { isClosed = true }
      return !isClosed
    }
    guard isFirst else { return }
    free.signal()
    filled.signal()
  }
}
