import Dispatch
import Foundation
import KataTesting
import Testing

extension WorkItemCancellationTests {
  // MARK: - Cancelled while it runs

  @Test func `cancelled while it runs, it goes on until it checks`() throws {
    let release = Gate("release the work")
    let work = try stage.submit { release.wait() }
    eventually("The work is never called.") { timeline.isInside("work") }
    try stage.cancel(work)
    #expect(work.isCancelled, "cancel() has returned, and isCancelled is false.")
    timeline.expect(
      """
      work    ├─────────…
      cancel       ●  cancelled
      """,
      """
      The work still runs: cancel() doesn't stop it. Its end was reported already, so code that \
      waits for the end goes on while the work still runs.
      """)
    release.open()
    runUntilQuiet()
    #expect(
      stage.looks == ["cancelled"],
      timeline.showing(
        """
        It was cancelled while it ran, then it checked, and got false. The closure must return \
        whether the work has been cancelled by the time of the call.
        """))
  }

  @Test func `another's cancellation is none of its business`() throws {
    let release = Gate("release the work")
    let work = try stage.submit { release.wait() }
    eventually("The work is never called.") { timeline.isInside("work") }
    let other = try stage.submit()
    try stage.cancel(other)
    #expect(
      other.isCancelled && !work.isCancelled,
      "Two works: one was cancelled, and the other says so as well. Each must have its own state.")
    release.open()
    runUntilQuiet()
    #expect(
      stage.looks == ["not cancelled"],
      timeline.showing(
        """
        Running work checked whether it's cancelled, after another one was, and must get false. \
        Each must have its own state.
        """))
  }

  @Test func `cancelled and released, it still sees that it's cancelled`() throws {
    let release = Gate("release the work")
    try {
      let work = try stage.submit { release.wait() }
      eventually("The work is never called.") { timeline.isInside("work") }
      try stage.cancel(work)
    }()
    runUntilQuiet()
    release.open()
    runUntilQuiet()
    #expect(
      stage.looks == ["cancelled"],
      timeline.showing(
        """
        It was cancelled while it ran, and the QueuedWork was released. Then it checked, and got \
        false. A weak reference to the item is nil by then.
        """))
  }

  @Test func `cancelled while it runs, it has run`() throws {
    let release = Gate("release the work")
    let work = try stage.submit { release.wait() }
    eventually("The work is never called.") { timeline.isInside("work") }
    try stage.cancel(work)
    try stage.cancel(work)
    release.open()
    stage.expectEnding(
      "ran",
      """
      It was cancelled while it ran, and has returned: its end is .ran, once. isCancelled says \
      what was requested, not whether the work was called.
      """)
  }

  @Test func `cancelled after its end, nothing more is reported`() throws {
    let work = try stage.submit()
    stage.expectEnding("ran", "The work has run: that must be reported once, as .ran.")
    try stage.cancel(work)
    runUntilQuiet()
    #expect(
      stage.endings.count == 1,
      timeline.showing("It was cancelled after its end, and an end was reported once more."))
  }

  @Test func `cancelled after its end, it says so`() throws {
    let work = try stage.submit()
    stage.expectEnding("ran", "The work has run: that must be reported once, as .ran.")
    try stage.cancel(work)
    #expect(
      work.isCancelled,
      """
      It was cancelled after its end, and isCancelled is false. It says what was requested, even if \
      that has no effect any more.
      """)
  }

  // MARK: - Many threads

  @Test func `cancelled at the moment of its turn, it ends once`() throws {
    for _ in 1...20 {
      let stage = WorkItemStage()
      let release = Gate("release the queue")
      stage.keepBusy(until: release)
      let work = try stage.submit()
      try TestThread.race("thread", threads: 2) { thread in
        if thread == 0 { release.open() } else { work.cancel() }
      }
      let hasRun = { stage.timeline.entries(of: "work") == 1 }
      eventually("It was cancelled at the moment of its turn, and its end is never reported.") {
        !stage.endings.isEmpty
      }
      runUntilQuiet()
      try #require(
        stage.endings == ["\(hasRun() ? "ran" : "neverRan") on the notice queue"],
        stage.timeline.showing(
          """
          It was cancelled at the moment of its turn. Its end must be reported once, as .ran if \
          the work was called and as .neverRan if it wasn't.
          """))
    }
  }

  // work          canceller
  // begins
  //               cancels: only a lock of the answer orders the two
  // looks
  @Test func `it can be cancelled by another thread`() throws {
    // Several times: the first meeting of two threads may be ordered by the runtime's own locks.
    for _ in 1...4 {
      let begun = Gate("the work begins")
      let release = Gate("release the canceller")
      let meeting = RelaxedRendezvous()
      let (seen, ended) = (SharedCounter(), SharedCounter())
      let work = QueuedWork(on: stage.queue, noticeQueue: stage.notices) { isCancelled in
        begun.open()
        meeting.look { if isCancelled() { seen.increment() } }
      } onEnd: { _ in
        ended.increment()
      }
      // The canceller lives on until the work has checked, or the sanitizer would forget it.
      let canceller = TestThread("cancel()") {
        begun.wait()
        work.cancel()
        meeting.changed()
        release.wait()
      }
      eventually("The end of the work is never reported.", timersInPlay: true) { ended.value > 0 }
      release.open()
      try canceller.result()
      guard meeting.didMeet else { continue }
      #expect(seen.value == 1, "Another thread cancelled the work, which checked, and got false.")
    }
  }

  // MARK: - Nothing remains

  @Test(arguments: [false, true]) func `nothing of it is retained after its end`(
    cancelled: Bool
  ) throws {
    let release = Gate("release the queue")
    stage.keepBusy(until: release)
    let remains = try {
      let cargo = Cargo()
      let work = try stage.submit { withExtendedLifetime(cargo) {} }
      if cancelled { try stage.cancel(work) }
      return WeakReference(cargo)
    }()
    release.open()
    stage.expectEnding(cancelled ? "neverRan" : "ran", "The end must be reported once, correctly.")
    eventually(
      """
      The work has ended and nothing else retains the QueuedWork, but its block is still in \
      memory. An item retains its block: if the block retains its item, that is a retain cycle.
      """
    ) { remains.isGone }
  }
}
