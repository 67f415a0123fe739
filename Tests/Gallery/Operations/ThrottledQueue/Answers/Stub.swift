// Page: make page KATA=ThrottledQueue (Docs/ConcurrencyKatas.docc/ThrottledQueue.md)

import Dispatch
import Foundation

/// An operation queue that gets its limits when it's created, and that can be paused.
///
/// ```swift
/// let uploads = try ThrottledQueue(name: "com.example.uploads", limit: 3, qualityOfService: .utility)
/// uploads.addOperations(photos.map(UploadOperation.init), waitUntilFinished: false)
///
/// uploads.pause()   // on a metered network: those under way go on, no other begins
/// uploads.resume()
/// ```
///
/// Pauses are counted, since several parts of an app may each have a reason to pause the queue.
///
/// - At most `limit` operations execute at once.
/// - If the queue isn't paused and enough operations are ready, `limit` of them execute at once,
///   however large `limit` is.
/// - An operation that executes when the queue is paused isn't cancelled and goes on to its end.
/// - An operation that waits when the queue is paused, or is added while it is, isn't cancelled,
///   and begins after the last resume.
/// - A thread that waits until a paused queue is empty waits for the resume as well.
/// - `pause` and `resume` return without waiting for any operation.
/// - `pause` and `resume` may be called by several threads at once; they take effect one after
///   another.
///
/// The caller must leave `maxConcurrentOperationCount`, `isSuspended` and `underlyingQueue` to this
/// class.
///
/// The queue counts an operation as begun when it has handed it to its dispatch queue. If that is
/// busy with other work, an operation may start after a pause that came in between.
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

  /// Creates a queue.
  ///
  /// - A new queue is empty and isn't paused.
  /// - The queue has the name and the quality of service that were asked for.
  /// - Operations run on `underlyingQueue`, if there is one; if that is serial, blocks run one at a
  ///   time, whatever the limit.
  /// - If `underlyingQueue` is nil, blocks run side by side, up to `limit` at once.
  /// - If `limit` is below one, `.limit(limit)` is thrown.
  /// - If `underlyingQueue` is the main queue, `.mainQueue` is thrown; a queue that only has the
  ///   same label is taken.
  ///
  /// - Parameters:
  ///   - name: What it is called in the debugger, in reverse DNS.
  ///   - limit: How many operations may execute at once; one or more.
  ///   - qualityOfService: How urgent its operations are. An underlying queue goes before this:
  ///     then the operations run with that queue's.
  ///   - underlyingQueue: The dispatch queue that operations are run on, such as the one that
  ///     guards what they use. Nil lets the system choose the threads. A queue that has the main
  ///     queue as its target can't be told from others.
  /// - Throws: ``Refusal`` if the limit or the queue is refused.
  public init(
    name: String, limit: Int, qualityOfService: QualityOfService = .utility,
    underlyingQueue: DispatchQueue? = nil
  ) throws(Refusal) {
    super.init()
    // TODO: Refuse a limit below one, and the main queue: throw .limit(limit), throw .mainQueue.
    // TODO: The name, the quality of service, the underlying queue and the limit.
  }

  /// Pauses the queue.
  ///
  /// - After a pause no further operation begins until every pause has been taken back by a resume.
  public func pause() {
    // TODO: Count the pause, and see to it that nothing begins; what runs goes on.
  }

  /// Takes one pause back.
  ///
  /// - A resume takes back one pause; when none is left, the queue runs again.
  /// - If the queue isn't paused, a resume does nothing and isn't counted.
  public func resume() {
    // TODO: The last resume lets the queue run again; a resume too many does nothing.
  }
}
