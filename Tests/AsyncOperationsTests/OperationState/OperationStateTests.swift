import Foundation
import KataTesting
import Testing

/// Proves which moves a state makes and which it refuses, and which properties each of them changes.
@Suite(.serialized, .kata) struct OperationStateTests {
  // one thread            another thread
  // asks, the first of all
  //                       asks: nothing orders the two
  @Test func `two threads may be the first to ask`() throws {
    // The first test of the suite: what is kept from the first use on isn't there yet.
    let meeting = RelaxedRendezvous()
    let looker = meeting.looker("the second to ask") {
      _ = OperationState.allCases.map(\.keyPath)
    }
    let names = OperationState.allCases.map(\.keyPath)
    meeting.changed()
    try looker.result(timersInPlay: true)
    #expect(
      names == ["isReady", "isExecuting", "isFinished"],
      """
      The key paths of ready, executing and finished are \(names). They must be "isReady", \
      "isExecuting" and "isFinished", as the properties of Operation are called. Begin with keyPath.
      """)
  }

  // MARK: - Names

  @Test(arguments: [
    (OperationState.ready, "isReady"), (.executing, "isExecuting"), (.finished, "isFinished"),
  ])
  func `a state names the property that is true in it`(state: OperationState, name: String) {
    #expect(
      state.keyPath == name,
      """
      The key path of \(state) is "\(state.keyPath)" and must be "\(name)", letter by letter: with \
      "is" in front and a capital behind it, as the property of Operation is called. Begin with \
      keyPath.
      """)
  }

  @Test func `cancelled is not a state`() {
    #expect(
      OperationState.allCases.count == 3,
      """
      There are \(OperationState.allCases.count) states: \(OperationState.allCases). An operation \
      that is cancelled is still ready, executing or finished, so there are three.
      """)
  }

  // MARK: - Moves

  @Test(arguments: [
    (OperationState.ready, OperationState.executing), (.executing, .finished),
  ])
  func `it goes from ready to executing to finished`(old: OperationState, new: OperationState) {
    #expect(
      old.canMove(to: new),
      "From \(old) to \(new) is a step of every operation's life, and is refused.")
  }

  @Test func `cancelled before its start, it goes from ready to finished`() {
    #expect(
      OperationState.ready.canMove(to: .finished),
      """
      From ready to finished is refused. An operation that was cancelled before its start never \
      executes, and still it must finish, or it stays in its queue for ever.
      """)
  }

  @Test(arguments: [
    (OperationState.executing, OperationState.ready), (.finished, .ready), (.finished, .executing),
  ])
  func `it never goes back`(old: OperationState, new: OperationState) {
    #expect(
      !old.canMove(to: new),
      """
      From \(old) to \(new) is allowed, which is backwards. An operation lives once: its queue \
      and its dependents have acted on what they were told.
      """)
  }

  @Test(arguments: OperationState.allCases)
  func `staying is not a move`(state: OperationState) {
    #expect(
      !state.canMove(to: state),
      """
      From \(state) to \(state) is allowed. Nothing changes by it, so it isn't a move: whoever \
      finishes an operation for the second time must be told that somebody has done it.
      """)
  }

  // MARK: - What a move changes

  @Test func `a move changes two properties`() {
    for (old, new) in OperationState.movesOfALife {
      let keyPaths = old.keyPaths(changedByMovingTo: new)
      #expect(
        keyPaths.sorted() == [old.keyPath, new.keyPath].sorted(),
        """
        From \(old) to \(new) two properties change: \(old.keyPath) becomes false and \
        \(new.keyPath) true. Both must be announced, each once; here it's \(keyPaths).
        """)
    }
  }

  @Test func `a refused move changes no property`() {
    for (old, new) in OperationState.pairsThatAreNoMoves {
      let keyPaths = old.keyPaths(changedByMovingTo: new)
      #expect(
        keyPaths.isEmpty,
        """
        From \(old) to \(new) isn't a move, so nothing changes and there is nothing to announce; \
        here it's \(keyPaths).
        """)
    }
  }

  @Test func `move goes where it may`() {
    for (old, new) in OperationState.movesOfALife {
      var state = old
      let hasMoved = state.move(to: new)
      #expect(state == new, "After move(to: .\(new)) from \(old) the state is \(state).")
      #expect(hasMoved, "move(to: .\(new)) from \(old) must return true.")
    }
  }

  @Test func `a refused move leaves it where it is`() {
    for (old, new) in OperationState.pairsThatAreNoMoves {
      var state = old
      let hasMoved = state.move(to: new)
      #expect(
        state == old,
        "move(to: .\(new)) from \(old) must have no effect, and the state is \(state) after it.")
      #expect(
        !hasMoved,
        """
        move(to: .\(new)) from \(old) must return false: that is how two threads that both want to \
        finish an operation learn which of them does.
        """)
    }
  }

  // one thread            another thread
  // asks its copy
  //                       asks its own: nothing orders the two
  @Test func `copies may be asked on two threads`() throws {
    // What is made on first use is made now.
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
    #expect(hasMoved && keyPaths.count == 2, "From executing it must go to finished.")
  }

  // MARK: - In an operation

  // queue          work
  // starts it
  //                executing
  //                finish
  // lets it go
  @Test func `an operation that keeps it leaves its queue`() {
    let work = OperationStateWork()
    let queue = OperationQueue()
    queue.addOperation(work)
    eventually("An operation that keeps such a state was started, and doesn't become executing.") {
      work.isExecuting
    }
    work.finish()
    eventually(
      """
      An operation that keeps such a state and announces keyPaths(changedByMovingTo:) was \
      finished, and its queue hasn't heard of it: check the names, and that both are there.
      """
    ) { queue.operationCount == 0 }
  }

  // queue          work
  //                cancelled
  // starts it
  //                finished
  // lets it go
  @Test func `an operation that keeps it and is cancelled leaves its queue`() {
    let work = OperationStateWork()
    work.cancel()
    let queue = OperationQueue()
    queue.addOperation(work)
    eventually(
      """
      An operation that keeps such a state was cancelled before its start and went from ready to \
      finished, and still it's in its queue.
      """
    ) { queue.operationCount == 0 }
  }
}
