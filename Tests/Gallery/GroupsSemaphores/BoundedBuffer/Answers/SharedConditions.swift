import Foundation

/// What putters and takers wait at: one for all buffers.
private final class Monitor: Sendable {
  static let shared = Monitor()

  // Safe: these are locks themselves.
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
  nonisolated(unsafe) let notFull: UnsafeMutablePointer<pthread_cond_t>  // Safe: as above.
  nonisolated(unsafe) let notEmpty: UnsafeMutablePointer<pthread_cond_t>  // Safe: as above.

  private init() {
    mutex = .allocate(capacity: 1)
    notFull = .allocate(capacity: 1)
    notEmpty = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(notFull, nil)
    pthread_cond_init(notEmpty, nil)
  }

  func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  func wait(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
    pthread_cond_wait(condition, mutex)
  }
}

/// A condition variable for each kind of waiting thread, and each call wakes one, but all buffers share both.
public final class BoundedBuffer<Element: Sendable>: Sendable {
  private let capacity: Int
  private let monitor = Monitor.shared
  // Safe: guarded by `monitor`.
  private nonisolated(unsafe) var elements: [Element] = []
  private nonisolated(unsafe) var isClosed = false  // Safe: as above.

  public init(capacity: Int) {
    precondition(capacity > 0, "a buffer for \(capacity) elements would never take any")
    self.capacity = capacity
  }

  @discardableResult
  public func put(_ element: Element) -> Bool {
    monitor.withLock {
      while elements.count == capacity, !isClosed { monitor.wait(monitor.notFull) }
      guard !isClosed else { return false }
      elements.append(element)
      pthread_cond_signal(monitor.notEmpty)
      return true
    }
  }

  public func take() -> Element? {
    monitor.withLock {
      while elements.isEmpty, !isClosed { monitor.wait(monitor.notEmpty) }
      guard !elements.isEmpty else { return nil }
      pthread_cond_signal(monitor.notFull)
      return elements.removeFirst()
    }
  }

  public func close() {
    monitor.withLock {
      isClosed = true
      pthread_cond_broadcast(monitor.notFull)
      pthread_cond_broadcast(monitor.notEmpty)
    }
  }
}
