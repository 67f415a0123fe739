// Page: make page KATA=StateNotifier (Docs/ConcurrencyKatas.docc/StateNotifier.md)

import Foundation

/// The state of one operation, which announces every change by key-value observing (KVO).
///
/// An operation that keeps its own state stores a notifier, implements its properties with
/// ``state``, and changes it only through ``move(_:from:to:)``:
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
/// - A move is announced by a *will* and a *did* for each of two properties: that of the old state
///   and that of the new one.
/// - Both *wills* are sent before the change and both *dids* after it: observers read the old state
///   inside the *wills*, and the new state or a later one inside the *dids*.
/// - Both *dids* of a move are sent, even if the next move is made between them.
/// - From the first *will* of a move until the state has changed, every other move is refused, on
///   another thread and on the same one.
/// - A move is refused without waiting for the move that is being made.
/// - A refused move announces nothing and doesn't stop later moves.
/// - No lock is held while notices are sent: inside a notice any thread may read `state` without
///   waiting.
/// - Once the state has changed any thread may make the next move, also inside a *did*.
/// - Each operation has a state of its own: a move is made even while the move of another operation
///   is being announced.
/// - `state` and `move` may be used by several threads at once, without a data race.
/// - The notifier doesn't retain the operation after a move.
///
/// The order of the two properties is unspecified.
///
/// Source: "KVO-Compliant Properties" in Apple's documentation of `Operation`; "Manual Change
/// Notification" in the Key-Value Observing Programming Guide.
///
/// Your turn: the property names and the table of moves are given at the end of the file. Write
/// what guards the state, and write `move`.
///
/// 1. Guard `current` with a lock or a serial queue, in `state` as well as in `move`.
/// 2. In `move`, decide first, under the lock. Is it an allowed move? Is `old` the current state?
///    And is no thread making a move already, this one included? The last check needs a flag that
///    you set in the same critical section, because you are about to release the lock.
/// 3. Then release the lock and call `willChangeValue(forKey:)` for both properties. Take the lock,
///    change the state and clear the flag. Release it again and call `didChangeValue(forKey:)` for
///    both. Observers may read the state inside a notification, on any thread: if you held the
///    lock, that would be a deadlock.
///
/// Terms to search for: check-then-act, callback under a lock, reentrancy.
public final class StateNotifier: Sendable {
  /// Where an operation is in its life.
  public enum State: CaseIterable, Sendable {
    /// Not started.
    case ready
    /// Started, and its work hasn't ended.
    case executing
    /// Ended, for good.
    case finished
  }

  // Safe: not yet! Nothing guards `current` so far; that's step 1.
  private nonisolated(unsafe) var current = State.ready

  /// Creates the state of an operation that hasn't been started.
  ///
  /// - The state of a new notifier is ready.
  public init() {}

  /// The current state.
  public var state: State { current }

  /// Moves from `old` to `new`, and announces the change to the observers of `operation`.
  ///
  /// - `move` makes the moves from ready to executing, from executing to finished, and from ready
  ///   to finished, and refuses every other.
  /// - If the state is `old`, a move that is made changes it to `new`; if the state is another one,
  ///   the move is refused.
  /// - The notices are sent on the calling thread, and `move` returns when all of them are sent.
  /// - Returns: Whether this call has made the move.
  ///
  /// - Parameters:
  ///   - operation: The operation whose state this is.
  ///   - old: The state to come from.
  ///   - new: The state to go to.
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

  /// Whether an operation may move from this state to `next`.
  fileprivate func canMove(to next: Self) -> Bool {
    switch (self, next) {
    case (.ready, .executing), (.ready, .finished), (.executing, .finished): true
    default: false
    }
  }
}
