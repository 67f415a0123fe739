import Dispatch
import KataTesting
import Testing

// Deadlines are long past or never come.

extension PatientWaitTests {
  // MARK: - After the deadline

  @Test func `wait times out when the deadline has passed`() throws {
    let release = Gate("release the job")
    try room.runAndBegin("job", on: 1, until: release)
    let outcome = try room.outcome(
      atMost: 3600, until: .longOver,
      advice: """
        The job doesn't end, and the deadline has passed. Was deadline called: \
        \(room.asked.value.isEmpty ? "never" : "yes"). A wait must end at the moment that \
        deadline returns.
        """)
    #expect(
      outcome == .timedOut,
      timeline.showing("The job is still running and the deadline has passed: wait must time out."))
    release.open()
  }

  @Test func `wait asks for its deadline once, with its own seconds`() throws {
    let release = Gate("release the job")
    try room.runAndBegin("job", on: 1, until: release)
    for seconds in [3.0, 0.5, 0, .infinity] {
      let outcome = try room.outcome(
        atMost: seconds, until: .longOver,
        advice: "Its deadline has passed: deadline decides, however many seconds were given.")
      #expect(outcome == .timedOut, timeline.showing("The job runs, and the deadline has passed."))
    }
    #expect(
      room.asked.value == [3, 0.5, 0, .infinity],
      """
      Four waits of 3, 0.5, 0 and infinite seconds called deadline with these: \
      \(room.asked.value). Each wait must call it once, with its own seconds, when it begins.
      """)
    release.open()
    room.expectEnds(of: ["job"])
    for seconds in [2.0, 0] {
      let outcome = try room.outcome(atMost: seconds, until: .longOver)
      #expect(outcome == .finished, timeline.showing("The job is done, so wait returns finished."))
    }
    #expect(
      room.asked.value == [3, 0.5, 0, .infinity, 2, 0],
      """
      Then the job was done, and two waits of 2 and 0 seconds followed. All six called deadline \
      with these: \(room.asked.value). A wait with nothing to wait for must call it as well, once, \
      when it begins.
      """)
  }

  // A second call of deadline, for the next job, returns a moment that never comes.
  //
  // job 1         job 2         job 3         wait
  // …             …             …
  //                                           begins; the deadline has passed
  //                                           timed out, whichever of them are done
  @Test(arguments: [[], [1], [1, 2], [2, 3]])
  func `the deadline is for all jobs together`(done: [Int]) throws {
    let release = Gate("release the jobs")
    for number in 1...3 {
      try room.run("job \(number)", on: number, until: done.contains(number) ? nil : release)
    }
    runUntilQuiet()
    let outcome = try room.outcome(
      until: .longOver,
      advice: """
        Of three jobs \(done.count) are done, and the deadline has passed. wait asked for \
        \(room.asked.value.count) deadlines; with a time for each job, a hundred jobs may take a \
        hundred times as long. Ask for one deadline, and use it for all jobs.
        """)
    #expect(outcome == .timedOut, timeline.showing("Not all jobs are done; the deadline is past."))
    release.open()
  }

  // MARK: - Late jobs

  @Test func `late jobs run to their end`() throws {
    let release = Gate("release the running job")
    try room.runAndBegin("running", on: 1, until: release)
    try room.run("waiting", on: 1)
    let outcome = try room.outcome(until: .longOver)
    #expect(outcome == .timedOut, "One job runs, one waits behind it, and the deadline has passed.")
    release.open()
    timeline.expect(
      """
      running  ├───────────────────┤
      wait 1        ┆┄┄┄┄├────┤
      waiting                           ├────┤
      """,
      """
      wait timed out while one job ran and another waited behind it in its queue. Both jobs must run \
      to their end: a timeout ends the wait, and cancels no job.
      """)
  }

  @Test func `late jobs are waited for again`() throws {
    let release = Gate("release the job")
    try room.runAndBegin("late", on: 1, until: release)
    for attempt in 1...2 {
      let outcome = try room.outcome(until: .longOver)
      #expect(
        outcome == .timedOut,
        timeline.showing(
          """
          The job is still running, but wait number \(attempt) returned finished. A timeout doesn't \
          end a job, so the next wait must still count it.
          """))
    }
    try room.run("done", on: 2)
    let waiter = room.beginWait(until: .never)
    #expect(
      !waiter.hasReturned,
      timeline.showing("The late job is still running, so the next wait must wait for it."))
    release.open()
    let outcome = try waiter.result("The late job is done too, so the wait must end.")
    #expect(outcome == .finished, timeline.showing("By now all jobs are done, even the late one."))
  }
}
