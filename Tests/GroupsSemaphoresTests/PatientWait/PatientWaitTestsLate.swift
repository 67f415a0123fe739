import Dispatch
import KataTesting
import Testing

// Deadlines are long over or never come.

extension PatientWaitTests {
  // MARK: - Time that is over

  @Test func `wait gives up when the time is over`() throws {
    let release = Gate("release the job")
    try room.runAndBegin("job", on: 1, until: release)
    let outcome = try room.outcome(
      atMost: 3600, until: .longOver,
      advice: """
        The job doesn't end, and the deadline that wait was told is over. (It was asked: \
        \(room.asked.value.isEmpty ? "never" : "yes").) A wait needs a timeout, and the timeout \
        is what deadline tells.
        """)
    #expect(
      outcome == .timedOut,
      timeline.showing("The time is over, the job is still under way, and wait said finished."))
    release.open()
  }

  @Test func `wait asks for the deadline of its own seconds, once`() throws {
    let release = Gate("release the job")
    try room.runAndBegin("job", on: 1, until: release)
    for seconds in [3.0, 0.5, 0] {
      let outcome = try room.outcome(atMost: seconds, until: .longOver)
      #expect(outcome == .timedOut, timeline.showing("The job is under way and the time is over."))
    }
    #expect(
      room.asked.value == [3, 0.5, 0],
      """
      Three waits of 3, 0.5 and 0 seconds asked deadline for these: \(room.asked.value). Each \
      wait asks once, for its own seconds, when it begins.
      """)
    release.open()
    room.expectEnds(of: ["job"])
    for seconds in [2.0, 0] {
      let outcome = try room.outcome(atMost: seconds, until: .longOver)
      #expect(outcome == .finished, timeline.showing("The job is done, however late it is."))
    }
    #expect(
      room.asked.value == [3, 0.5, 0, 2, 0],
      """
      Then the job was done, and two waits of 2 and 0 seconds followed. All five asked for these: \
      \(room.asked.value). A wait that finds nothing to wait for asks as well: once, when it \
      begins.
      """)
  }

  // Who asks for another deadline for the next job is told one that never comes.
  //
  // job 1         job 2         job 3         wait
  // …             …             …
  //                                           begins; the time is over
  //                                           timed out, whoever of them is done
  @Test(arguments: [[], [1], [1, 2], [2, 3]])
  func `the time is for all jobs together`(done: [Int]) throws {
    let release = Gate("release the jobs")
    for number in 1...3 {
      try room.run("job \(number)", on: number, until: done.contains(number) ? nil : release)
    }
    runUntilQuiet()
    let outcome = try room.outcome(
      until: .longOver,
      advice: """
        Of three jobs \(done.count) are done, and the time is over. wait asked for \
        \(room.asked.value.count) deadlines: who gives each job a time of its own waits three \
        times as long for three jobs, and for a thousand of them a thousand times. Take one \
        deadline, and let all jobs share it.
        """)
    #expect(outcome == .timedOut, timeline.showing("Not all jobs are done, and the time is over."))
    release.open()
  }

  // MARK: - Late jobs

  @Test func `late jobs run to their end`() throws {
    let release = Gate("release the running job")
    try room.runAndBegin("running", on: 1, until: release)
    try room.run("waiting", on: 1)
    let outcome = try room.outcome(until: .longOver)
    #expect(outcome == .timedOut, "One job runs and one waits behind it, and the time is over.")
    release.open()
    timeline.expect(
      """
      running  ├───────────────────┤
      wait 1        ┆┄┄┄┄├────┤
      waiting                           ├────┤
      """,
      """
      wait timed out while one job ran and another waited behind it in its queue; and the other \
      never ran. The time was for the wait, not for the jobs: nobody asked to cancel them.
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
          The job is still under way, and wait number \(attempt) said finished. A time-out doesn't \
          end a job, so the next wait must still know of it.
          """))
    }
    try room.run("done", on: 2)
    let waiter = room.beginWait(until: .never)
    #expect(
      !waiter.hasReturned,
      timeline.showing("The late job is still under way, and the next wait didn't wait for it."))
    release.open()
    let outcome = try waiter.result("The late job is done too, so nothing may hold it any longer.")
    #expect(outcome == .finished, timeline.showing("By now all jobs are done, also the late one."))
  }
}
