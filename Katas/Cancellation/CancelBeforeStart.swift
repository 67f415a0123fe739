// Page: make page KATA=CancelBeforeStart (Docs/ConcurrencyKatas.docc/CancelBeforeStart.md)

import Foundation

/// Work that can be cancelled at any time, also before its queue has started it.
///
/// The operation is made from a closure, which is given `finish` to call when the work has ended,
/// and from a callback that passes a cancellation on.
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
/// **Cancelled before its turn**, it never works, and still it has to end: an operation that
/// doesn't finish holds its place in the queue and everybody who depends on it, for ever. But only
/// its turn may end it. A queue traps when it's given an operation that is finished already, and
/// complains when one finishes that it hasn't started. So ``cancel()`` only says that it's
/// cancelled; the queue starts it all the same, sooner than otherwise, since a cancelled operation
/// waits for no dependency; and ``start()`` finishes it at once.
///
/// **Cancelled while it works**, it goes on until the work calls `finish`.
///
/// Safe to use from every thread. Every change of `isExecuting` and `isFinished` is announced by
/// key-value observing.
///
/// - Note: A cancellation that comes at the very moment of the start may be passed on just before
///   `work` is called.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
///
/// Your turn: the state and its notices are given, at the end; write `start()` and `cancel()`.
///
/// - `change(from:to:)` makes a change and announces it. It has no effect, and returns false, where
///   the operation isn't in the state that it should come from.
/// - `start()` is called by the queue, once, also when the operation is cancelled. Don't call
///   `super.start()`.
/// - `cancel()` may be called at any time, by several threads, again and again. Foundation has to
///   know of it too, and may act on it before you have returned: whether there's something to pass
///   on is to be decided first. What you keep for it belongs under `lock`; call out without holding
///   it.
///
public final class CancellableOperation: Operation, @unchecked Sendable {  // Safe: behind `lock`.
  private let work: @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  private let onCancel: @Sendable () -> Void
  private let lock = NSLock()
  private var state = State.waiting
  /// Whether a thread has decided on a change and is on its way to make it; no other may decide.
  private var isChanging = false

  /// Creates an operation that waits to be started.
  ///
  /// - Parameters:
  ///   - onCancel: Called once when the operation is cancelled before it's finished, also where it
  ///     hasn't started; on the thread that cancels it, when `isCancelled` is true already. It may
  ///     call the operation.
  ///   - work: Called once when the operation starts, unless it's cancelled by then. It begins the
  ///     work and calls `finish` when the work has ended, from any thread; a second call has no
  ///     effect.
  public init(
    onCancel: @escaping @Sendable () -> Void = {},
    work: @escaping @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  ) {
    self.onCancel = onCancel
    self.work = work
    super.init()
  }

  /// True: the work may go on after ``start()`` has returned.
  public override var isAsynchronous: Bool { true }

  /// Whether the work has begun and hasn't called `finish`.
  public override var isExecuting: Bool { lock.withLock { state == .executing } }

  /// Whether the work has ended, or was cancelled before it began and then started.
  public override var isFinished: Bool { lock.withLock { state == .finished } }

  /// Calls `main()`; or finishes at once, without it, where the operation is cancelled.
  ///
  /// A queue calls it. Call it by hand only on an operation that is in no queue. Another call has no
  /// effect.
  public override func start() {
    // TODO: Finish at once if it's cancelled; otherwise go on to executing, then call main().
  }

  /// Asks the operation to stop, and passes that on to `onCancel` the first time.
  ///
  /// The operation isn't finished by it. Has no effect on an operation that is finished.
  public override func cancel() {
    // TODO: Tell Foundation, then pass it on to onCancel, once.
  }

  /// Begins the work.
  ///
  /// To be called by ``start()`` alone.
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
