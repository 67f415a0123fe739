import Foundation
import KataTesting
import Testing

/// Proves that each move is made once and announced around the change, with no lock held, by the thread
/// that makes it.
@Suite(.serialized, .kata) struct StateNotifierTests {
  private typealias State = StateNotifier.State

  private let timeline = Timeline()

  private let heldLock = """
    If a lock is held, or a queue occupied, while the notices are sent, let go of it first: \
    whoever hears a notice reads the state.
    """

  // MARK: - The state

  @Test func `a move changes the state`() throws {
    let work = StateNotifierWork()
    #expect(work.notifier.state == .ready, "A new one must be ready.")
    let hasMoved = try mustReturn("move", "\(heldLock)") {
      work.move(from: .ready, to: .executing)
    }
    #expect(
      work.notifier.state == .executing,
      """
      It was moved from ready to executing, and its state is \(work.notifier.state). Begin with \
      move: let it change the state.
      """)
    #expect(hasMoved, "It was moved from ready to executing, so move must return true.")
  }

  @Test(arguments: StateNotifier.State.allCases)
  func `only a move that leads on from the state is made`(current: StateNotifier.State) throws {
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
          willChangeValue(forKey: "\(key)") and one didChangeValue(forKey: "\(key)"); here it's \
          \(wills) and \(dids). Two properties change, so there are four notices.
          """))
    }
  }

  @Test(.observesKVO, arguments: StateNotifier.State.moves)
  func `inside will it is the old state, inside did the new`(
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
        Some notices came from another thread than the one that called move. When move has \
        returned, everybody must have been told: send them directly, without a queue in between.
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
        Two moves were refused, so nothing has changed, and still something was announced. Decide \
        first, announce then.
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
      Moves that aren't any were asked for between the two that lead to finished, and move \
      returned \(moves). A move that is refused must leave nothing behind that stops the next one.
      """)
  }

  // queue          operation
  // starts it
  //                moves to executing
  //                moves to finished
  // lets it go
  @Test func `a queue hears of the end`() throws {
    let work = StateNotifierWork()
    let completions = Counter()
    work.completionBlock = { completions.increment() }
    try #require(
      work.notifier.state == .ready, "A new one must be ready; a queue traps on one that isn't.")
    let queue = OperationQueue()
    queue.addOperation(work)
    guard
      eventually(
        "An operation was started and moved to executing, and doesn't become executing.",
        until: { work.isExecuting })
    else { return }
    try mustReturn("move", "\(heldLock)") { work.move(from: .executing, to: .finished) }
    eventually(
      """
      An operation was moved to finished, and its queue still waits for it. A queue doesn't look \
      by itself: it hears of the end when didChangeValue(forKey: "isFinished") is called after the \
      change.
      """
    ) { queue.operationCount == 0 && completions.value > 0 }
    runUntilQuiet()
    #expect(
      completions.value == 1,
      "The operation's completionBlock was called \(completions.value) times, not once.")
  }

  // MARK: - Inside a notice

  // moving thread      another thread
  // sends a notice
  // waits inside it    reads the state
  //                    has read it
  // goes on
  @Test(.observesKVO) func `no lock is held while it notifies`() {
    let work = StateNotifierWork()
    let current = Locked("none")
    let probe = KVOProbe(work) { announcement in
      current.set("\(announcement)")
      onAnotherThread("reader") { _ = work.notifier.state }
      current.set("none")
    }
    for (old, new) in [(State.ready, State.executing), (.executing, .finished)] {
      let mover = TestThread("move") { work.move(from: old, to: new) }
      let returned = eventually(
        """
        Inside the notice "\(current.value)" another thread asked for the state and got no answer: \
        a lock is held, or its queue occupied, while the notice is sent. Decide and change under \
        the lock; notify when you have let go of it.
        """
      ) { mover.hasReturned }
      guard returned else { return }
    }
    #expect(!probe.notices.isEmpty, "Nothing was announced.")
  }

  @Test(.observesKVO, arguments: [StateNotifier.State.executing, .finished], [1, 2])
  func `a move that another thread makes is refused`(
    new: StateNotifier.State, will: Int
  ) throws {
    let work = StateNotifierWork()
    let record = StateNotifierRecord()
    let wills = Counter()
    let firstGoesOn = Gate("the first goes on")
    let probe = KVOProbe(work) { [timeline] announcement in
      record.hear(announcement, in: work.notifier.state)
      guard announcement.isWill, wills.increment() == will else { return }
      timeline.visit("the first one's will", until: firstGoesOn)
    }
    let first = TestThread("the first move") { work.move(from: .ready, to: .executing) }
    let isInside = eventually("A move from ready to executing must announce two wills.") {
      firstGoesOn.waiting == 1
    }
    guard isInside else { return }

    let second = TestThread("the second move") { [timeline] in
      timeline.visit("the second move") { work.move(from: .ready, to: new) }
    }
    let returned = timeline.expect(
      """
      the first one's will  ├──────────────…
      the second move            ├────┤
      """,
      """
      One thread is inside the will number \(will) of a move from ready to executing. Another asks \
      for a move from ready to \(new), and waits. It must be refused at once: no lock may be held \
      while notices are sent.
      """)
    guard returned else { return }
    #expect(
      try !second.result(),
      record.showing(
        """
        One thread had decided on a move from ready to executing and sent its will number \(will), \
        when another asked for a move from ready to \(new), and got it. Of two only one may leave \
        ready: note under the lock that a move is being made.
        """))

    firstGoesOn.open()
    #expect(
      try first.result("\(heldLock)"),
      "The thread that had decided on the move first must make it, and return true.")
    withExtendedLifetime(probe) {}
    #expect(
      work.notifier.state == .executing, "After the first move the state must be executing.")
    let announcements: [KVOProbe.Announcement] = [
      .will(.isReady), .will(.isExecuting), .did(.isReady), .did(.isExecuting),
    ]
    #expect(
      announcements.allSatisfy { record.count(of: $0) == 1 }
        && record.count(of: .did(.isFinished)) == 0,
      record.showing("One move was made, so there must be its four notices and no other."))
  }

  // moving thread
  // sends a will
  //   asks for another move inside it: is refused
  // changes the state
  @Test(.observesKVO, arguments: [1, 2])
  func `inside will the moving thread is refused as well`(will: Int) throws {
    let work = StateNotifierWork()
    let (wills, made) = (Counter(), Counter())
    let probe = KVOProbe(work) { announcement in
      guard announcement.isWill, wills.increment() == will else { return }
      if work.move(from: .ready, to: .finished) { made.increment() }
    }
    let hasMoved = try mustReturn("move", "\(heldLock)") {
      work.move(from: .ready, to: .executing)
    }
    withExtendedLifetime(probe) {}
    #expect(
      made.value == 0 && hasMoved && work.notifier.state == .executing,
      """
      Inside will number \(will) of a move from ready to executing the same thread asked for a move \
      from ready to finished: that must be refused, and the first move be made; the state is \
      \(work.notifier.state). A note that a move is being made counts for everybody, also for the \
      thread that has left it.
      """)
  }

  // one operation       another one
  // sends a will
  //                     moves: nothing to do with the first
  // changes the state
  @Test(.observesKVO) func `another operation moves meanwhile`() throws {
    let (work, other) = (StateNotifierWork(), StateNotifierWork())
    let made = Counter()
    let probe = KVOProbe(work) { announcement in
      guard announcement.isWill else { return }
      if other.move(from: .ready, to: .executing) { made.increment() }
    }
    try mustReturn("move", "\(heldLock)") { work.move(from: .ready, to: .executing) }
    withExtendedLifetime(probe) {}
    #expect(
      made.value == 1 && other.notifier.state == .executing,
      """
      While one operation announced its move another one asked for its own, and it was refused. Each \
      operation has a state of its own: keep the state, and the note that a move is being made, in \
      the notifier and not where all share it.
      """)
  }

  // moving thread        observer
  // changes the state
  // sends did            asks for the next move
  //                      makes it
  // goes on
  @Test(.observesKVO, arguments: [KVOProbe.Key.isReady, .isExecuting], [true, false])
  func `inside did the next move may be made`(key: KVOProbe.Key, onMovingThread: Bool) {
    let work = StateNotifierWork()
    let made = Counter()
    let probe = KVOProbe(work) { announcement in
      guard announcement == .did(key), work.notifier.state == .executing else { return }
      let finish: @Sendable () -> Void = {
        if work.move(from: .executing, to: .finished) { made.increment() }
      }
      if onMovingThread { finish() } else { onAnotherThread("the next move", finish) }
    }
    let mover = TestThread("move") { work.move(from: .ready, to: .executing) }
    eventually("A move was asked for inside a notice of another, and never returned. \(heldLock)") {
      mover.hasReturned
    }
    withExtendedLifetime(probe) {}
    #expect(
      made.value == 1 && work.notifier.state == .finished,
      """
      Inside "did \(key)" the state has changed, so the next move, from executing to \
      finished, must be made; it was refused. Work that ends at once would be forgotten: the note \
      that a move is being made has to go with the change, not after the last notice.
      """)
  }

  @Test(.observesKVO) func `a move that has been announced leaves the next one alone`() throws {
    let work = StateNotifierWork()
    let record = StateNotifierRecord()
    let (wills, dids, made) = (Counter(), Counter(), Counter())
    let isOnItsWay = Gate("the second is on its way")
    let secondGoesOn = Gate("the second goes on")
    let probe = KVOProbe(work) { [timeline] announcement in
      record.hear(announcement, in: work.notifier.state)
      switch announcement {
      case .will:
        // The first two are the first move's.
        guard wills.increment() == 3 else { return }
        isOnItsWay.open()
        secondGoesOn.wait()
      case .did:
        guard dids.increment() == 1 else { return }
        _ = TestThread("the second move") {
          timeline.visit("the second move") {
            if work.move(from: .executing, to: .finished) { made.increment() }
          }
          isOnItsWay.open()
        }
        isOnItsWay.wait()
      }
    }
    try mustReturn("move", "\(heldLock)") { [timeline] in
      timeline.visit("the first move") { _ = work.move(from: .ready, to: .executing) }
    }
    let isUnderWay = timeline.expect(
      """
      the first move   ├─────────┤
      the second move       ├─────────…
      """,
      """
      Inside a did of a move from ready to executing another thread asked for a move on to finished. \
      It must be made, and announced with a will before the change.
      """)
    guard isUnderWay else { return }

    let isGranted = try mustReturn("a move that another thread is making", "\(heldLock)") {
      work.move(from: .executing, to: .finished)
    }
    #expect(
      !isGranted,
      record.showing(
        """
        One thread had moved to executing, and while it announced that, a second one began to move on to \
        finished. The first has returned, the second is still inside its first will, and a third one asked \
        for the same move and got it. Take a note away once, together with the change: when all is said, the \
        note that is there may be somebody else's.
        """))
    secondGoesOn.open()
    runUntilQuiet()
    withExtendedLifetime(probe) {}
    #expect(
      made.value == 1 && work.notifier.state == .finished,
      "The second thread had decided on the move to finished first: it must make it, and return true."
    )
    expectTwoMoves(in: record)
  }

  // first thread          second thread
  // changes the state
  // sends a did           asks for the next move
  //                       makes it, and announces it
  // sends the other did
  @Test(.observesKVO) func `a move is announced to its end, also when the next has been made`()
    throws
  {
    let work = StateNotifierWork()
    let record = StateNotifierRecord()
    let dids = Counter()
    let probe = KVOProbe(work) { announcement in
      record.hear(announcement, in: work.notifier.state)
      guard announcement.isDid, dids.increment() == 1 else { return }
      onAnotherThread("the next move") { work.move(from: .executing, to: .finished) }
    }
    try mustReturn("move", "\(heldLock)") { work.move(from: .ready, to: .executing) }
    runUntilQuiet()
    withExtendedLifetime(probe) {}
    expectTwoMoves(in: record)
  }

  // MARK: - Many threads

  @Test func `of several threads one makes the move`() throws {
    let work = StateNotifierWork()
    let made = Counter()
    try race("move by thread", threads: 4) { thread in
      if work.move(from: .ready, to: thread < 2 ? .executing : .finished) { made.increment() }
    }
    #expect(
      made.value == 1,
      """
      Four threads asked at once for a move away from ready, and \(made.value) were told that they \
      made it. It must be one.
      """)
    #expect(work.notifier.state != .ready, "One of them made the move, and the state is ready.")
  }

  // moving thread             another thread
  // changes the state
  // begins to announce it     reads the state: nothing but a lock of the answer's orders the two
  // goes on
  @Test(.observesKVO) func `the state may be read while it moves`() throws {
    let work = StateNotifierWork()
    try meetInsideNotice(
      of: work, "move", { work.move(from: .ready, to: .executing) },
      "state", { _ = work.notifier.state })
    #expect(work.notifier.state == .executing, "It was moved to executing.")
  }

  @Test(.observesKVO) func `a move may be asked for while another is made`() throws {
    let work = StateNotifierWork()
    try meetInsideNotice(
      of: work, where: { $0.isWill }, "move", { work.move(from: .ready, to: .executing) },
      "a move that is refused", { work.move(from: .ready, to: .finished) })
    #expect(
      work.notifier.state == .executing,
      "It was being moved to executing when another thread asked for a move, and must get there.")
  }

  // MARK: - Afterwards

  @Test(arguments: [StateNotifier.State.executing, .finished])
  func `it doesn't keep the operation`(last: StateNotifier.State) throws {
    let (watch, notifier) = try mustReturn("move", "\(heldLock)") {
      let work = StateNotifierWork()
      for (old, new) in State.way(to: last) { work.move(from: old, to: new) }
      return (WeakReference(work), work.notifier)
    }
    eventually(
      """
      Nobody uses the operation any more, which is \(last), and it isn't freed: the notifier keeps \
      it, and the operation keeps the notifier. Use the operation that move is given, and don't \
      store it.
      """
    ) { watch.isGone }
    withExtendedLifetime(notifier) {}
  }

  // MARK: - Moves

  /// Expects the notices of two moves, from ready to executing and on to finished.
  private func expectTwoMoves(
    in record: StateNotifierRecord, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (key, count) in [(KVOProbe.Key.isReady, 1), (.isExecuting, 2), (.isFinished, 1)] {
      let (wills, dids) = (record.count(of: .will(key)), record.count(of: .did(key)))
      #expect(
        wills == count && dids == count,
        record.showing(
          """
          Two moves were made, from ready to executing and on to finished, the second while the first was \
          announced. Each has its four notices, whatever the state is meanwhile: for \(key) there must be \
          \(count) of will and of did; here it's \(wills) and \(dids).
          """), sourceLocation: sourceLocation)
    }
  }

  /// Brings an operation to `old`, then moves it to `new` and records what is announced.
  private func recordedMove(
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
