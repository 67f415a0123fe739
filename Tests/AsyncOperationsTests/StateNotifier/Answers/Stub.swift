// Page: make page KATA=StateNotifier (Docs/ConcurrencyKatas.docc/StateNotifier.md)

import Foundation

/// The state of one operation, which announces every change of it by key-value observing.
///
/// An operation that keeps its own state keeps one of these, answers from ``state``, and changes it
/// by ``move(_:from:to:)`` alone:
///
/// ```swift
/// final class Upload: Operation, @unchecked Sendable {
///   private let notifier = StateNotifier()
///
///   override var isReady: Bool { super.isReady && notifier.state == .ready }
///   override var isExecuting: Bool { notifier.state == .executing }
///   override var isFinished: Bool { notifier.state == .finished }
///
///   override func start() {
///     guard notifier.move(self, from: .ready, to: .executing) else { return }
///     // … begin the work …
///   }
/// }
/// ```
///
/// **Four notices.** A move changes two properties, that of the old state and that of the new one.
/// Each is announced by a *will* before the change and a *did* after it. So whoever hears them reads
/// the old state inside both *wills* and the new state inside both *dids*. Which of the two
/// properties comes first doesn't matter.
///
/// **One at a time.** Of several threads that ask for a move at once, one makes it and announces it.
/// The others are refused without waiting, from its first *will* on. A refused move announces
/// nothing.
///
/// **No lock is held while it notifies.** Inside a notice any thread may read ``state``; and once
/// the state has changed any thread may ask for the next move, inside a *did* too.
///
/// Safe to use from every thread. Doesn't keep the operation alive.
///
/// Source: "KVO-Compliant Properties" in Apple's documentation of `Operation`; "Manual Change
/// Notification" in the Key-Value Observing Programming Guide.
///
/// Your turn: the names of the properties and the table of moves are given, at the end; write what
/// guards the state, and `move`.
///
/// 1. Guard `current` with a lock or a queue, in `state` as well as in `move`.
/// 2. In `move`, decide first, under the lock: is it a move, is this the state to come from, and is
///    nobody making a move already, this thread included? The last needs a note that you leave under
///    that same lock, since you are going to let go of it.
/// 3. Then, without the lock, `willChangeValue(forKey:)` for both properties; under the lock, the
///    change; and without it again `didChangeValue(forKey:)` for both. Whoever hears a notice reads
///    the state there and then, on any thread: a lock that you still hold would stop it for ever.
public final class StateNotifier: Sendable {
  /// Where an operation is in its life.
  public enum State: CaseIterable, Sendable {
    /// Not started.
    case ready
    /// Started, and its work hasn't ended.
    case executing
    /// Over, for good.
    case finished
  }

  // Safe: not yet! Nothing guards `current` so far; that's step 1.
  private nonisolated(unsafe) var current = State.ready

  /// Creates the state of an operation that is ready.
  public init() {}

  /// The state now.
  ///
  /// Doesn't wait for a notice.
  public var state: State { current }

  /// Moves from `old` to `new`, and announces it as a change of `operation`.
  ///
  /// Notifies on the calling thread, and returns when all is said. A move is made where the state is
  /// `old`, where nobody is on the way to leave it, not even this thread, and where it leads from
  /// ready to executing, from executing to finished, or from ready to finished. Otherwise it's
  /// refused.
  ///
  /// - Parameters:
  ///   - operation: The operation whose state this is.
  ///   - old: The state to come from.
  ///   - new: The state to go to.
  /// - Returns: Whether this call has made the move.
  @discardableResult
  public func move(_ operation: Operation, from old: State, to new: State) -> Bool {
    // TODO: Decide, announce, change, announce.
    false
  }
}

// MARK: - Given: the names and the moves

extension StateNotifier.State {
  /// The name of the property of `Operation` that is true in this state.
  fileprivate var key: String {
    switch self {
    case .ready: "isReady"
    case .executing: "isExecuting"
    case .finished: "isFinished"
    }
  }

  /// Whether an operation in this state may be in `next` after it.
  fileprivate func canMove(to next: Self) -> Bool {
    switch (self, next) {
    case (.ready, .executing), (.ready, .finished), (.executing, .finished): true
    default: false
    }
  }
}
