import Dispatch
import KataTesting
import Testing

// Deadlines are long over or never come, but in the one test with a clock.
/// Proves that a wait lasts until all jobs of its own object are done and no longer than one deadline, that
/// late jobs go on and count again, and that run never waits.
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

  @Test func `run returns while somebody waits`() throws {
    let release = Gate("release the job")
    try room.runAndBegin("job", on: 1, until: release)
    let waiter = room.beginWait(until: .never)
    try room.run("another", on: 2)
    room.expectEnds(of: ["another"])
    timeline.expect(
      """
      job      ├───────────────────…
      wait 1        ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      another            ├────┤
      """, "The job that was run before is still under way, and wait returned.")
    release.open()
    let outcome = try waiter.result("All jobs are done, so nothing may hold it any longer.")
    #expect(outcome == .finished, timeline.showing("All jobs were done in time."))
    timeline.expect(
      """
      job      ├───────────────────┤
      wait 1        ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      another            ├────┤
      """, "A wait ends when the last job has ended, once.")
  }

  @Test func `jobs run side by side, as their queues allow`() throws {
    let release = Gate("release the jobs")
    let names = ["left", "right", "elsewhere"]
    for (name, number) in zip(names, [4, 4, 1]) { try room.run(name, on: number, until: release) }
    eventually(
      timeline.showing(
        """
        Two jobs were run on one concurrent queue, and a third on a queue of its own. Nothing \
        keeps them from being under way at once but the one who submits them: give each to its \
        queue as it is, at once and without a barrier.
        """)
    ) { timeline.inside.count == names.count }
  }

  @Test func `jobs in line run though nobody keeps the object`() throws {
    let release = Gate("release the busy queue")
    let (queue, timeline) = (room.queue(1), timeline)
    queue.async { release.wait() }
    try mustReturn("run") { PatientWait().run(on: queue) { timeline.mark("job", "ran") } }
    runUntilQuiet()
    release.open()
    eventually(
      """
      A job was in line in its queue, the object that it was given to is gone, and the job never \
      ran. What is submitted must not depend on a weak self.
      """
    ) { timeline.events.count == 1 }
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
        wait returned while job \(slow) was still under way, and its time wasn't over. It must \
        wait for every job, whichever of them ends last.
        """))
    release.open()
    let outcome = try waiter.result(
      """
      All jobs are done, so nothing may hold it any longer: the last of them must wake it. A wait \
      that looks every so often comes too late.
      """)
    #expect(outcome == .finished, timeline.showing("All jobs were done in time."))
  }

  // Who is woken by the first job, and takes it for the last, is told here.
  @Test func `each job but the last leaves the wait asleep`() throws {
    let releases = (1...3).map { Gate("release job \($0)") }
    for number in 1...3 {
      try room.runAndBegin("job \(number)", on: number, until: releases[number - 1])
    }
    let waiter = room.beginWait(until: .never)
    for number in 1...2 {
      releases[number - 1].open()
      room.expectEnds(of: ["job \(number)"])
    }
    timeline.expect(
      """
      job 1   ├───────────────────┤
      job 2        ├───────────────────┤
      job 3             ├───────────────────…
      wait 1                 ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      """,
      """
      Two of three jobs ended while somebody waited for all of them, and wait returned. Whoever is \
      woken looks again whether any job is left: while, not if.
      """)
    releases[2].open()
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
    let answers = try [DispatchTime.never, .longOver].map { try room.outcome(until: $0) }
    #expect(
      answers == [.finished, .finished],
      "There was no job to wait for, so wait must say finished, and at once.")
  }

  @Test func `each object waits for its own jobs alone`() throws {
    let release = Gate("release the job of another object")
    let (other, queue) = (PatientWait(), room.queue(2))
    try mustReturn("run") { other.run(on: queue) { release.wait() } }
    let early = try room.outcome(
      until: .longOver, advice: "It has no job of its own, so it has nothing to wait for.")
    #expect(
      early == .finished,
      """
      One object has a job under way. Another one has none, and its wait said timedOut. What counts \
      the jobs belongs to each object: no static, and nothing for the whole file.
      """)
    try room.run("job", on: 1)
    room.expectEnds(of: ["job"])
    let late = try room.outcome(
      until: .longOver, advice: "Its own job is done, so it has nothing to wait for.")
    #expect(
      late == .finished,
      timeline.showing(
        """
        The only job that was run with this object is done, and wait said timedOut: a job of another \
        object was still under way, and is none of its business.
        """))
    release.open()
  }

  @Test func `jobs that are done are finished, however late it is`() throws {
    try room.run("job", on: 1)
    room.expectEnds(of: ["job"])
    let outcome = try room.outcome(until: .longOver)
    #expect(
      outcome == .finished,
      timeline.showing(
        """
        The job is done, and wait said timedOut because the time is over. Look at the jobs first: \
        on a slow machine both can be so, and what counts is that the work is done.
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

extension PatientWait: OpaqueMirror {}
