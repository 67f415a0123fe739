import Foundation
import KataTesting
import Testing

/// Proves that each move is made once and announced around the change, with no lock held, on the
/// thread that makes it.
@Suite(.serialized, .kata) struct StateNotifierTests {
  typealias State = StateNotifier.State

  let timeline = Timeline()

  let heldLock = """
    If a lock is held, or a queue occupied, while the notices are sent, release it first: an \
    observer reads the state inside a notice.
    """

  // MARK: - The state

  @Test func `a move changes the state`() throws {
    let work = StateNotifierWork()
    #expect(work.notifier.state == .ready, "A new notifier must be ready.")
    let hasMoved = try mustReturn("move", "\(heldLock)") {
      work.move(from: .ready, to: .executing)
    }
    #expect(
      work.notifier.state == .executing,
      """
      It was moved from ready to executing, but its state is \(work.notifier.state). Begin with \
      move: let it change the state.
      """)
    #expect(hasMoved, "It was moved from ready to executing, so move must return true.")
  }

  @Test(arguments: StateNotifier.State.allCases)
  func `only an allowed move from the current state is made`(current: StateNotifier.State) throws {
    let attempts = try mustReturn("move", "\(heldLock)") {
      State.allCases.flatMap { old in
        State.allCases.map { new in StateNotifierAttempt(current: current, from: old, to: new) }
      }
    }
    for fault in attempts.compactMap(\.fault) { Issue.record("\(fault)") }
  }

  // MARK: - The notices

  @Test(.observesKVO, arguments: StateNotifier.State.moves)
  func `both properties are announced`(
    old: StateNotifier.State, new: StateNotifier.State
  ) throws {
    let record = try recordedMove(from: old, to: new)
    for key in [old.probedKey, new.probedKey] {
      let (wills, dids) = (record.count(of: .will(key)), record.count(of: .did(key)))
      #expect(
        wills == 1 && dids == 1,
        record.showing(
          """
          From \(old) to \(new) the property \(key) changes. It must be announced by one \
          willChangeValue(forKey: "\(key)") and one didChangeValue(forKey: "\(key)"); here there \
          were \(wills) and \(dids). Two properties change, so there are four notices.
          """))
    }
  }

  @Test(.observesKVO, arguments: StateNotifier.State.moves)
  func `inside will the state is the old one, inside did the new one`(
    old: StateNotifier.State, new: StateNotifier.State
  ) throws {
    let record = try recordedMove(from: old, to: new)
    for key in [old.probedKey, new.probedKey] {
      #expect(
        record.states(inside: .will(key)) == [old],
        record.showing(
          """
          Read inside "will \(key)", the state must still be \(old): call willChangeValue for both \
          properties before you change anything.
          """))
      #expect(
        record.states(inside: .did(key)) == [new],
        record.showing(
          """
          Read inside "did \(key)", the state must be \(new): change it in one step, and call \
          didChangeValue for both properties after that.
          """))
    }
  }

  @Test(.observesKVO) func `the thread that moves sends the notices`() throws {
    let record = try recordedMove(from: .ready, to: .executing)
    #expect(
      !record.isEmpty && record.wasHeardOnOneThread,
      record.showing(
        """
        Some notices came from another thread than the one that called move. All of them must be \
        sent before move returns: send them directly, without a queue in between.
        """))
  }

  @Test(.observesKVO) func `a refused move announces nothing`() throws {
    let work = StateNotifierWork()
    let record = StateNotifierRecord()
    let probe = KVOProbe(work) { record.hear($0, in: work.notifier.state) }
    try mustReturn("move", "\(heldLock)") {
      work.move(from: .executing, to: .finished)
      work.move(from: .ready, to: .ready)
    }
    withExtendedLifetime(probe) {}
    #expect(
      record.isEmpty,
      record.showing(
        """
        Two moves were refused, so nothing has changed, but something was announced. Decide first, \
        then announce.
        """))
  }

  @Test func `after a refused move the next may be made`() throws {
    let work = StateNotifierWork()
    let moves = try mustReturn("move", "\(heldLock)") {
      [
        work.move(from: .executing, to: .finished), work.move(from: .ready, to: .ready),
        work.move(from: .ready, to: .executing), work.move(from: .ready, to: .finished),
        work.move(from: .executing, to: .finished),
      ]
    }
    #expect(
      moves == [false, false, true, false, true] && work.notifier.state == .finished,
      """
      Between the two moves that lead to finished, others were requested that aren't allowed, and \
      move returned \(moves). A refused move must leave nothing behind that stops the next one.
      """)
  }

  // queue          operation
  // starts it
  //                moves to executing
  //                moves to finished
  // removes it
  @Test func `a queue learns of the end`() throws {
    let work = StateNotifierWork()
    let completions = SharedCounter()
    work.completionBlock = { completions.increment() }
    try #require(
      work.notifier.state == .ready, "A new notifier must be ready: a queue traps otherwise.")
    let queue = OperationQueue()
    queue.addOperation(work)
    guard
      eventually(
        "An operation was started and moved to executing, but doesn't become executing.",
        until: { work.isExecuting })
    else { return }
    try mustReturn("move", "\(heldLock)") { work.move(from: .executing, to: .finished) }
    eventually(
      """
      An operation was moved to finished, but its queue still waits for it. A queue doesn't poll: \
      it learns of the end when didChangeValue(forKey: "isFinished") is called after the change.
      """
    ) { queue.operationCount == 0 && completions.value > 0 }
    runUntilQuiet()
    #expect(
      completions.value == 1,
      "The operation's completionBlock was called \(completions.value) times, not once.")
  }

  // MARK: - Moves

  /// Expects the notices of two moves, from ready to executing and on to finished.
  func expectTwoMoves(
    in record: StateNotifierRecord, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (key, count) in [(KVOProbe.Key.isReady, 1), (.isExecuting, 2), (.isFinished, 1)] {
      let (wills, dids) = (record.count(of: .will(key)), record.count(of: .did(key)))
      #expect(
        wills == count && dids == count,
        record.showing(
          """
          Two moves were made, from ready to executing and on to finished, the second while the \
          first was announced. Each has four notices, even if the state has changed again: for \
          \(key) there must be \(count) of will and of did; here there were \(wills) and \(dids).
          """), sourceLocation: sourceLocation)
    }
  }

  /// Brings an operation to `old`, then moves it to `new` and records what is announced.
  func recordedMove(
    from old: State, to new: State, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> StateNotifierRecord {
    let record = StateNotifierRecord()
    let probe = try mustReturn("move", "\(heldLock)", sourceLocation: sourceLocation) {
      let work = StateNotifierWork()
      for (old, new) in State.way(to: old) { work.move(from: old, to: new) }
      let probe = KVOProbe(work) { record.hear($0, in: work.notifier.state) }
      record.mover.note()
      work.move(from: old, to: new)
      return probe
    }
    runUntilQuiet(sourceLocation: sourceLocation)
    withExtendedLifetime(probe) {}
    return record
  }
}

extension StateNotifier: OpaqueMirror {}
