// Page: make page KATA=BoundedBuffer (Docs/ConcurrencyKatas.docc/BoundedBuffer.md)

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
/// ```swift
/// let photos = BoundedBuffer<Photo>(capacity: 8)
/// Thread.detachNewThread {
///   for file in card { photos.put(read(file)) }
///   photos.close()
/// }
/// while let photo = photos.take() { encode(photo) }
/// ```
///
/// ``put(_:)`` and ``take()`` may block their callers for long. Call them on threads of your own,
/// not on the main thread and not on a global queue.
///
/// Source: the bounded buffer with two general semaphores, Dijkstra, "Cooperating Sequential
/// Processes", 1965.
///
/// Your turn: write `init`, `put`, `take` and `close`. One counting semaphore counts the free
/// places and one the elements. `put` takes a unit of the first and gives one to the second; `take`
/// does the reverse. A lock guards the elements themselves: mutual exclusion, which the semaphores
/// don't give. Write that much first; `close` can come last.
public final class BoundedBuffer<Element: Sendable>: Sendable {
  // TODO: Add two semaphores, a lock, the elements. A `var` that the lock guards is declared
  // `private nonisolated(unsafe) var`, with a comment that says so.

  /// Creates an empty buffer; the caller must pass a positive `capacity`.
  ///
  /// - The buffer has room for exactly `capacity` elements.
  public init(capacity: Int) {
    precondition(capacity > 0, "a buffer for \(capacity) elements would never take any")
    // TODO: Every place is free. Mind: a buffer may be released with elements in it, and Dispatch
    // traps if a semaphore is destroyed while its value is smaller than its initial value. Make it
    // with the value 0 and signal it `capacity` times.
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
    // TODO: Wait for a free place, put the element in, and signal that there is one more.
    false
  }

  /// Takes an element out of the buffer.
  ///
  /// - `take` blocks while the buffer is empty and open, and not while there is an element.
  /// - `take` returns nil if the buffer is closed and no element is left, and only then.
  /// - When an element is taken, the buffer releases it.
  ///
  /// - Returns: The element, or nil.
  public func take() -> Element? {
    // TODO: Wait for an element, take the oldest, and signal that its place is free.
    nil
  }

  /// Closes the buffer, so that no more elements get in.
  ///
  /// - When the buffer is closed, all threads that are blocked in `put` or `take` return, and no
  ///   later call blocks, however many there are.
  /// - The elements that are in the buffer when it's closed can still be taken.
  /// - `close` doesn't wait for the elements in the buffer to be taken.
  /// - Closing a closed buffer changes nothing.
  public func close() {
    // TODO: The number of threads that wait at a semaphore isn't known, and one signal wakes one of
    // them. Let each thread that is woken wake the next.
  }
}
