// Page: make page KATA=OperationState (Docs/ConcurrencyKatas.docc/OperationState.md)
// Read first: make page KATA=AsyncOperations (the chapter of the module)

/// The state of an operation: one value in place of three flags, for operations that keep their own
/// state.
///
/// An operation whose work continues after `main()` has returned must implement `isReady`,
/// `isExecuting` and `isFinished` itself. They are three views of one thing, so store one thing: a
/// state. It knows which moves are allowed and which properties a move changes:
///
/// ```swift
/// let keyPaths = state.keyPaths(changedByMovingTo: .executing)  // isReady, isExecuting
/// keyPaths.forEach(willChangeValue(forKey:))
/// state.move(to: .executing)
/// keyPaths.forEach(didChangeValue(forKey:))
/// ```
///
/// - There are three states, and *cancelled* isn't one of them. Each has one of the three
///   properties, and in each state the properties of the other two are false.
/// - A state is a plain value: several threads may use their own copies at once without a data
///   race, even if no state was used before.
///
/// `isCancelled` may be true in any state; it only means that the result is no longer wanted.
///
/// If several threads share one state, guard it with a lock: check and move inside the critical
/// section, and send the notifications outside of it.
///
/// `isReady` also depends on the operation's dependencies, which only the superclass knows. Return
/// `super.isReady && state == .ready`.
///
/// Source: "Multicore Considerations" and "KVO-Compliant Properties" in Apple's documentation of
/// `Operation`.
///
/// Your turn: the three cases are given. Write what each state knows: its key path, its moves, and
/// what a move changes. Together they are a finite-state machine; no lock is needed, since it's a
/// value.
///
/// 1. `keyPath`: the names are compared letter by letter, and a wrong one causes no error. They are
///    listed in Apple's documentation of `Operation`, "KVO-Compliant Properties".
/// 2. `canMove(to:)`: of the nine pairs of states, three are moves. Consider an operation that is
///    cancelled before its start, and one that is finished twice.
/// 3. `keyPaths(changedByMovingTo:)` and `move(to:)`: build both on `canMove(to:)`. A move that
///    isn't allowed changes nothing.
public enum OperationState: CaseIterable, Sendable {
  /// Not started: waiting for a queue, for its dependencies, or for a free place in the queue.
  case ready
  /// Started, and its work hasn't ended.
  case executing
  /// Ended: the work is done, or the operation was cancelled before its start.
  case finished

  /// The key path of the property that is true in this state.
  ///
  /// - `keyPath` is the name of the property of `Operation` that is true in this state: "isReady",
  ///   "isExecuting" or "isFinished", letter by letter.
  ///
  /// Pass it to `willChangeValue(forKey:)` and `didChangeValue(forKey:)`.
  public var keyPath: String {
    // TODO: Write this.
    ""
  }

  /// Whether an operation may move from this state to `next`.
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
  ///   those of the property that becomes false and of the one that becomes true.
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
