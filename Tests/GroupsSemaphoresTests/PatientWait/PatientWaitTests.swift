import Dispatch
import KataTesting
import Testing

/// Proves that a wait lasts until all jobs of its own object are done, and no longer than one deadline; that
/// late jobs run on and count for the next wait; and that run never waits.
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
    #expect(timeline.events.isEmpty, "The queue is serial and busy, so the job must wait in it.")
    release.open()
    room.expectEnds(of: ["waiting"])
  }

  @Test func `run returns while another thread waits`() throws {
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
      The job that was run before is still running, so wait must still wait. The job that was run \
      meanwhile, on another queue, must have run to its end.
      """)
    release.open()
    let outcome = try waiter.result("All jobs are done, so the wait must end.")
    #expect(outcome == .finished, timeline.showing("All jobs were done in time."))
    timeline.expect(
      """
      job      ├───────────────────┤
      wait 1        ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      another            ├────┤
      """, "wait must return once, when the last job has ended.")
  }

  @Test func `jobs run side by side, as their queues allow`() throws {
    let release = Gate("release the jobs")
    let names = ["left", "right", "elsewhere"]
    for (name, number) in zip(names, [4, 4, 1]) { try room.run(name, on: number, until: release) }
    eventually(
      timeline.showing(
        """
        Two jobs were run on one concurrent queue, and a third on a queue of its own. All three must \
        run at the same time, and fewer do. Submit each job to its own queue as it is, at once and \
        without a barrier.
        """)
    ) { timeline.inside.count == names.count }
  }

  @Test func `queued jobs run even if the object is released`() throws {
    let release = Gate("release the busy queue")
    let (queue, timeline) = (room.queue(1), timeline)
    queue.async { release.wait() }
    try mustReturn("run") { PatientWait().run(on: queue) { timeline.mark("job", "ran") } }
    runUntilQuiet()
    release.open()
    eventually(
      """
      A job was waiting in its queue when the object was released, and it never ran. What is \
      submitted mustn't depend on a weak self.
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
        wait returned while job \(slow) was still running, before its deadline. It must wait for \
        every job, whichever of them ends last.
        """))
    release.open()
    let outcome = try waiter.result(
      """
      All jobs are done, so the wait must end: the last job must wake it. A loop that polls returns \
      too late.
      """)
    #expect(outcome == .finished, timeline.showing("All jobs were done in time."))
  }

  // This rejects a wait that is woken by the first job and takes it for the last.
  @Test func `wait stays asleep until the last job ends`() throws {
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
      Two of three jobs have ended, so wait must still wait for the third. A woken thread must check \
      again whether a job is left: while, not if.
      """)
    releases[2].open()
    let outcome = try waiter.result("All jobs are done, so the wait must end.")
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
      "There is no job to wait for, so wait must return finished at once.")
  }

  @Test func `each object waits for its own jobs alone`() throws {
    let release = Gate("release the job of another object")
    let (other, queue) = (PatientWait(), room.queue(2))
    try mustReturn("run") { other.run(on: queue) { release.wait() } }
    let early = try room.outcome(
      until: .longOver, advice: "It has no job of its own, so it mustn't wait.")
    #expect(
      early == .finished,
      """
      One object has a job that runs. Another one has none, but its wait returned timedOut. Each \
      object must count its own jobs: no static variable, and no global one.
      """)
    try room.run("job", on: 1)
    room.expectEnds(of: ["job"])
    let late = try room.outcome(
      until: .longOver, advice: "Its own job is done, so it mustn't wait.")
    #expect(
      late == .finished,
      timeline.showing(
        """
        The only job that was run with this object is done, but wait returned timedOut. A job of \
        another object is still running, and mustn't count here.
        """))
    release.open()
  }

  @Test func `wait returns finished if all jobs are done, even late`() throws {
    try room.run("job", on: 1)
    room.expectEnds(of: ["job"])
    let outcome = try room.outcome(until: .longOver)
    #expect(
      outcome == .finished,
      timeline.showing(
        """
        The job is done, but wait returned timedOut. On a slow machine the deadline may have passed \
        too, and then finished must win: check the jobs before the clock.
        """))
  }

  @Test func `wait says finished again`() throws {
    for name in ["first", "second"] {
      try room.run(name, on: 1)
      room.expectEnds(of: [name])
      for _ in 1...2 {
        let outcome = try room.outcome(
          until: .never,
          advice: "All jobs were done before it began, so it mustn't wait.")
        #expect(
          outcome == .finished,
          timeline.showing("All jobs are done and stay done, so each wait must return finished."))
      }
    }
  }
}

extension PatientWait: OpaqueMirror {}
