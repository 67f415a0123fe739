// Page: make page KATA=CancelBeforeStart (Docs/ConcurrencyKatas.docc/CancelBeforeStart.md)
// Read first: make page KATA=Cancellation (the chapter of the module)

import Foundation

/// Work that can be cancelled at any time, even before its queue has started it.
///
/// The operation is created with two closures. `work` receives `finish`, which it calls when the
/// work has ended; `onCancel` passes a cancellation on to whatever the work has begun.
///
/// ```swift
/// let load = CancellableOperation(onCancel: { request.cancel() }) { finish in
///   request.send { reply in
///     // … keep the reply …
///     finish()
///   }
/// }
/// queue.addOperation(load)
/// load.cancel()  // never sent, if the queue hasn't started it
/// ```
///
/// An operation that never finishes keeps its place in the queue and holds up its dependents for
/// ever. But adding a finished operation to a queue crashes the process, and Foundation logs an
/// error about one that finishes before its queue has started it. So a queue starts cancelled
/// operations too.
///
/// - If the operation is cancelled before its start, `start()` finishes it at once: `work` isn't
///   called, and `isExecuting` stays false.
/// - `cancel()` doesn't finish an operation that hasn't been started.
/// - An operation that is cancelled while it works executes until the work calls `finish`.
/// - A cancelled operation waits for no dependency: its queue starts it when there is room and the
///   queue isn't suspended.
/// - Each change of `isExecuting` and `isFinished` is announced once by key-value observing.
/// - Several threads may start, cancel and finish the operation at once, without a data race.
///
/// If `cancel()` and `start()` run at the same moment, `onCancel` may be called just before `work`.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
///
/// Your turn: write `start()` and `cancel()`. The state and its notifications are given, at the end
/// of the class.
///
/// - `change(from:to:)` changes the state and announces that to key-value observers. If the
///   operation isn't in the first state, it has no effect and returns false.
/// - The queue calls `start()` once, even if the operation is cancelled. Then `start()` finishes
///   the operation without calling `main()`. Don't call `super.start()`.
/// - `cancel()` may be called at any time, more than once, and by several threads. It has to call
///   `super.cancel()`, which makes `isCancelled` true; then the queue may start and finish the
///   operation before your `cancel()` returns. So decide before you call `super.cancel()`, in one
///   critical section, whether this call of `cancel()` has to call `onCancel`.
/// - The work may end between that decision and `super.cancel()`. Then Foundation ignores the
///   cancellation, and `onCancel` mustn't be called.
/// - Guard what you store for the decision with `lock`, and release the lock before you call
///   `onCancel`.
public final class CancellableOperation: Operation, @unchecked Sendable {  // Safe: behind `lock`.
  private let work: @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  private let onCancel: @Sendable () -> Void
  private let lock = NSLock()
  private var state = State.waiting
  /// Whether a thread has decided to make a change and hasn't made it yet; no other may decide
  /// meanwhile.
  private var isChanging = false

  /// Creates an operation that waits to be started.
  ///
  /// - `work` isn't called before `start()`.
  /// - The first `finish` ends the operation at once, even if `work` hasn't returned; a second has
  ///   no effect.
  /// - `onCancel` is called once, by the first `cancel()`, whether or not the work has begun, but
  ///   not if the operation ends before `isCancelled` is true.
  /// - `onCancel` runs on the thread that calls `cancel()`, before `cancel()` returns.
  /// - When `onCancel` is called, `isCancelled` is true.
  /// - While `onCancel` runs, it and other threads may call the operation and `finish`.
  ///
  /// - Parameters:
  ///   - onCancel: Passes a cancellation on, to a request for example.
  ///   - work: Begins the work, and calls `finish` when the work has ended, from any thread.
  public init(
    onCancel: @escaping @Sendable () -> Void = {},
    work: @escaping @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  ) {
    self.onCancel = onCancel
    self.work = work
    super.init()
  }

  /// Whether the work may go on after ``start()`` has returned.
  ///
  /// - `isAsynchronous` is true.
  public override var isAsynchronous: Bool { true }

  /// Whether the work has begun and hasn't called `finish`.
  public override var isExecuting: Bool { lock.withLock { state == .executing } }

  /// Whether the work has ended, or was cancelled before it began and then started.
  public override var isFinished: Bool { lock.withLock { state == .finished } }

  /// Calls `main()`, which calls `work`, unless the operation is cancelled.
  ///
  /// Queues call it. Call it yourself only on an operation that is in no queue.
  ///
  /// - A second `start()` has no effect, even if the operation has been cancelled meanwhile.
  public override func start() {
    // TODO: If it's cancelled, finish at once. Otherwise change to executing and call main().
  }

  /// Asks the operation to stop, and calls `onCancel`.
  ///
  /// - When `cancel()` returns, `isCancelled` is true, unless the operation finished first.
  /// - `cancel()` doesn't wait for `start()`, which may be running the work on another thread.
  public override func cancel() {
    // TODO: Tell Foundation (super.cancel()), then call onCancel, once.
  }

  /// Begins the work.
  ///
  /// Only ``start()`` may call it.
  public override func main() {
    work { [self] in _ = change(from: .executing, to: .finished) }
  }

  // MARK: - Given: the state and its notices

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

  /// Makes a change and announces it, unless the state isn't `old` or another change is being made.
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
