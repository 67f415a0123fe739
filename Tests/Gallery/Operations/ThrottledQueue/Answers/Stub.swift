// Page: make page KATA=ThrottledQueue (Docs/ConcurrencyKatas.docc/ThrottledQueue.md)

import Dispatch
import Foundation

/// An operation queue with a limit, which several callers can pause.
///
/// ```swift
/// let uploads = try ThrottledQueue(name: "com.example.uploads", limit: 3, qualityOfService: .utility)
/// uploads.addOperations(photos.map(UploadOperation.init), waitUntilFinished: false)
///
/// uploads.pause()   // on a metered network: running uploads go on, no other begins
/// uploads.resume()
/// ```
///
/// Pauses are counted, since several parts of an app may each have a reason to pause the queue.
///
/// - At most `limit` operations execute at once.
/// - While the queue isn't paused, `limit` operations execute at once if so many are ready and have
///   a thread to start on, however large `limit` is.
/// - An operation that executes when the queue is paused isn't cancelled and goes on to its end.
/// - An operation that waits when the queue is paused, or is added while it is, isn't cancelled,
///   and begins after the last resume.
/// - A thread that waits until a paused queue is empty waits for the resume as well, if an
///   operation there hasn't begun.
/// - `pause` and `resume` return without waiting for any operation.
/// - `pause` and `resume` may be called by several threads at once; they take effect one after
///   another.
///
/// The caller must leave `maxConcurrentOperationCount`, `isSuspended` and `underlyingQueue` to this
/// class.
///
/// An operation counts as begun when the queue has submitted it to the dispatch queue. If that is
/// busy with other work, the operation may start after a pause that came in between.
///
/// Your turn. `OperationQueue` does most of this: set its properties in `init`, and count the
/// pauses. Count under a lock, since two threads may pause at the same moment. To recognize the
/// main queue, `===` doesn't work on Linux, and a label is only a name. Instead, mark the main
/// queue with `setSpecific(key:value:)`, and then call `getSpecific(key:)` on `underlyingQueue` to
/// look for the mark.
///
/// Source: Apple's documentation of `OperationQueue`, `maxConcurrentOperationCount`, `isSuspended`
/// and `underlyingQueue`.
public final class ThrottledQueue: OperationQueue, @unchecked Sendable {
  // TODO: Say here what makes it safe; the compiler can't check it.

  /// Why no queue is created.
  public enum Refusal: Error, Equatable {
    /// The limit is below one: Foundation would start no operation, start any number, or trap.
    case limit(Int)
    /// The main queue belongs to `OperationQueue.main` and can't be the queue of another one.
    case mainQueue
  }

  // TODO: Add the number of pauses, and what guards it.

  /// Creates a queue.
  ///
  /// - A new queue is empty and isn't paused.
  /// - The queue has the name that was asked for and, if there is no underlying queue, the quality
  ///   of service too.
  /// - Operations run on `underlyingQueue`, if there is one; if that is serial, blocks run one at a
  ///   time, whatever the limit.
  /// - If `underlyingQueue` is nil, blocks run side by side, up to `limit` at once.
  /// - If `limit` is below one, `.limit(limit)` is thrown.
  /// - If `underlyingQueue` is the main queue, `.mainQueue` is thrown; a queue that only has the
  ///   same label is accepted.
  ///
  /// - Parameters:
  ///   - name: The queue's name in the debugger, in reverse DNS.
  ///   - limit: How many operations may execute at once; one or more.
  ///   - qualityOfService: The quality of service of its operations. If there is an underlying
  ///     queue, that queue's quality of service takes precedence.
  ///   - underlyingQueue: The dispatch queue that operations run on, such as one that protects the
  ///     state they use. If it's nil, the system chooses the threads. A queue that has the main
  ///     queue as its target queue isn't recognized as the main queue.
  /// - Throws: ``Refusal`` if the limit or the queue is refused; if both are, for either of them.
  public init(
    name: String, limit: Int, qualityOfService: QualityOfService = .utility,
    underlyingQueue: DispatchQueue? = nil
  ) throws(Refusal) {
    super.init()
    // TODO: Refuse a limit below one, and the main queue: throw .limit(limit), throw .mainQueue.
    // TODO: Set the name, the quality of service, the underlying queue and the limit.
  }

  /// Pauses the queue.
  ///
  /// - After a pause no further operation begins until every pause has been taken back by a resume.
  public func pause() {
    // TODO: Count the pause, and suspend the queue. Operations that execute go on.
  }

  /// Takes back one pause.
  ///
  /// - A resume takes back one pause; when none is left, the queue runs again.
  /// - If the queue isn't paused, a resume does nothing and isn't counted.
  public func resume() {
    // TODO: Take back one pause. The last resume lets the queue run again; one too many does
    // nothing.
  }
}
