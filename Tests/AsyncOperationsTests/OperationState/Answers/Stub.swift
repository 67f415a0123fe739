// Page: make page KATA=OperationState (Docs/ConcurrencyKatas.docc/OperationState.md)

/// Where an operation is in its life, for operations that keep their own state.
///
/// An operation that goes on after `main()` has returned answers `isReady`, `isExecuting` and
/// `isFinished` itself. Those are three questions about one thing, so keep one thing: a state, in
/// which exactly one of the three is true. It also says which moves there are, and what a move
/// changes:
///
/// ```swift
/// let keyPaths = state.keyPaths(changedByMovingTo: .executing)  // isReady, isExecuting
/// keyPaths.forEach(willChangeValue(forKey:))
/// state.move(to: .executing)
/// keyPaths.forEach(didChangeValue(forKey:))
/// ```
///
/// There is no state for *cancelled*. `isCancelled` may be true in each of the three, and says only
/// that somebody doesn't want the result any more.
///
/// A plain value, safe to copy to every thread. Where several threads share one, guard it with a
/// lock: look and move while you hold it, and announce the change when you don't.
///
/// - Note: `isReady` depends on more than this: a waiting operation is ready when its dependencies
///   are finished, which only its superclass knows. Answer `super.isReady && state == .ready`.
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
  /// Over, for good.
  case finished

  /// The name of the property of `Operation` that is true in this state: "isReady", "isExecuting"
  /// or "isFinished".
  ///
  /// To be given to `willChangeValue(forKey:)` and `didChangeValue(forKey:)`.
  public var keyPath: String {
    // TODO: Write this.
    ""
  }

  /// Whether an operation in this state may be in `next` after it.
  ///
  /// It goes from ready to executing to finished; or from ready to finished, without any work, where
  /// it is cancelled before its start. It never goes back, nor to where it is already.
  public func canMove(to next: OperationState) -> Bool {
    // TODO: Write this.
    false
  }

  /// The key paths of the properties that a move to `next` changes: one becomes false and the other
  /// true.
  ///
  /// In any order; empty where that move isn't allowed, since then nothing changes.
  public func keyPaths(changedByMovingTo next: OperationState) -> [String] {
    // TODO: Write this.
    []
  }

  /// Moves to `next`, or has no effect where that move isn't allowed.
  ///
  /// - Returns: Whether it has moved.
  @discardableResult
  public mutating func move(to next: OperationState) -> Bool {
    // TODO: Write this.
    false
  }
}
