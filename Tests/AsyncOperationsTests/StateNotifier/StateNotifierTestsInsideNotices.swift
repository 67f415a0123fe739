import Foundation
import KataTesting
import Testing

extension StateNotifierTests {
  // MARK: - Inside a notice

  // moving thread      another thread
  // sends a notice
  // waits inside it    reads the state
  //                    has read it
  // goes on
  @Test(.observesKVO) func `no lock is held while it notifies`() {
    let work = StateNotifierWork()
    let current = LockedValue("none")
    let probe = KVOProbe(work) { announcement in
      current.set("\(announcement)")
      onAnotherThread("reader") { _ = work.notifier.state }
      current.set("none")
    }
    for (old, new) in [(State.ready, State.executing), (.executing, .finished)] {
      let mover = TestThread("move") { work.move(from: old, to: new) }
      let returned = eventually(
        """
        Inside the notice "\(current.value)" another thread read the state, and the call didn't \
        return: a lock is held, or its queue occupied, while the notice is sent. Decide and change \
        under the lock, and send notices only when you have released it.
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
    let wills = SharedCounter()
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
      One thread is inside will number \(will) of a move from ready to executing. Another requests \
      a move from ready to \(new), and waits. It must be refused at once: hold no lock while \
      notices are sent.
      """)
    guard returned else { return }
    #expect(
      try !second.result(),
      record.showing(
        """
        One thread had decided on a move from ready to executing and sent will number \(will), \
        when another requested a move from ready to \(new), which was made as well. Only one of \
        two may leave ready: set a flag under the lock that a move is being made.
        """))

    firstGoesOn.open()
    #expect(
      try first.result("\(heldLock)"),
      "The thread that decided on the move first must make it, and return true.")
    withExtendedLifetime(probe) {}
    #expect(
      work.notifier.state == .executing, "After the first move the state must be executing.")
    let announcements: [KVOProbe.Announcement] = [
      .will(.isReady), .will(.isExecuting), .did(.isReady), .did(.isExecuting),
    ]
    #expect(
      announcements.allSatisfy { record.count(of: $0) == 1 }
        && record.count(of: .did(.isFinished)) == 0,
      record.showing("One move was made, so its four notices must be sent and no others."))
  }

  // moving thread
  // sends a will
  //   requests another move inside it: refused
  // changes the state
  @Test(.observesKVO, arguments: [1, 2])
  func `inside will a move on the same thread is refused as well`(will: Int) throws {
    let work = StateNotifierWork()
    let (wills, made) = (SharedCounter(), SharedCounter())
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
      Inside will number \(will) of a move from ready to executing the same thread requested a \
      move from ready to finished: it must be refused, and the first move be made; the state is \
      \(work.notifier.state). The flag that a move is being made must stop every thread, including \
      the one that has set it.
      """)
  }

  // one operation       another one
  // sends a will
  //                     moves: independent of the first
  // changes the state
  @Test(.observesKVO) func `another operation may move meanwhile`() throws {
    let (work, other) = (StateNotifierWork(), StateNotifierWork())
    let made = SharedCounter()
    let probe = KVOProbe(work) { announcement in
      guard announcement.isWill else { return }
      if other.move(from: .ready, to: .executing) { made.increment() }
    }
    try mustReturn("move", "\(heldLock)") { work.move(from: .ready, to: .executing) }
    withExtendedLifetime(probe) {}
    #expect(
      made.value == 1 && other.notifier.state == .executing,
      """
      While one operation announced its move, another operation requested a move of its own, which \
      was refused. Each operation has a state of its own: keep the state, and the flag that a move \
      is being made, in the notifier and not in a place that all share.
      """)
  }
}
