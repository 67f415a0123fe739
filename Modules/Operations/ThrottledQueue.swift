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
/// Safe to use from every thread.
///
/// Source: Apple's documentation of `OperationQueue`, `maxConcurrentOperationCount`, `isSuspended`
/// and `underlyingQueue`.
public final class ThrottledQueue: OperationQueue, @unchecked Sendable {
  // Safe: guarded by `lock`.

  /// Why no queue is created.
  public enum Refusal: Error, Equatable {
    /// The limit is below one: Foundation would start no operation, start any number, or trap.
    case limit(Int)
    /// The main queue belongs to `OperationQueue.main` and can't be the queue of another one.
    case mainQueue
  }

  private let lock = NSLock()
  private var pauses = 0

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
    // Before the checks, so that a throw releases a fully initialized object.
    super.init()
    guard limit > 0 else { throw .limit(limit) }
    if let underlyingQueue, underlyingQueue.isMain { throw .mainQueue }
    self.name = name
    self.qualityOfService = qualityOfService
    self.underlyingQueue = underlyingQueue
    maxConcurrentOperationCount = limit
  }

  /// Pauses the queue.
  ///
  /// - After a pause no further operation begins until every pause has been taken back by a resume.
  public func pause() {
    // Suspended under the lock: a pause and a resume at the same moment must reach the queue in the
    // order in which they were counted. No operation runs inside: operations have threads of their
    // own.
    lock.withLock {
      pauses += 1
      isSuspended = true
    }
  }

  /// Takes back one pause.
  ///
  /// - A resume takes back one pause; when none is left, the queue runs again.
  /// - If the queue isn't paused, a resume does nothing and isn't counted.
  public func resume() {
    lock.withLock {
      guard pauses > 0 else { return }
      pauses -= 1
      if pauses == 0 { isSuspended = false }
    }
  }
}

extension DispatchQueue {
  /// Whether this is the main queue, recognized by a mark.
  ///
  /// A label wouldn't do, since any queue may have any label. Nor would `===`: on Linux each use of
  /// `DispatchQueue.main` returns another object for the same queue.
  fileprivate var isMain: Bool { getSpecific(key: mainQueueMark) == true }
}

private let mainQueueMark: DispatchSpecificKey<Bool> = {
  let mark = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: mark, value: true)
  return mark
}()
