import KataTesting
import Testing

extension OperationStateTests {
  // MARK: - Every schedule

  @Test func `in every schedule each thread gets the answer to its own question`() {
    let threads = [
      [[canMove(from: .ready, to: .executing)], [canMove(from: .executing, to: .ready)]],
      [[canMove(from: .finished, to: .ready)], [canMove(from: .ready, to: .finished)]],
      [[keyPath(of: .ready)], [keyPath(of: .finished)]],
      [[move(from: .ready, to: .finished)], [move(from: .finished, to: .executing)]],
    ]
    let subject = ModelledSubject<StateMoves, StateMoves>(model: StateMoves()) { StateMoves() }
    explore(threads.map { Scenario(subject, threads: $0) })
  }

  private typealias Call = ModelledCall<StateMoves, StateMoves>

  private func canMove(from old: OperationState, to new: OperationState) -> Call {
    Call("\(old).canMove(to: \(new))") { _ in
      old.canMove(to: new)
    } model: {
      $0.areAllowed(old, new)
    }
  }

  private func keyPath(of state: OperationState) -> Call {
    Call("\(state).keyPath") { _ in
      state.keyPath
    } model: { _ in
      state == .ready ? "isReady" : "isFinished"
    }
  }

  private func move(from old: OperationState, to new: OperationState) -> Call {
    Call("\(old).move(to: \(new))") { _ in
      var copy = old
      return copy.move(to: new) ? "\(copy)" : "refused"
    } model: {
      $0.areAllowed(old, new) ? "\(new)" : "refused"
    }
  }
}

/// The model: the allowed moves.
///
/// Threads share no state, so it never changes.
private struct StateMoves: Sendable {
  func areAllowed(_ old: OperationState, _ new: OperationState) -> Bool {
    OperationState.movesOfALife.contains { $0 == (old, new) }
  }
}
