import Dispatch
import Foundation

/// A line of limited length between threads that make things and threads that use them up.
///
/// Whoever is too fast waits: ``put(_:)`` while the buffer is full, ``take()`` while it's empty. So
/// neither side needs to know how fast the other one is, and memory stays bounded. Whoever waits
/// sleeps until woken; nobody looks every so often.
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
/// Elements come out in the order in which they went in. Which of several threads that wait goes on
/// first isn't promised.
///
/// Safe to use from every thread, by any number of them. A buffer may be let go of with elements in
/// it.
///
/// - Warning: ``put(_:)`` and ``take()`` hold the calling thread for as long as it takes. Call them
///   on threads of your own, not on the main thread and not on a global queue.
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

  /// Creates an empty buffer with room for `capacity` elements.
  ///
  /// - Precondition: `capacity` is positive.
  public init(capacity: Int) {
    precondition(capacity > 0, "a buffer for \(capacity) elements would never take any")
    elements = Ring(capacity: capacity)
    // Not made with its value: Dispatch traps when a semaphore dies with a smaller value than it was
    // made with, and a buffer may be let go of with elements in it.
    for _ in 0..<capacity { free.signal() }
  }

  /// Puts `element` at the end of the line.
  ///
  /// Blocks while the buffer is full, until somebody takes an element or the buffer is closed.
  ///
  /// - Returns: Whether the element is in; false where the buffer is closed, before this call or
  ///   while it waits.
  @discardableResult
  public func put(_ element: Element) -> Bool {
    free.wait()
    let isIn = lock.withLock {
      if isClosed { return false }
      elements.append(element)
      return true
    }
    // Closed: the next one who waits has to hear of it too, so the unit is passed on.
    if isIn { filled.signal() } else { free.signal() }
    return isIn
  }

  /// Takes the element that is longest in the line; the buffer doesn't keep it.
  ///
  /// Blocks while the buffer is empty, until somebody puts an element in or the buffer is closed.
  ///
  /// - Returns: The element; nil where the buffer is closed and nothing is left in it.
  public func take() -> Element? {
    filled.wait()
    let element = lock.withLock { elements.removeFirst() }
    // No element, though there was a unit: it's the one of the closed buffer, and is passed on.
    if element != nil { free.signal() } else { filled.signal() }
    return element
  }

  /// Lets nothing in any more, and lets everybody go who waits.
  ///
  /// Whoever waits in ``put(_:)`` returns with false, and their elements aren't in. What's in the
  /// buffer can still be taken; then ``take()`` returns nil, and whoever waits in it does at once.
  ///
  /// Returns at once. Closing a closed buffer changes nothing.
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

/// A queue in a fixed number of places, which takes constant time at both ends.
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

  /// The oldest element, which is let go of here; nil where there is none.
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
