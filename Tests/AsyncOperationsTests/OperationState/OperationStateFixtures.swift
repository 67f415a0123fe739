import Foundation

extension OperationState {
  /// The three moves that there are.
  static let movesOfALife: [(OperationState, OperationState)] = [
    (.ready, .executing), (.executing, .finished), (.ready, .finished),
  ]

  /// The six pairs that aren't moves.
  static let pairsThatAreNoMoves: [(OperationState, OperationState)] = [
    (.executing, .ready), (.finished, .ready), (.finished, .executing),
    (.ready, .ready), (.executing, .executing), (.finished, .finished),
  ]
}

/// An operation that keeps an `OperationState` and believes all it says.
// Safe: `state` is guarded by `lock`.
final class OperationStateWork: Operation, @unchecked Sendable {
  private let lock = NSLock()
  private var state = OperationState.ready

  override var isAsynchronous: Bool { true }
  override var isReady: Bool { super.isReady && lock.withLock { state == .ready } }
  override var isExecuting: Bool { lock.withLock { state == .executing } }
  override var isFinished: Bool { lock.withLock { state == .finished } }

  override func start() { change(to: isCancelled ? .finished : .executing) }

  func finish() { change(to: .finished) }

  private func change(to next: OperationState) {
    let keyPaths = lock.withLock { state.keyPaths(changedByMovingTo: next) }
    for keyPath in keyPaths { willChangeValue(forKey: keyPath) }
    _ = lock.withLock { state.move(to: next) }
    for keyPath in keyPaths { didChangeValue(forKey: keyPath) }
  }
}
