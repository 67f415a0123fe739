import Dispatch
import KataTesting
import Testing

/// Proves that a wait lasts until all jobs of its own object are done and no longer than one deadline, that
/// late jobs go on and count again, and that run never waits.
@Suite(.serialized, .kata) struct PatientWaitTests {
  let room = WaitingRoom()
  var timeline: Timeline { room.timeline }

  // MARK: - Running

  @Test func `a job runs once, on its queue`() throws {
    try room.run("first", on: 1)
    try room.run("second", on: 2)
    runUntilQuiet()
    for name in ["first", "second"] {
      let events = timeline.events.filter { $0.who == name }.map(\.kind)
      #expect(
        events == [.entered, .left] && !room.strays.value.contains(name),
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
      """,
      """
      The job that was run before is still under way, and so wait must still wait; and what was run \
      meanwhile, on another queue, must have run to its end.
      """)
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
}

extension PatientWait: OpaqueMirror {}
