import Foundation

/// An operation whose work continues after `main()` has returned, until ``finish()`` is called.
///
/// A plain `Operation` is finished as soon as its `main()` returns, which is too early for work
/// that ends in a callback. Subclass this class instead: override `main()`, begin the work there
/// and return at once. Call ``finish()`` when the work has ended, on every path, from any thread.
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
/// - Until `finish()` the operation stays in its queue and its dependents wait, even if `main()`
///   has returned.
/// - After `finish()` its queue removes the operation, its dependents start, and its
///   `completionBlock` is called once.
/// - No thread is held while the work goes on: `start()` returns when `main()` has.
/// - The inherited `main()` does nothing: it neither traps nor ends the operation.
/// - If the operation is cancelled before its start, `main()` is never called; the operation is
///   finished by its start, and not before.
/// - If the operation is cancelled while it waits for a dependency, it leaves its queue without
///   waiting for that.
/// - If the operation is cancelled while it works, it goes on until `finish()`, which ends it like
///   any other.
/// - Every change of `isExecuting` and `isFinished` is announced by key-value observing, with the
///   old value before the change and the new one, or a later one, after it.
/// - In the notice after `isFinished` has become true, `isExecuting` is false.
/// - No lock is held while a change is announced: an observer, or a thread that it waits for, may
///   read the operation or call it.
/// - Every thread may read the state or call `finish()` while another thread changes the state.
///
/// `cancel()` doesn't finish an operation that hasn't been started: its queue still starts it. Its
/// dependents wait until then, unless they are cancelled too. Work that can be cancelled checks
/// `isCancelled` and calls ``finish()`` early. `isReady` is left to Foundation, which knows the
/// dependencies.
///
/// The subclass must override `main()`, and callers must not call it. An operation that never
/// finishes stays in its queue forever.
///
/// Safe to use from every thread.
///
/// Source: "Methods to Override" in Apple's documentation of `Operation`.
open class AsyncOperation: Operation, @unchecked Sendable {  // Safe: guarded by `lock`.
  private enum State {
    case waiting, executing, finished

    /// The property that is true in this state only.
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
  /// Whether a thread has decided on a change and hasn't made it yet; no other may decide
  /// meanwhile.
  private var isChanging = false

  /// Creates an operation, to be added to a queue or started by hand.
  public override init() {
    super.init()
  }

  /// Whether the work may continue after ``start()`` has returned.
  ///
  /// - `isAsynchronous` is true.
  public final override var isAsynchronous: Bool { true }

  /// Whether the work is running.
  ///
  /// - `isExecuting` is true from the start of the work, before `main()` is called, until the
  ///   operation is finished, and at no other time.
  public final override var isExecuting: Bool { lock.withLock { state == .executing } }

  /// Whether the operation has ended.
  ///
  /// - `isFinished` is false until the operation is ended, by `finish()` or by the start of a
  ///   cancelled operation, and true from then on.
  public final override var isFinished: Bool { lock.withLock { state == .finished } }

  /// Begins the work.
  ///
  /// A queue calls it. Call it by hand only on an operation that is in no queue.
  ///
  /// - `start()` calls `main()` on the calling thread, unless the operation is cancelled.
  /// - A second call of `start()` has no effect and announces nothing, even while the first start
  ///   is announced.
  /// - If `finish()` is called in the notice after `isExecuting` has become true, it ends the
  ///   operation, and `main()` isn't called.
  public final override func start() {
    guard !isCancelled else {
      change(from: .waiting, to: .finished)
      return
    }
    // An observer of the start may have finished the operation by now.
    guard change(from: .waiting, to: .executing), isExecuting else { return }
    main()
  }

  /// Ends the operation.
  ///
  /// Call it once, when the work has ended.
  ///
  /// - `finish()` ends the operation on any thread, also before `main()` has returned.
  /// - Of the calls of `finish()` while `isExecuting` is true, one ends the operation. Any other
  ///   call, earlier, later or at the same moment, has no effect and announces nothing.
  /// - The call that ends the operation returns when the end has been announced.
  public final func finish() {
    change(from: .executing, to: .finished)
  }

  /// Makes a change and announces it, unless the operation isn't in `old`, or another thread is
  /// making a change.
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

    // `isFinished` is announced last: when the queue is notified, all other changes are announced.
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
