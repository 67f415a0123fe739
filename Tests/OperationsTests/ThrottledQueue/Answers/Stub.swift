// Page: make page KATA=ThrottledQueue (Docs/ConcurrencyKatas.docc/ThrottledQueue.md)

import Dispatch
import Foundation

/// An operation queue that was given its limits when it was made, and that can be paused.
///
/// ```swift
/// let uploads = try ThrottledQueue(name: "com.example.uploads", limit: 3, qualityOfService: .utility)
/// uploads.addOperations(photos.map(UploadOperation.init), waitUntilFinished: false)
///
/// uploads.pause()   // on a metered network: those under way go on, no other begins
/// uploads.resume()
/// ```
///
/// **The limit.** At most `limit` operations execute at once, and as many as that if enough of them are
/// ready.
///
/// **Pauses are counted.** Whoever pauses the queue resumes it; it runs again when everybody has. What
/// executes when it's paused goes on, isn't cancelled and ends; what waits begins after the last
/// resume. A resume too many does nothing. A paused queue takes operations as it always does, and whoever
/// waits for it to be empty waits for the resume as well.
///
/// Leave `maxConcurrentOperationCount`, `isSuspended` and `underlyingQueue` to this class. Safe to use
/// from every thread; nothing here waits.
///
/// - Note: The queue counts an operation as begun when it has handed it to its dispatch queue. If that
///   is busy with other work, an operation may start after a pause that came in between.
///
/// Your turn. `OperationQueue` can do most of this; what is yours is to tell it in `init`, and to count
/// the pauses. Count under a lock: two threads may pause at the same moment. And how do you tell the
/// main queue from others? `===` doesn't on Linux, and a label is only a name. Put a mark on it, with
/// `setSpecific`, and ask the queue that you are given for the mark with its own `getSpecific(key:)`.
///
/// Source: Apple's documentation of `OperationQueue`, `maxConcurrentOperationCount`, `isSuspended` and
/// `underlyingQueue`.
public final class ThrottledQueue: OperationQueue, @unchecked Sendable {
  // TODO: Say here what makes it safe: the compiler takes your word.

  /// Why a queue isn't made.
  public enum Refusal: Error, Equatable {
    /// With this limit no operation would ever start, or as many as the system likes.
    case limit(Int)
    /// The main queue belongs to `OperationQueue.main` and takes no other.
    case mainQueue
  }

  // TODO: How many pauses are there?

  /// Creates an empty queue, which runs.
  ///
  /// - Parameters:
  ///   - name: What it is called in the debugger, in reverse DNS.
  ///   - limit: How many operations may execute at once; one or more.
  ///   - qualityOfService: How urgent its operations are. An underlying queue goes before this: then the
  ///     operations run with that queue's.
  ///   - underlyingQueue: The dispatch queue that operations are run on, such as the one that guards
  ///     what they use. A serial one lets them run one at a time, whatever the limit. Nil lets the
  ///     system choose the threads. The main queue is refused, as `OperationQueue` demands; a queue
  ///     that has the main queue as its target can't be told from others.
  /// - Throws: ``Refusal`` where the limit or the queue can't be had.
  public init(
    name: String, limit: Int, qualityOfService: QualityOfService = .utility,
    underlyingQueue: DispatchQueue? = nil
  ) throws(Refusal) {
    super.init()
    // TODO: Refuse a limit below one, and the main queue: throw .limit(limit), throw .mainQueue.
    // TODO: The name, the quality of service, the underlying queue and the limit.
  }

  /// Lets no further operation begin, until everybody who has paused the queue has resumed it.
  public func pause() {
    // TODO: Count the pause, and see to it that nothing begins; what runs goes on.
  }

  /// Takes one pause back.
  ///
  /// Does nothing where the queue isn't paused.
  public func resume() {
    // TODO: The last resume lets the queue run again; a resume too many does nothing.
  }
}
