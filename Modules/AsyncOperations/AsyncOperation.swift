import Foundation

/// An operation whose work goes on after `main()` has returned, until ``finish()`` is called.
///
/// A plain `Operation` is finished as soon as its `main()` returns, which is too early for work
/// that ends in a callback. Subclass this one instead: override `main()`, begin the work there,
/// return at once, and call ``finish()`` when the work has ended, on every path, from any thread.
///
/// ```swift
/// final class Download: AsyncOperation, @unchecked Sendable {
///   override func main() {
///     session.dataTask(with: url) { data, _, error in
///       // … keep the data or the error …
///       self.finish()
///     }.resume()
///   }
/// }
/// ```
///
/// Until ``finish()`` the operation is executing: its queue counts it as running, its dependents
/// wait, and no thread is held. Then its queue lets go of it, its dependents start and its
/// `completionBlock` is called, once.
///
/// **Cancellation.** `cancel()` is a request. An operation that is cancelled before it has started
/// never calls `main()`; it is finished when its queue starts it, not before, so that whatever
/// depends on it goes on in order. An operation that is cancelled while it works is finished by
/// ``finish()`` like any other: look at `isCancelled` in the work and call it early.
///
/// **Notices.** Every change of `isExecuting` and `isFinished` is announced by key-value observing,
/// with the old value before the change and the new one after it. No lock is held meanwhile, so an
/// observer may read the operation or call it. By the time that `isFinished` is announced,
/// `isExecuting` is false.
///
/// Safe to use from every thread. `isReady` is left to Foundation, which knows the dependencies.
///
/// - Warning: `main()` has to be overridden and mustn't be called; the inherited one does nothing,
///   so that nobody would call ``finish()``. An operation that nobody finishes stays in its queue
///   for ever.
///
/// Source: "Methods to Override" in Apple's documentation of `Operation`.
open class AsyncOperation: Operation, @unchecked Sendable {  // Safe: guarded by `lock`.
  private enum State {
    case waiting, executing, finished

    /// The property that is true in this state and no other.
    var key: String? {
      switch self {
      case .waiting: nil
      case .executing: "isExecuting"
      case .finished: "isFinished"
      }
    }
  }

  private let lock = NSLock()
  private var state = State.waiting
  /// Whether a thread has decided on a change and is on its way to make it; no other may decide.
  private var isChanging = false

  /// Creates an operation that waits to be added to a queue, or to be started by hand.
  public override init() {
    super.init()
  }

  /// True: the work may go on after ``start()`` has returned.
  public final override var isAsynchronous: Bool { true }

  /// Whether the work has begun and ``finish()`` hasn't been called.
  public final override var isExecuting: Bool { lock.withLock { state == .executing } }

  /// Whether the work has ended, or was cancelled before it began and then started.
  public final override var isFinished: Bool { lock.withLock { state == .finished } }

  /// Begins the work: calls `main()` on the calling thread; or finishes at once where the operation
  /// is cancelled.
  ///
  /// An operation that is finished in the notices of its start has no work left: `main()` isn't
  /// called then.
  ///
  /// A queue calls it. Call it by hand only on an operation that is in no queue. Another call has
  /// no effect.
  public final override func start() {
    guard !isCancelled else {
      change(from: .waiting, to: .finished)
      return
    }
    // Whoever hears that it's executing may have finished it by now.
    guard change(from: .waiting, to: .executing), isExecuting else { return }
    main()
  }

  /// Ends the operation.
  ///
  /// To be called when the work has ended, once, from any thread.
  ///
  /// May be called before `main()` returns. One call ends the operation, also where several threads
  /// call at the same moment. Any other call has no effect, and one before the start hasn't either.
  /// The call that ends it returns when the change is announced.
  public final func finish() {
    change(from: .executing, to: .finished)
  }

  /// Makes a change and announces it, unless the operation has left `old` or is about to.
  ///
  /// - Returns: Whether this call has made the change.
  @discardableResult
  private func change(from old: State, to new: State) -> Bool {
    let isMine = lock.withLock {
      guard state == old, !isChanging else { return false }
      isChanging = true
      return true
    }
    guard isMine else { return false }

    // The finished one is announced last: when a queue hears of it, all else is said.
    let keys = [new.key, old.key].compactMap(\.self)
    for key in keys { willChangeValue(forKey: key) }
    lock.withLock {
      state = new
      isChanging = false
    }
    for key in keys.reversed() { didChangeValue(forKey: key) }
    return true
  }
}
