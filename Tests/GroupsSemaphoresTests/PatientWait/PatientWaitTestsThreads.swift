import Dispatch
import Foundation
import KataTesting
import Testing

// Deadlines are long past or never come, except in the three tests with a clock.

extension PatientWaitTests {
  // MARK: - Threads

  @Test func `several threads may wait at once`() throws {
    let release = Gate("release the job")
    try room.runAndBegin("job", on: 1, until: release)
    let waiters = [room.beginWait(until: .never), room.beginWait(until: .never)]
    let outcome = try room.outcome(
      until: .longOver, advice: "Two others wait too; each wait has a deadline of its own.")
    #expect(outcome == .timedOut, timeline.showing("The job runs, and the deadline has passed."))
    timeline.expect(
      """
      job     ├─────────────────────────────…
      wait 1       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      wait 2            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      wait 3                 ┆┄┄┄┄├────┤
      """, "One wait timed out; the two others still have time, so they must wait on.")
    release.open()
    for waiter in waiters {
      let outcome = try waiter.result(
        "The job is done, and that must wake every thread that waits, not just one.")
      #expect(outcome == .finished, timeline.showing("The job was done in time."))
    }
  }

  // A test with a clock. It can't fail on a slow machine: if the time was up before all three
  // waited, it begins again with more time.
  @Test func `a wait that times out leaves the other waits alone`() throws {
    for seconds in [0.05, 0.4, 3.2] {
      let room = WaitingRoom()
      let release = Gate("release the job")
      try room.runAndBegin("job", on: 1, until: release)
      var others = [room.beginWait(until: .never)]
      let short = room.beginWait(atMost: seconds, until: .now() + seconds)
      others.append(room.beginWait(until: .never))
      let allWaited = !short.hasReturned
      try #require(
        room.asked.value.count == 3,
        """
        Three waits have begun while a job runs, but deadline was called for \
        \(room.asked.value.count) of them. Each wait must call it once, when it begins.
        """)
      let outcome = try short.result(
        "Its deadline has passed, though two others wait.", timersInPlay: true)
      #expect(
        outcome == .timedOut,
        room.timeline.showing("The job runs, and the deadline of the second wait has passed."))
      others.append(room.beginWait(until: .never))
      let returned = others.filter(\.hasReturned).count
      #expect(
        returned == 0,
        room.timeline.showing("One wait timed out; the others have time, so they must wait on."))
      release.open()
      for waiter in others {
        let outcome = try waiter.result(
          """
          The last job is done, and that must wake every thread that waits, even if another wait \
          has timed out before.
          """)
        #expect(outcome == .finished, room.timeline.showing("The job was done in time."))
      }
      let releaseNext = Gate("release the next job")
      try room.runAndBegin("next", on: 2, until: releaseNext)
      let next = try room.outcome(until: .longOver)
      #expect(
        next == .timedOut,
        room.timeline.showing("The next job is running, so the next wait mustn't return finished."))
      releaseNext.open()
      if allWaited { return }
    }
  }

  // The first wait is blocked while it asks for its deadline.
  @Test func `a slow deadline blocks neither run nor other waits`() throws {
    let release = Gate("release the job")
    let tell = Gate("tell the deadline")
    try room.runAndBegin("job", on: 1, until: release)
    let held = room.beginWait(until: .longOver, behind: tell)
    try #require(
      tell.waiting == 1,
      "A job runs and a wait has begun, but deadline wasn't called for the end of that wait.")
    let (wait, queue, timeline) = (room.wait, room.queue(2), timeline)
    try mustReturn(
      "run",
      """
      Another thread is still asking for its deadline. deadline is the caller's code and may take \
      long: don't call it under a lock that run needs.
      """
    ) { wait.run(on: queue) { timeline.visit("another") {} } }
    room.expectEnds(of: ["another"])
    let outcome = try room.outcome(
      until: .longOver,
      advice: """
        Its own deadline has passed, but another wait is still asking for its deadline. The two are \
        independent: don't hold a lock while you call deadline.
        """)
    #expect(outcome == .timedOut, timeline.showing("A job runs, and the deadline has passed."))
    tell.open()
    let late = try held.result("Its deadline is long past.")
    #expect(late == .timedOut, timeline.showing("The job runs, and the deadline has passed."))
    timeline.expect(
      """
      job      ├────────────────────────────────────────────…
      wait 1        ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      another            ├────┤
      wait 2                       ┆┄┄┄┄├────┤
      """,
      "While one wait asks for its deadline, a job runs and another wait times out; then so does the first."
    )
    release.open()
  }

  // The deadline that the wait asks for never comes, or is long past.
  @Test(arguments: [false, true]) func `a job that ends while deadline is called is done`(
    isPast: Bool
  ) throws {
    let release = Gate("release the job")
    let tell = Gate("tell the deadline")
    try room.runAndBegin("job", on: 1, until: release)
    let waiter = room.beginWait(until: isPast ? .longOver : .never, behind: tell)
    try #require(
      tell.waiting == 1,
      "A job runs and a wait has begun, but deadline wasn't called for the end of that wait.")
    release.open()
    room.expectEnds(of: ["job"])
    tell.open()
    let outcome = try waiter.result(
      "The last job ended while wait was asking for its deadline, so the wait must end.")
    #expect(
      outcome == .finished,
      timeline.showing(
        """
        The last job ended while wait was asking for its deadline, but wait returned timedOut. All \
        jobs were done by then, so it must return finished, even if the deadline has passed.
        """))
  }

  // one           other
  // runs a job
  //               runs a job, or waits     nothing in the spec orders the two
  @Test(arguments: [false, true]) func `run and wait may be called on any thread`(
    waits: Bool
  ) throws {
    let meeting = RelaxedRendezvous()
    let (room, first, second) = (room, room.queue(1), room.queue(2))
    let other = meeting.looker("other") {
      if waits {
        _ = room.wait.wait(atMost: 5)
      } else {
        room.wait.run(on: second) {}
      }
    }
    let one = TestThread("run") {
      room.wait.run(on: first) {}
      meeting.changed()
    }
    try one.result(timersInPlay: true)
    try other.result("Both jobs are empty.", timersInPlay: true)
    #expect(
      try room.outcome(until: .never) == .finished,
      "Jobs were run from two threads, and all are done by now.")
  }

  // A test with a clock. It can't fail on a slow machine: the job never ends by itself, so
  // the wait has to time out, however long that takes, and half of the time has certainly passed.
  @Test func `by default the deadline is the given seconds from now`() throws {
    let release = Gate("release the job")
    let wait = PatientWait()
    wait.run(on: room.queue(1)) { release.wait() }
    // The same twice, and so little time that rounding would leave none.
    for seconds in [0.25, 0.25] + Array(repeating: 0.0009, count: 10) {
      let (outcome, waited) = try mustReturn(
        "wait", "It must wait for \(seconds) seconds at most.", timersInPlay: true
      ) {
        let begin = DispatchTime.now().uptimeNanoseconds
        let outcome = wait.wait(atMost: seconds)
        return (outcome, DispatchTime.now().uptimeNanoseconds - begin)
      }
      #expect(outcome == .timedOut, "The job doesn't end, so the wait must time out.")
      #expect(
        Double(waited) >= seconds / 2 * 1e9,
        """
        wait was given \(seconds) seconds, but returned after \(waited / 1000) microseconds. The \
        default deadline is the given seconds from now: don't round them to milliseconds.
        """)
    }
    release.open()
  }

  // It sleeps until the deadline has passed, since that is what it's about. It can't fail on a slow
  // machine: a thread whose time is up and that waits for a core isn't blocked.
  @Test func `by default a wait is over when its seconds have passed`() throws {
    let release = Gate("release the job")
    let wait = PatientWait()
    wait.run(on: room.queue(1)) { release.wait() }
    let waiter = TestThread("wait") { wait.wait(atMost: 0.05) }
    // Now it's blocked, or over already; in either case its deadline is set.
    runUntilQuiet()
    Thread.sleep(forTimeInterval: 0.1)
    #expect(
      !waiter.isBlocked(),
      """
      wait was given a twentieth of a second, twice as much has passed, and it's still blocked. \
      The default deadline is the given seconds from now: don't round them.
      """)
    release.open()
  }

  @Test(arguments: [1e10, Double.greatestFiniteMagnitude, Double.infinity])
  func `by default a wait may be given any number of seconds`(seconds: Double) throws {
    let release = Gate("release the job")
    let wait = PatientWait()
    wait.run(on: room.queue(1)) { release.wait() }
    let waiter = TestThread("wait") { wait.wait(atMost: seconds) }
    #expect(
      waiter.isBlocked(),
      "A job is running, and wait was given \(seconds) seconds, but it has returned: it must wait.")
    release.open()
    let outcome = try waiter.result("The job is done, so the wait must end.")
    #expect(outcome == .finished, "The job was done in time, so wait must return finished.")
  }

  @Test func `a wait of 0 seconds doesn't block`() throws {
    let release = Gate("release the job")
    let (wait, queue) = (PatientWait(), room.queue(1))
    func ask() throws -> PatientWait.Outcome {
      try mustReturn("wait", "A wait of 0 seconds mustn't block.") {
        wait.wait(atMost: 0)
      }
    }
    #expect(try ask() == .finished, "No job was run, so a wait of 0 seconds must return finished.")
    wait.run(on: queue) { release.wait() }
    #expect(try ask() == .timedOut, "A job is running, so a wait of 0 seconds must time out.")
    release.open()
    runUntilQuiet()
    #expect(try ask() == .finished, "The job is done, so a wait of 0 seconds must return finished.")
    // Often: if another thread has to bring the news, it's too late only now and then.
    let outcomes = try mustReturn("wait") { (0..<2000).map { _ in wait.wait(atMost: 0) } }
    #expect(
      outcomes.allSatisfy { $0 == .finished },
      "The job was done, and a wait of 0 seconds timed out now and then: let wait itself check.")
  }
}
