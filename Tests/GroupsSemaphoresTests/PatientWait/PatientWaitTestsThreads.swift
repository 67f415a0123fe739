import Dispatch
import KataTesting
import Testing

// Deadlines are long over or never come, except in the one test with a clock.

extension PatientWaitTests {
  // MARK: - Threads

  @Test func `several may wait at once`() throws {
    let release = Gate("release the job")
    try room.runAndBegin("job", on: 1, until: release)
    let waiters = [room.beginWait(until: .never), room.beginWait(until: .never)]
    let outcome = try room.outcome(
      until: .longOver, advice: "Two others wait too; each wait has a time of its own.")
    #expect(outcome == .timedOut, timeline.showing("The job is under way and the time is over."))
    timeline.expect(
      """
      job     ├─────────────────────────────…
      wait 1       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      wait 2            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      wait 3                 ┆┄┄┄┄├────┤
      """, "One wait timed out, and others that still had time ended with it.")
    release.open()
    for waiter in waiters {
      let outcome = try waiter.result(
        "The job is done, and all who wait for it must be told, not just the first of them.")
      #expect(outcome == .finished, timeline.showing("The job was done in time."))
    }
  }

  // The first wait is held while it asks for its deadline.
  @Test func `a deadline that takes its time holds nobody up`() throws {
    let release = Gate("release the job")
    let tell = Gate("tell the deadline")
    try room.runAndBegin("job", on: 1, until: release)
    let held = room.beginWait(until: .longOver, behind: tell)
    try #require(
      tell.waiting == 1,
      "A job is under way and a wait has begun, but deadline wasn't asked when that wait must end.")
    let (wait, queue, timeline) = (room.wait, room.queue(2), timeline)
    try mustReturn(
      "run",
      """
      A wait was asking for its deadline, which took its time. deadline is somebody else's code: \
      don't call it with a lock held that run needs.
      """
    ) { wait.run(on: queue) { timeline.visit("another") {} } }
    room.expectEnds(of: ["another"])
    let outcome = try room.outcome(
      until: .longOver,
      advice: """
        Its own time is over, but another wait was still asking for its deadline. Each wait has a time \
        of its own: don't hold a lock while you ask for it.
        """)
    #expect(outcome == .timedOut, timeline.showing("A job is under way and the time is over."))
    tell.open()
    let late = try held.result("It was told a moment that is long over.")
    #expect(late == .timedOut, timeline.showing("The job is under way and the time is over."))
    timeline.expect(
      """
      job      ├────────────────────────────────────────────…
      wait 1        ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      another            ├────┤
      wait 2                       ┆┄┄┄┄├────┤
      """,
      "While one wait asks for its deadline, a job runs and another wait gives up; then so must the first."
    )
    release.open()
  }

  // one           other
  // runs a job
  //               runs a job, or waits     nothing of the spec's orders the two
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
      "Jobs were run from two threads and are done by now.")
  }

  // The only test with a clock. It can't accuse a slow machine: the job never ends by itself, so
  // the wait has to time out, however long that takes; and half of the time is sure to have passed.
  @Test func `without a deadline of the caller's the seconds are real`() throws {
    let release = Gate("release the job")
    let wait = PatientWait()
    for _ in 1...2 {
      let (outcome, waited) = try mustReturn(
        "wait", "It was to wait for a quarter of a second at most.", timersInPlay: true
      ) {
        wait.run(on: DispatchQueue(label: "katas.spec.patient-wait")) { release.wait() }
        let begin = DispatchTime.now().uptimeNanoseconds
        let outcome = wait.wait(atMost: 0.25)
        return (outcome, DispatchTime.now().uptimeNanoseconds - begin)
      }
      #expect(outcome == .timedOut, "The job doesn't end, so the wait must end without it.")
      #expect(
        waited >= 125_000_000,
        """
        wait was given a quarter of a second, and gave up after \(waited / 1_000_000) thousandths \
        of one. The default deadline is so many seconds from now, also where they aren't whole.
        """)
    }
    release.open()
  }

  @Test func `0 seconds ask without waiting`() throws {
    let release = Gate("release the job")
    let (wait, queue) = (PatientWait(), room.queue(1))
    func ask() throws -> PatientWait.Outcome {
      try mustReturn("wait", "It has 0 seconds, so there is nothing to wait for.") {
        wait.wait(atMost: 0)
      }
    }
    #expect(try ask() == .finished, "No job was run, so all is done, and 0 seconds are enough.")
    wait.run(on: queue) { release.wait() }
    #expect(try ask() == .timedOut, "A job is under way, so after 0 seconds not all is done.")
    release.open()
    runUntilQuiet()
    #expect(try ask() == .finished, "The job is done, and 0 seconds are enough to see that.")
  }
}
