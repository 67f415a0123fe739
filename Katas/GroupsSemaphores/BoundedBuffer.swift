// Page: make page KATA=BoundedBuffer (Docs/ConcurrencyKatas.docc/BoundedBuffer.md)

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
///
/// Your turn: one semaphore counts the free places and one the elements. `put` waits for a unit of the
/// one and signals the other, `take` the other way round. A lock guards the elements themselves. Write
/// that first; `close` can come last.
public final class BoundedBuffer<Element: Sendable>: Sendable {
  // TODO: Two semaphores, a lock, the elements. A `var` that the lock guards is declared
  // `private nonisolated(unsafe) var`, with a comment that says so.

  /// Creates an empty buffer with room for `capacity` elements.
  ///
  /// - Precondition: `capacity` is positive.
  public init(capacity: Int) {
    precondition(capacity > 0, "a buffer for \(capacity) elements would never take any")
    // TODO: Every place is free. Mind: Dispatch traps when a semaphore dies with a smaller value than
    // it was made with, and a buffer may be let go of with elements in it. Make it with the value 0
    // and signal it `capacity` times.
  }

  /// Puts `element` at the end of the line.
  ///
  /// Blocks while the buffer is full, until somebody takes an element or the buffer is closed.
  ///
  /// - Returns: Whether the element is in; false where the buffer is closed, before this call or
  ///   while it waits.
  @discardableResult
  public func put(_ element: Element) -> Bool {
    // TODO: Wait for a free place, put the element in, and say that there is one more.
    false
  }

  /// Takes the element that is longest in the line; the buffer doesn't keep it.
  ///
  /// Blocks while the buffer is empty, until somebody puts an element in or the buffer is closed.
  ///
  /// - Returns: The element; nil where the buffer is closed and nothing is left in it.
  public func take() -> Element? {
    // TODO: Wait for an element, take the oldest, and say that its place is free.
    nil
  }

  /// Lets nothing in any more, and lets everybody go who waits.
  ///
  /// Whoever waits in ``put(_:)`` returns with false, and their elements aren't in. What's in the
  /// buffer can still be taken; then ``take()`` returns nil, and whoever waits in it does at once.
  ///
  /// Returns at once. Closing a closed buffer changes nothing.
  public func close() {
    // TODO: Nobody knows how many threads wait at a semaphore. One signal wakes one of them; who can
    // wake the next?
  }
}
