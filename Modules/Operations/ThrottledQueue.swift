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
/// Source: Apple's documentation of `OperationQueue`, `maxConcurrentOperationCount`, `isSuspended` and
/// `underlyingQueue`.
public final class ThrottledQueue: OperationQueue, @unchecked Sendable {
  // Safe: guarded by `lock`.

  /// Why a queue isn't made.
  public enum Refusal: Error, Equatable {
    /// With this limit no operation would ever start, or as many as the system likes.
    case limit(Int)
    /// The main queue belongs to `OperationQueue.main` and takes no other.
    case mainQueue
  }

  private let lock = NSLock()
  private var pauses = 0

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
    // First of all: only what was made whole is sure to be let go of in one piece.
    super.init()
    guard limit > 0 else { throw .limit(limit) }
    if let underlyingQueue, underlyingQueue.isMain { throw .mainQueue }
    self.name = name
    self.qualityOfService = qualityOfService
    self.underlyingQueue = underlyingQueue
    maxConcurrentOperationCount = limit
  }

  /// Lets no further operation begin, until everybody who has paused the queue has resumed it.
  public func pause() {
    // Suspended under the lock: a pause and a resume at the same moment mustn't reach the queue in
    // another order than they were counted in. No operation runs inside, they have threads of their
    // own.
    lock.withLock {
      pauses += 1
      isSuspended = true
    }
  }

  /// Takes one pause back.
  ///
  /// Does nothing where the queue isn't paused.
  public func resume() {
    lock.withLock {
      guard pauses > 0 else { return }
      pauses -= 1
      if pauses == 0 { isSuspended = false }
    }
  }
}

extension DispatchQueue {
  /// Whether this is the main queue, told by a mark of our own on it.
  ///
  /// Neither its label tells, which any queue may bear, nor `===`: on Linux each use of
  /// `DispatchQueue.main` gives another object for the same queue.
  fileprivate var isMain: Bool { getSpecific(key: mainQueueMark) == true }
}

private let mainQueueMark: DispatchSpecificKey<Bool> = {
  let mark = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: mark, value: true)
  return mark
}()
