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
/// - A move is announced by a *will* and a *did* for each of two properties: that of the old state
///   and that of the new one.
/// - Both *wills* are sent before the change and both *dids* after it: observers read the old state
///   inside the *wills* and the new state inside the *dids*.
/// - A move is announced to its end, even if the next move is made meanwhile.
/// - From the first *will* of a move until the state has changed, every other move is refused, on
///   another thread and on the same one.
/// - A move is refused without waiting for the move that is being made.
/// - A refused move announces nothing and doesn't stop later moves.
/// - No lock is held while notices are sent: inside a notice any thread may read `state` without
///   waiting.
/// - Once the state has changed any thread may make the next move, also inside a *did*.
/// - Each operation has a state of its own: a move is made even while another operation announces
///   one.
/// - `state` and `move` may be used by several threads at once, without a data race.
/// - The notifier doesn't retain the operation after a move, whatever the state.
///
/// Which of the two properties is announced first doesn't matter.
///
/// Source: "KVO-Compliant Properties" in Apple's documentation of `Operation`; "Manual Change
/// Notification" in the Key-Value Observing Programming Guide.
///
/// Your turn: the names of the properties and the table of moves are given, at the end; write what
/// guards the state, and `move`.
///
/// 1. Guard `current` with a lock or a queue, in `state` as well as in `move`.
/// 2. In `move`, decide first, under the lock: is it a move, is this the state to come from, and is
///    no thread making a move already, this one included? The last needs a note that you leave
///    under that same lock, since you are going to let go of it.
/// 3. Then, without the lock, `willChangeValue(forKey:)` for both properties; under the lock, the
///    change; and without it again `didChangeValue(forKey:)` for both. An observer reads the
///    state inside a notice, on any thread: a lock that you still hold would stop it for ever.
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

  /// Creates the state of an operation that waits to be started.
  ///
  /// - The state of a new notifier is ready.
  public init() {}

  /// The state now.
  public var state: State { current }

  /// Moves from `old` to `new`, and announces it as a change of `operation`.
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

  /// Whether an operation in this state may be in `next` after it.
  fileprivate func canMove(to next: Self) -> Bool {
    switch (self, next) {
    case (.ready, .executing), (.ready, .finished), (.executing, .finished): true
    default: false
    }
  }
}
