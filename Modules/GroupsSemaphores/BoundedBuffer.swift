import Dispatch
import Foundation

/// A queue of limited length between producer threads and consumer threads.
///
/// The faster side waits for the slower one: backpressure. So neither needs to know how fast the
/// other is, and the memory that the elements take stays bounded.
///
/// - Elements come out in the order in which they went in, each once.
/// - A blocked thread sleeps until it is woken; it doesn't poll.
/// - Each element that is put lets one thread blocked in `take` of the same buffer go on; each that
///   is taken lets one blocked in `put` go on.
/// - Any number of threads may call `put`, `take` and `close` at the same time, without a data
///   race.
/// - A buffer may be released with elements in it.
///
/// Which of several blocked threads goes on first isn't promised.
///
/// Safe to use from every thread, by any number of them.
///
/// ```swift
/// let photos = BoundedBuffer<Photo>(capacity: 8)
/// Thread.detachNewThread {
///   for file in card { photos.put(read(file)) }
///   photos.close()
/// }
/// while let photo = photos.take() { encode(photo) }
/// ```
///
/// - Warning: ``put(_:)`` and ``take()`` may block their callers for long. Call them on threads of
///   your own, not on the main thread and not on a global queue.
///
/// Source: the bounded buffer with two general semaphores, Dijkstra, "Cooperating Sequential
/// Processes", 1965.
public final class BoundedBuffer<Element: Sendable>: Sendable {
  /// Counts the free places, and one more once the buffer is closed.
  private let free = DispatchSemaphore(value: 0)
  /// Counts the elements, and one more once the buffer is closed.
  private let filled = DispatchSemaphore(value: 0)

  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var elements: Ring<Element>
  private nonisolated(unsafe) var isClosed = false  // Safe: as above.

  /// Creates an empty buffer; the caller must pass a positive `capacity`.
  ///
  /// - The buffer has room for exactly `capacity` elements.
  public init(capacity: Int) {
    precondition(capacity > 0, "a buffer for \(capacity) elements would never take any")
    elements = Ring(capacity: capacity)
    // Not made with this value: Dispatch traps if a semaphore is destroyed while its value is below
    // the initial one, and a buffer may be released with elements in it.
    for _ in 0..<capacity { free.signal() }
  }

  /// Puts an element into the buffer.
  ///
  /// - `put` blocks while the buffer is full and open, and not while there is room.
  /// - If the buffer is closed before the call or while `put` blocks, `put` returns false and the
  ///   element doesn't get in.
  ///
  /// - Returns: Whether the element is in.
  @discardableResult
  public func put(_ element: Element) -> Bool {
    free.wait()
    let isIn = lock.withLock {
      if isClosed { return false }
      elements.append(element)
      return true
    }
    // If closed, the next waiting thread has to wake up too, so the unit is passed on.
    if isIn { filled.signal() } else { free.signal() }
    return isIn
  }

  /// Takes an element out of the buffer.
  ///
  /// - `take` blocks while the buffer is empty and open, and not while there is an element.
  /// - `take` returns nil if the buffer is closed and no element is left, and only then.
  /// - When an element is taken, the buffer releases it.
  ///
  /// - Returns: The element, or nil.
  public func take() -> Element? {
    filled.wait()
    let element = lock.withLock { elements.removeFirst() }
    // A unit but no element: it's the extra unit of the closed buffer, which is passed on.
    if element != nil { free.signal() } else { filled.signal() }
    return element
  }

  /// Closes the buffer, so that no more elements get in.
  ///
  /// - When the buffer is closed, all threads that are blocked in `put` or `take` return, and no
  ///   later call blocks, however many there are.
  /// - The elements that are in the buffer when it's closed can still be taken.
  /// - `close` doesn't wait for the elements in the buffer to be taken.
  /// - Closing a closed buffer changes nothing.
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

/// A queue in a fixed number of places, with constant time at both ends.
private struct Ring<Element> {
  private var places: [Element?]
  private var first = 0
  private var count = 0

  init(capacity: Int) {
    places = Array(repeating: nil, count: capacity)
  }

  mutating func append(_ element: Element) {
    places[(first + count) % places.count] = element
    count += 1
  }

  /// Removes and returns the oldest element, or returns nil if there is none.
  mutating func removeFirst() -> Element? {
    guard count > 0 else { return nil }
    defer {
      places[first] = nil
      first = (first + 1) % places.count
      count -= 1
    }
    return places[first]
  }
}
