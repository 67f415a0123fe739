// Page: make page KATA=OperationState (Docs/ConcurrencyKatas.docc/OperationState.md)

/// Where an operation is in its life, for operations that keep their own state.
///
/// An operation that goes on after `main()` has returned answers `isReady`, `isExecuting` and
/// `isFinished` itself. Those are three questions about one thing, so keep one thing: a state. It
/// also says which moves there are, and what a move changes:
///
/// ```swift
/// let keyPaths = state.keyPaths(changedByMovingTo: .executing)  // isReady, isExecuting
/// keyPaths.forEach(willChangeValue(forKey:))
/// state.move(to: .executing)
/// keyPaths.forEach(didChangeValue(forKey:))
/// ```
///
/// - There are three states, in each of which exactly one of the three properties is true, and none
///   for *cancelled*.
/// - A state is a plain value: several threads may use their own copies at once, even the first
///   time, without a data race.
///
/// `isCancelled` may be true in each of the three, and says only that the result isn't wanted any
/// more.
///
/// If several threads share one state, guard it with a lock: look and move while you hold it, and
/// announce the change when you don't.
///
/// `isReady` depends on more than this: a waiting operation is ready when its dependencies are
/// finished, which only its superclass knows. Answer `super.isReady && state == .ready`.
///
/// Source: "Multicore Considerations" and "KVO-Compliant Properties" in Apple's documentation of
/// `Operation`.
///
/// Your turn: the three states are there, and everything they should know is missing.
///
/// 1. `keyPath`: Foundation looks for these names letter by letter, and is silent about a wrong one.
/// 2. `canMove(to:)`: of the nine pairs of states three are moves. Mind the operation that is
///    cancelled before its start, and the one that is told twice to finish.
/// 3. `keyPaths(changedByMovingTo:)` and `move(to:)`: a move that isn't allowed changes nothing.
public enum OperationState: CaseIterable, Sendable {
  /// Not started: it waits for a queue, for its dependencies, or for its turn.
  case ready
  /// Started, and its work hasn't ended.
  case executing
  /// Over: it has ended, or was cancelled before its start.
  case finished

  /// The name by which Foundation knows this state.
  ///
  /// - `keyPath` is the name of the property of `Operation` that is true in this state: "isReady",
  ///   "isExecuting" or "isFinished", letter by letter.
  ///
  /// It is what `willChangeValue(forKey:)` and `didChangeValue(forKey:)` are given.
  public var keyPath: String {
    // TODO: Write this.
    ""
  }

  /// Whether an operation in this state may be in `next` after it.
  ///
  /// - `canMove(to:)` returns true for the moves from ready to executing and from executing to
  ///   finished.
  /// - `canMove(to:)` returns true for the move from ready to finished, which an operation makes if
  ///   it is cancelled before its start.
  /// - `canMove(to:)` returns false for every move back; finished is final.
  /// - `canMove(to:)` returns false if `next` is the state itself.
  public func canMove(to next: OperationState) -> Bool {
    // TODO: Write this.
    false
  }

  /// The key paths of the properties that a move to `next` changes.
  ///
  /// - If the move is allowed, `keyPaths(changedByMovingTo:)` returns two key paths, in any order:
  ///   of the property that becomes false and of the one that becomes true.
  /// - If the move isn't allowed, `keyPaths(changedByMovingTo:)` returns no key path.
  public func keyPaths(changedByMovingTo next: OperationState) -> [String] {
    // TODO: Write this.
    []
  }

  /// Moves to `next`, if that move is allowed.
  ///
  /// - If the move is allowed, `move(to:)` changes the state to `next`.
  /// - If the move isn't allowed, `move(to:)` has no effect.
  /// - Returns: Whether this call has moved the state.
  @discardableResult
  public mutating func move(to next: OperationState) -> Bool {
    // TODO: Write this.
    false
  }
}
