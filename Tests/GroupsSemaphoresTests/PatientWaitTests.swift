import Dispatch
import KataTesting
import Testing

// No test measures time: deadlines are long over or never come. See `Moment`.
@Suite(.serialized, .kata) struct PatientWaitTests {
  private let room = WaitingRoom()
  private var timeline: Timeline { room.timeline }

  // MARK: - Running

  @Test func `a job runs once, on its queue`() throws {
    try room.run("first", on: 1)
    try room.run("second", on: 2)
    runUntilQuiet()
    for name in ["first", "second"] {
      let events = timeline.events.filter { $0.who == name }.map(\.kind)
      #expect(
        events == [.entered, .left],
        timeline.showing(
          """
          \(name) must run once, on the queue that it was submitted to. Begin with run: it submits \
          the job and returns.
          """))
    }
  }

  @Test func `run returns while the queue is busy`() throws {
    let release = Gate("release the busy queue")
    room.queue(1).async { release.wait() }
    try room.run("waiting", on: 1)
    #expect(timeline.events.isEmpty, "The queue is serial and busy, so the job must wait its turn.")
    release.open()
    room.expectEnds(of: ["waiting"])
  }

  // MARK: - Jobs in time

  // job           wait (for ever)
  // stays
  //               begins
  // stays         stays
  // ends
  //               finished
  @Test(arguments: [1, 2]) func `wait lasts until the last job is done`(slow: Int) throws {
    let release = Gate("release the slow job")
    for number in 1...2 {
      try room.run("job \(number)", on: number, until: number == slow ? release : nil)
    }
    let waiter = room.beginWait(until: .never)
    #expect(
      !waiter.hasReturned,
      timeline.showing(
        """
        wait returned while job \(slow) was still under way, and its time wasn't over. It must wait \
        for every job, whichever of them ends last.
        """))
    release.open()
    let outcome = try waiter.result("All jobs are done, so nothing may hold it any longer.")
    #expect(outcome == .finished, timeline.showing("All jobs were done in time."))
  }

  @Test func `a job that waits in its queue counts`() throws {
    let release = Gate("release the busy queue")
    room.queue(1).async { release.wait() }
    try room.run("waiting", on: 1)
    let outcome = try room.outcome(until: .longOver)
    #expect(
      outcome == .timedOut,
      """
      The job was submitted to a busy queue and hasn't begun, so it isn't done. A job counts from \
      the moment it is submitted.
      """)
    release.open()
  }

  @Test func `without jobs all is done`() throws {
    let answers = try [Moment.never, .longOver].map { try room.outcome(until: $0) }
    #expect(
      answers == [.finished, .finished],
      "There was no job to wait for, so wait must say finished, and at once.")
  }

  @Test func `jobs that are done are finished, however late it is`() throws {
    try room.run("job", on: 1)
    room.expectEnds(of: ["job"])
    let outcome = try room.outcome(until: .longOver)
    #expect(
      outcome == .finished,
      timeline.showing(
        """
        The job is done, and wait said timedOut because the time is over. Look at the jobs first: on \
        a slow machine both can be so, and what counts is that the work is done.
        """))
  }

  @Test func `wait says finished again`() throws {
    for name in ["first", "second"] {
      try room.run(name, on: 1)
      room.expectEnds(of: [name])
      for _ in 1...2 {
        let outcome = try room.outcome(
          until: .never,
          advice: "All jobs were done before it began, so it has nothing to wait for.")
        #expect(
          outcome == .finished,
          timeline.showing("All jobs are done, and they stay so: each wait must say finished."))
      }
    }
  }

  // MARK: - Time that is over

  @Test func `wait gives up when the time is over`() throws {
    let release = Gate("release the job")
    try room.runAndBegin("job", on: 1, until: release)
    let outcome = try room.outcome(
      atMost: 3600, until: .longOver,
      advice: """
        The job doesn't end, and the deadline that wait was told is over. (It was asked: \
        \(room.deadline.asked.isEmpty ? "never" : "yes").) A wait needs a timeout, and the timeout \
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
      _ = try room.outcome(atMost: seconds, until: .longOver)
    }
    #expect(
      room.deadline.asked == [3, 0.5, 0],
      """
      Three waits of 3, 0.5 and 0 seconds asked deadline for these: \(room.deadline.asked). Each \
      wait asks once, for its own seconds, when it begins.
      """)
    release.open()
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
        \(room.deadline.asked.count) deadlines: who gives each job a time of its own waits three \
        times as long for three jobs, and for a thousand of them a thousand times. Take one \
        deadline, and let all jobs share it.
        """)
    #expect(outcome == .timedOut, timeline.showing("Not all jobs are done, and the time is over."))
    release.open()
  }

  // MARK: - Late jobs

  // running       waiting       wait
  // stays         behind it
  //                             timed out
  // stays
  // ends
  //               runs
  @Test func `late jobs run to their end`() throws {
    let release = Gate("release the running job")
    try room.runAndBegin("running", on: 1, until: release)
    try room.run("waiting", on: 1)
    let outcome = try room.outcome(until: .longOver)
    #expect(outcome == .timedOut, "One job runs and one waits behind it, and the time is over.")
    release.open()
    eventually(
      timeline.showing(
        """
        wait timed out while one job ran and another waited behind it in its queue; and the other \
        never ran. The time was for the wait, not for the jobs: nobody asked to cancel them.
        """)
    ) { timeline.orderOfLeaving == ["running", "waiting"] }
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

  // MARK: - Threads

  // job           first wait    second wait   third wait
  // stays         begins        begins
  //                                           timed out
  // stays         stays         stays
  // ends
  //               finished      finished
  @Test func `several may wait at once`() throws {
    let release = Gate("release the job")
    try room.runAndBegin("job", on: 1, until: release)
    let waiters = [room.beginWait(until: .never), room.beginWait(until: .never)]
    let outcome = try room.outcome(
      until: .longOver, advice: "Two others wait too; each wait has a time of its own.")
    #expect(outcome == .timedOut, timeline.showing("The job is under way and the time is over."))
    #expect(
      waiters.allSatisfy { !$0.hasReturned },
      timeline.showing("One wait timed out, and others that still had time ended with it."))
    release.open()
    for waiter in waiters {
      let outcome = try waiter.result(
        "The job is done, and all who wait for it must be told, not just the first of them.")
      #expect(outcome == .finished, timeline.showing("The job was done in time."))
    }
  }

  // one           other
  // runs a job
  //               runs a job, or waits     nothing of the spec's orders the two
  @Test(arguments: [false, true]) func `run and wait may be called on any thread`(
    waits: Bool
  ) throws {
    let meeting = UnorderedMeeting()
    let (room, first, second) = (room, room.queue(1), room.queue(2))
    let other = Participant("other") {
      meeting.look {
        if waits {
          _ = room.wait.wait(atMost: 5)
        } else {
          room.wait.run(on: second) {}
        }
      }
    }
    let one = Participant("run") {
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
  // the wait has to time out, however long that takes.
  @Test func `without a deadline of the caller's the seconds are real`() throws {
    let release = Gate("release the job")
    let wait = PatientWait()
    let outcome = try mustReturn(
      "wait", "It was to wait for at most a hundredth of a second.", timersInPlay: true
    ) {
      wait.run(on: DispatchQueue(label: "katas.spec.patient-wait")) { release.wait() }
      return wait.wait(atMost: 0.01)
    }
    #expect(outcome == .timedOut, "The job doesn't end, so the wait must end without it.")
    release.open()
  }
}

extension PatientWait: Unreflected {}
