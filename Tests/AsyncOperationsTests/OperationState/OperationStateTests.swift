import Foundation
import KataTesting
import Testing

/// Proves which moves a state makes and which it refuses, and which properties each move changes.
@Suite(.serialized, .kata) struct OperationStateTests {
  // one thread            another thread
  // asks, the first of all
  //                       asks: nothing orders the two
  @Test func `two threads may be the first to use a state`() throws {
    // The first test of the suite: nothing has been cached by an earlier use yet.
    let states = [OperationState.ready, .executing, .finished]
    let names = try firstUse { states.map(\.keyPath) }
    #expect(
      names == ["isReady", "isExecuting", "isFinished"],
      """
      The key paths of ready, executing and finished are \(names). They must be "isReady", \
      "isExecuting" and "isFinished", the names of the properties of Operation. Begin with keyPath.
      """)
    _ = try firstUse {
      OperationState.movesOfALife.map { old, new in
        var state = old
        return (old.keyPaths(changedByMovingTo: new), state.move(to: new))
      }
    }
  }

  /// Asks on this thread and then on another, with nothing that orders the two.
  private func firstUse<Answer>(_ ask: @escaping @Sendable () -> Answer) throws -> Answer {
    let meeting = RelaxedRendezvous()
    let looker = meeting.looker("the second to ask") { _ = ask() }
    let answer = ask()
    meeting.changed()
    try looker.result(timersInPlay: true)
    return answer
  }

  // MARK: - Names

  @Test(arguments: [
    (OperationState.ready, "isReady"), (.executing, "isExecuting"), (.finished, "isFinished"),
  ])
  func `a state names the property that is true in it`(state: OperationState, name: String) {
    #expect(
      state.keyPath == name,
      """
      The key path of \(state) is "\(state.keyPath)". It must be "\(name)", letter by letter: the \
      name of the property of Operation, with the prefix "is" and a capital after it. Begin with \
      keyPath.
      """)
  }

  @Test func `cancelled is not a state`() {
    #expect(
      OperationState.allCases.count == 3,
      """
      There are \(OperationState.allCases.count) states: \(OperationState.allCases). There must be \
      three: an operation that is cancelled is still ready, executing or finished.
      """)
  }

  // MARK: - Moves

  @Test(arguments: [
    (OperationState.ready, OperationState.executing), (.executing, .finished),
  ])
  func `it moves from ready to executing to finished`(old: OperationState, new: OperationState) {
    #expect(
      old.canMove(to: new),
      "The move from \(old) to \(new) is refused. Every operation makes it: allow it.")
  }

  @Test func `cancelled before its start, it moves from ready to finished`() {
    #expect(
      OperationState.ready.canMove(to: .finished),
      """
      The move from ready to finished is refused. An operation that was cancelled before its start \
      doesn't execute, but it must finish: otherwise it stays in its queue forever.
      """)
  }

  @Test(arguments: [
    (OperationState.executing, OperationState.ready), (.finished, .ready), (.finished, .executing),
  ])
  func `a state never moves back`(old: OperationState, new: OperationState) {
    #expect(
      !old.canMove(to: new),
      """
      The move from \(old) to \(new) is allowed, but it goes backwards. An operation runs only \
      once: its queue and its dependents have already acted on the earlier moves.
      """)
  }

  @Test(arguments: OperationState.allCases)
  func `staying is not a move`(state: OperationState) {
    #expect(
      !state.canMove(to: state),
      """
      The move from \(state) to \(state) is allowed. It changes nothing, so it isn't a move: a \
      second call that finishes an operation must learn that it came too late.
      """)
  }

  // MARK: - What a move changes

  @Test func `a move changes two properties`() {
    for (old, new) in OperationState.movesOfALife {
      let keyPaths = old.keyPaths(changedByMovingTo: new)
      #expect(
        keyPaths.sorted() == [old.keyPath, new.keyPath].sorted(),
        """
        The move from \(old) to \(new) changes two properties: \(old.keyPath) becomes false and \
        \(new.keyPath) true. Both must be announced, each once; the key paths here are \(keyPaths).
        """)
    }
  }

  @Test func `a refused move changes no property`() {
    for (old, new) in OperationState.pairsThatAreNoMoves {
      let keyPaths = old.keyPaths(changedByMovingTo: new)
      #expect(
        keyPaths.isEmpty,
        """
        From \(old) to \(new) isn't a move, so there is nothing to announce. There must be no key \
        paths; here they are \(keyPaths).
        """)
    }
  }

  @Test func `an allowed move changes the state`() {
    for (old, new) in OperationState.movesOfALife {
      var state = old
      let hasMoved = state.move(to: new)
      #expect(state == new, "After move(to: .\(new)) from \(old) the state is \(state).")
      #expect(hasMoved, "move(to: .\(new)) from \(old) must return true.")
    }
  }

  @Test func `a refused move leaves the state as it is`() {
    for (old, new) in OperationState.pairsThatAreNoMoves {
      var state = old
      let hasMoved = state.move(to: new)
      #expect(
        state == old,
        "move(to: .\(new)) from \(old) must have no effect, but now the state is \(state).")
      #expect(
        !hasMoved,
        """
        move(to: .\(new)) from \(old) must return false. If two threads want to finish an \
        operation, the result tells each whether it was the one.
        """)
    }
  }

  // one thread            another thread
  // asks its copy
  //                       asks its own: nothing orders the two
  @Test func `two threads may use copies at once`() throws {
    // Anything that is created on first use is created now.
    var first = OperationState.ready
    _ = (first.keyPath, first.keyPaths(changedByMovingTo: .executing), first.move(to: .executing))
    let meeting = RelaxedRendezvous()
    let looker = meeting.looker("the second copy") {
      var second = OperationState.ready
      _ = (second.keyPath, second.keyPaths(changedByMovingTo: .finished))
      second.move(to: .finished)
    }
    let keyPaths = first.keyPaths(changedByMovingTo: .finished)
    let hasMoved = first.move(to: .finished)
    meeting.changed()
    try looker.result(timersInPlay: true)
    #expect(hasMoved && keyPaths.count == 2, "From executing a copy must move to finished.")
  }

  // MARK: - In an operation

  // queue          work
  // starts it
  //                executing
  //                finish
  // removes it
  @Test func `an operation that keeps such a state leaves its queue`() {
    let work = OperationStateWork()
    let queue = OperationQueue()
    queue.addOperation(work)
    eventually("An operation that keeps such a state was started, but doesn't become executing.") {
      work.isExecuting
    }
    work.finish()
    eventually(
      """
      An operation that keeps such a state and announces keyPaths(changedByMovingTo:) was \
      finished, but it doesn't leave its queue. Check the names of the key paths, and that there \
      are two.
      """
    ) { queue.operationCount == 0 }
  }

  // queue          work
  //                cancelled
  // starts it
  //                finished
  // removes it
  @Test func `a cancelled operation that keeps such a state leaves its queue`() {
    let work = OperationStateWork()
    work.cancel()
    let queue = OperationQueue()
    queue.addOperation(work)
    eventually(
      """
      An operation that keeps such a state was cancelled before its start. It must move from ready \
      to finished when it's started, but it doesn't leave its queue.
      """
    ) { queue.operationCount == 0 }
  }
}
