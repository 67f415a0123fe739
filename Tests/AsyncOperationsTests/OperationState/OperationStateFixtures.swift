import Foundation
import KataTesting

extension OperationState {
  /// The three allowed moves.
  static let movesOfALife: [(OperationState, OperationState)] = [
    (.ready, .executing), (.executing, .finished), (.ready, .finished),
  ]

  /// The six pairs that aren't moves.
  static let pairsThatAreNoMoves: [(OperationState, OperationState)] = [
    (.executing, .ready), (.finished, .ready), (.finished, .executing),
    (.ready, .ready), (.executing, .executing), (.finished, .finished),
  ]
}

/// An operation that keeps an `OperationState` and relies on its answers.
// Safe: `state` is never replaced, and guards its value with a lock.
final class OperationStateWork: Operation, @unchecked Sendable {
  private let state = LockedValue(OperationState.ready)

  override var isAsynchronous: Bool { true }
  override var isReady: Bool { super.isReady && state.value == .ready }
  override var isExecuting: Bool { state.value == .executing }
  override var isFinished: Bool { state.value == .finished }

  override func start() { change(to: isCancelled ? .finished : .executing) }

  func finish() { change(to: .finished) }

  private func change(to next: OperationState) {
    let keyPaths = state.withLock { $0.keyPaths(changedByMovingTo: next) }
    for keyPath in keyPaths { willChangeValue(forKey: keyPath) }
    _ = state.withLock { $0.move(to: next) }
    for keyPath in keyPaths { didChangeValue(forKey: keyPath) }
  }
}
