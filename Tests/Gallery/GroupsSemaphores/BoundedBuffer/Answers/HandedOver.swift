import Dispatch
import Foundation

/// A lock and two queues of waiting threads, each with a semaphore of its own; a new call serves the first.
public final class BoundedBuffer<Element: Sendable>: Sendable {
  /// A waiting thread, with the element that it brings, or that it receives.
  private final class Waiter: Sendable {
    let served = DispatchSemaphore(value: 0)
    // Safe: written before `served` is signalled, read after it, or on the waiter's own thread.
    nonisolated(unsafe) var element: Element?
    nonisolated(unsafe) var isIn = false  // Safe: as above.

    init(bringing element: Element? = nil) {
      self.element = element
    }
  }

  private let capacity: Int
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var elements: [Element] = []
  private nonisolated(unsafe) var putters: [Waiter] = []  // Safe: as above.
  private nonisolated(unsafe) var takers: [Waiter] = []  // Safe: as above.
  private nonisolated(unsafe) var isClosed = false  // Safe: as above.

  public init(capacity: Int) {
    precondition(capacity > 0, "a buffer for \(capacity) elements would never take any")
    self.capacity = capacity
  }

  @discardableResult
  public func put(_ element: Element) -> Bool {
    let waiter = Waiter(bringing: element)
    lock.lock()
    if isClosed {
      lock.unlock()
      return false
    }
    if !takers.isEmpty {
      let taker = takers.removeFirst()
      lock.unlock()
      taker.element = element
      taker.served.signal()
      return true
    }
    if elements.count < capacity {
      elements.append(element)
      lock.unlock()
      return true
    }
    putters.append(waiter)
    lock.unlock()
    waiter.served.wait()
    return waiter.isIn
  }

  public func take() -> Element? {
    let waiter = Waiter()
    lock.lock()
    if !elements.isEmpty {
      let element = elements.removeFirst()
      let putter = putters.isEmpty ? nil : putters.removeFirst()
      if let brought = putter?.element { elements.append(brought) }
      lock.unlock()
      putter?.isIn = true
      putter?.served.signal()
      return element
    }
    if isClosed {
      lock.unlock()
      return nil
    }
    takers.append(waiter)
    lock.unlock()
    waiter.served.wait()
    return waiter.element
  }

  public func close() {
    let everybody = lock.withLock {
      isClosed = true
      defer {
        putters = []
        takers = []
      }
      return putters + takers
    }
    for waiter in everybody { waiter.served.signal() }
  }
}
