import Foundation
import KataTesting
import Testing

extension StateNotifierTests {
  // MARK: - The next move

  // moving thread        observer
  // changes the state
  // sends did            requests the next move
  //                      makes it
  // goes on
  @Test(.observesKVO, arguments: [KVOProbe.Key.isReady, .isExecuting], [true, false])
  func `inside did the next move may be made`(key: KVOProbe.Key, onMovingThread: Bool) {
    let work = StateNotifierWork()
    let made = SharedCounter()
    let probe = KVOProbe(work) { announcement in
      guard announcement == .did(key), work.notifier.state == .executing else { return }
      let finish: @Sendable () -> Void = {
        if work.move(from: .executing, to: .finished) { made.increment() }
      }
      if onMovingThread { finish() } else { onAnotherThread("the next move", finish) }
    }
    let mover = TestThread("move") { work.move(from: .ready, to: .executing) }
    eventually("A move was requested inside a notice of another, and never returned. \(heldLock)") {
      mover.hasReturned
    }
    withExtendedLifetime(probe) {}
    #expect(
      made.value == 1 && work.notifier.state == .finished,
      """
      Inside "did \(key)" the state has changed, so the next move, from executing to finished, \
      must be made; it was refused. The end of work that ends at once would be lost: clear the \
      flag that a move is being made together with the change, not after the last notice.
      """)
  }

  @Test(.observesKVO) func `a move that has been announced doesn't affect the next one`() throws {
    let work = StateNotifierWork()
    let record = StateNotifierRecord()
    let (wills, dids, made) = (SharedCounter(), SharedCounter(), SharedCounter())
    let isOnItsWay = Gate("the second is on its way")
    let secondGoesOn = Gate("the second goes on")
    let probe = KVOProbe(work) { [timeline] announcement in
      record.hear(announcement, in: work.notifier.state)
      switch announcement {
      case .will:
        // The first two belong to the first move.
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
      Inside a did of a move from ready to executing another thread requested the move to \
      finished. It must be made, and announced with a will before the change.
      """)
    guard isUnderWay else { return }

    let isGranted = try mustReturn("a move that another thread is making", "\(heldLock)") {
      work.move(from: .executing, to: .finished)
    }
    #expect(
      !isGranted,
      record.showing(
        """
        While a move to executing was announced, a second thread began the move to finished. The \
        first thread has returned, the second is still inside its first will, and a third \
        requested the same move, which was made too. Clear the flag once, together with the \
        change: later it may belong to another thread's move.
        """))
    secondGoesOn.open()
    runUntilQuiet()
    withExtendedLifetime(probe) {}
    #expect(
      made.value == 1 && work.notifier.state == .finished,
      "The second thread decided on the move to finished first: it must make it, and return true."
    )
    expectTwoMoves(in: record)
  }

  // first thread          second thread
  // changes the state
  // sends a did           requests the next move
  //                       makes it, and announces it
  // sends the other did
  @Test(.observesKVO) func `a move is announced to its end, even if the next has been made`()
    throws
  {
    let work = StateNotifierWork()
    let record = StateNotifierRecord()
    let dids = SharedCounter()
    let probe = KVOProbe(work) { announcement in
      record.hear(announcement, in: work.notifier.state)
      guard announcement.isDid, dids.increment() == 1 else { return }
      onAnotherThread("the next move") { work.move(from: .executing, to: .finished) }
    }
    try mustReturn("move", "\(heldLock)") {
      record.mover.note()
      work.move(from: .ready, to: .executing)
    }
    runUntilQuiet()
    withExtendedLifetime(probe) {}
    expectTwoMoves(in: record)
    #expect(
      record.onMovingThread
        == ["did isExecuting", "did isReady", "will isExecuting", "will isReady"],
      record.showing(
        """
        Inside a did of the move to executing another thread made the move to finished. On the \
        first thread there were \(record.onMovingThread.joined(separator: ", ")). Each thread \
        must send the four notices of its own move, and no others.
        """))
  }

  // MARK: - Many threads

  @Test func `if several threads move at once, one of them makes the move`() throws {
    let work = StateNotifierWork()
    let made = SharedCounter()
    try TestThread.race("move by thread", threads: 4) { thread in
      if work.move(from: .ready, to: thread < 2 ? .executing : .finished) { made.increment() }
    }
    #expect(
      made.value == 1,
      """
      Four threads requested a move away from ready at once, and for \(made.value) of them move \
      returned true. It must be one.
      """)
    #expect(work.notifier.state != .ready, "One of them made the move, but the state is ready.")
  }

  // moving thread             another thread
  // changes the state
  // begins to announce it     reads the state: only a lock in the answer orders the two
  // goes on
  @Test(.observesKVO) func `the state may be read while it moves`() throws {
    let work = StateNotifierWork()
    try meetInsideNotice(
      of: work, "move", { work.move(from: .ready, to: .executing) },
      "state", { _ = work.notifier.state })
    #expect(work.notifier.state == .executing, "It was moved to executing.")
  }

  @Test(.observesKVO) func `a move may be requested while another is made`() throws {
    let work = StateNotifierWork()
    try meetInsideNotice(
      of: work, where: { $0.isWill }, "move", { work.move(from: .ready, to: .executing) },
      "a move that is refused", { work.move(from: .ready, to: .finished) })
    #expect(
      work.notifier.state == .executing,
      "A move to executing was being made when another was requested; it must be completed.")
  }

  // MARK: - Afterwards

  @Test(arguments: [StateNotifier.State.executing, .finished])
  func `the notifier doesn't retain the operation`(last: StateNotifier.State) throws {
    let (watch, notifier) = try mustReturn("move", "\(heldLock)") {
      let work = StateNotifierWork()
      for (old, new) in State.way(to: last) { work.move(from: old, to: new) }
      return (WeakReference(work), work.notifier)
    }
    eventually(
      """
      Nothing else uses the operation any more, which is \(last), but it isn't freed: the notifier \
      retains it, and the operation retains the notifier. Use the operation that move receives, \
      and don't store it.
      """
    ) { watch.isGone }
    withExtendedLifetime(notifier) {}
  }

  // first thread          second thread
  // sends a did
  //                       makes the next move, and sends a did
  // returns
  //                       returns
  @Test(.observesKVO, arguments: [true, false])
  func `after moves that overlap the notifier doesn't retain the operation`(
    inOrder: Bool
  ) throws {
    let (watch, notifier) = try livesThroughMovesThatOverlap(inOrder: inOrder)
    eventually(
      """
      Inside a did of a move another thread made the next move, and the \
      \(inOrder ? "first" : "second") of the two threads returned first. Both have returned and \
      nothing else uses the operation any more, but it isn't freed: the notifier retains it.
      """
    ) { watch.isGone }
    withExtendedLifetime(notifier) {}
  }

  /// Makes an operation, moves it twice, the second time inside a did of the first, and releases
  /// it; the first move returns first if `inOrder`.
  private func livesThroughMovesThatOverlap(
    inOrder: Bool
  ) throws -> (WeakReference<StateNotifierWork>, StateNotifier) {
    let isUnderWay = Gate("the second is under way")
    let firstHasReturned = Gate("the first has returned")
    let secondHasReturned = Gate("the second has returned")
    return try mustReturn("move", "\(heldLock)") {
      let work = StateNotifierWork()
      let dids = SharedCounter()
      let probe = KVOProbe(work) { announcement in
        guard announcement.isDid else { return }
        let did = dids.increment()
        if did == 1 {
          _ = TestThread("the second move") {
            work.move(from: .executing, to: .finished)
            isUnderWay.open()
            secondHasReturned.open()
          }
          isUnderWay.wait()
        } else if did == 2, inOrder, !isUnderWay.isOpen {
          isUnderWay.open()
          firstHasReturned.wait()
        }
      }
      work.move(from: .ready, to: .executing)
      firstHasReturned.open()
      secondHasReturned.wait()
      withExtendedLifetime(probe) {}
      return (WeakReference(work), work.notifier)
    }
  }
}
