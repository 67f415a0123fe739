// Page: make page KATA=AsyncOperation (Docs/ConcurrencyKatas.docc/AsyncOperation.md)

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
/// Source: "Methods to Override" in Apple's documentation of `Operation`.
///
/// Your turn: so far this is a plain operation, finished as soon as `main()` returns. Foundation
/// can't know when your work ends, so take over the state from it.
///
/// 1. Keep a state of your own: waiting, executing, finished. Any thread may read it, so guard it
///    with a lock (or a queue), and write in a comment why `@unchecked Sendable` is safe.
/// 2. Implement `isExecuting` and `isFinished` with that state, and let `isAsynchronous` return
///    true.
/// 3. Write `start()` without `super.start()`: change to executing first, then call `main()`. If
///    the operation is cancelled, change to finished instead.
/// 4. Write `finish()`: change from executing to finished. A call in another state has no effect,
///    and if two threads call it at the same moment, one of the two calls has none. That needs an
///    atomic check-and-set, since a check followed by a change is a race condition.
/// 5. Announce each change by key-value observing (KVO): `willChangeValue(forKey:)` before it and
///    `didChangeValue(forKey:)` after it, for "isExecuting" and "isFinished", whichever changes. A
///    queue relies on that to learn of the end. Observers read the state inside these two calls:
///    decide and change under the lock, but call them without it, as in the kata `StateNotifier`.
///
/// The inherited `cancel()`, `isCancelled` and `isReady` are right as they are.
open class AsyncOperation: Operation, @unchecked Sendable {  // Safe: not yet; step 1.
  // TODO: The state, and what guards it (step 1).

  /// Creates an operation, to be added to a queue or started by hand.
  public override init() {
    super.init()
  }

  /// Whether the work may continue after ``start()`` has returned.
  ///
  /// - `isAsynchronous` is true.
  public final override var isAsynchronous: Bool {
    // TODO: Return true (step 2).
    super.isAsynchronous
  }

  /// Whether the work is running.
  ///
  /// - `isExecuting` is true from the start of the work, before `main()` is called, until the
  ///   operation is finished, and at no other time.
  public final override var isExecuting: Bool {
    // TODO: Answer from the state (step 2).
    super.isExecuting
  }

  /// Whether the operation has ended.
  ///
  /// - `isFinished` is false until the operation is ended, by `finish()` or by the start of a
  ///   cancelled operation, and true from then on.
  public final override var isFinished: Bool {
    // TODO: Answer from the state (step 2).
    super.isFinished
  }

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
    // TODO: Change the state, announced, and begin the work (steps 3 and 5).
    super.start()
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
    // TODO: Change the state, announced, if it's still executing (steps 4 and 5).
  }
}
