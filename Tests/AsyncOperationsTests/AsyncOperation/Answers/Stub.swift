// Page: make page KATA=AsyncOperation (Docs/ConcurrencyKatas.docc/AsyncOperation.md)

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
///
/// Your turn: this is still a plain operation, over as soon as `main()` returns. Foundation can't
/// know when your work ends, so take over what it knows.
///
/// 1. Keep a state of your own: waiting, executing, finished. Every thread may ask for it, so guard
///    it with a lock (or a queue), and say in a comment why `@unchecked Sendable` is true.
/// 2. Answer `isExecuting` and `isFinished` from that state.
/// 3. Write `start()` without `super.start()`: executing first, then `main()`. A cancelled
///    operation goes to finished at once instead.
/// 4. Write `finish()`: executing to finished. Any other call of it has no effect, also when two
///    threads call it at the same moment.
/// 5. Announce each change, or no queue will ever hear of it: `willChangeValue(forKey:)` before and
///    `didChangeValue(forKey:)` after it, for "isExecuting" and "isFinished", whichever changes.
///    Whoever listens reads the operation there and then, so decide and change under the lock, but
///    call these two without it.
///
/// `cancel()`, `isCancelled` and `isReady` are right as they are inherited.
open class AsyncOperation: Operation, @unchecked Sendable {  // Safe: not yet; step 1.
  // TODO: The state, and what guards it (step 1).

  /// Creates an operation that waits to be added to a queue, or to be started by hand.
  public override init() {
    super.init()
  }

  /// True: the work may go on after ``start()`` has returned.
  public final override var isAsynchronous: Bool { super.isAsynchronous }

  /// Whether the work has begun and ``finish()`` hasn't been called.
  public final override var isExecuting: Bool {
    // TODO: Answer from the state (step 2).
    super.isExecuting
  }

  /// Whether the work has ended, or was cancelled before it began and then started.
  public final override var isFinished: Bool {
    // TODO: Answer from the state (step 2).
    super.isFinished
  }

  /// Begins the work: calls `main()` on the calling thread; or finishes at once where the operation
  /// is cancelled.
  ///
  /// An operation that is finished in the notices of its start has no work left: `main()` isn't
  /// called then.
  ///
  /// A queue calls it. Call it by hand only on an operation that is in no queue. Another call has
  /// no effect.
  public final override func start() {
    // TODO: Change the state, announced, and begin the work (steps 3 and 5).
    super.start()
  }

  /// Ends the operation.
  ///
  /// To be called when the work has ended, once, from any thread.
  ///
  /// May be called before `main()` returns. One call ends the operation, also where several threads
  /// call at the same moment. Any other call has no effect, and one before the start hasn't either.
  /// The call that ends it returns when the change is announced.
  public final func finish() {
    // TODO: Change the state, announced, if it's still executing (steps 4 and 5).
  }
}
