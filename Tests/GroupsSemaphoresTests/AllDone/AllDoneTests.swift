import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that each job runs once on its own queue and holds nobody, and that one notice comes on its queue
/// once the given jobs and those added meanwhile have ended, even if nobody keeps the object.
@Suite(.serialized, .kata) struct AllDoneTests {
  private let yard = JobYard()
  private var timeline: Timeline { yard.timeline }

  // MARK: - The jobs

  @Test func `each job runs once, on its queue`() throws {
    let ran = Locked<[(name: String, place: String)]>([])
    let jobs = [("first", 1), ("second", 2), ("added", 3)].map { [yard] name, number in
      yard.job(name, on: number) { ran.append((name, yard.places.current)) }
    }
    let allDone = try yard.start([jobs[0], jobs[1]])
    try yard.add(jobs[2], to: allDone)
    runUntilQuiet()
    for (name, number) in [("first", 1), ("second", 2), ("added", 3)] {
      let places = ran.value.filter { $0.name == name }.map(\.place)
      #expect(
        places == ["on queue \(number)"],
        timeline.showing(
          """
          \(name) must run once, on queue \(number). Begin with add: it submits the job to the \
          job's queue. init adds every job that it is given.
          """))
    }
  }

  @Test func `the jobs of a serial queue run in their order`() throws {
    let names = (1...5).map { "job \($0)" }
    try yard.start(names.map { yard.job($0, on: 1) })
    runUntilQuiet()
    #expect(
      timeline.orderOfEntry == names,
      timeline.showing("The jobs share a serial queue, so they run in the order of submission."))
  }

  @Test func `a job begins when it is given away, not before`() throws {
    let job = yard.job("described", on: 1)
    runUntilQuiet()
    #expect(
      timeline.events.isEmpty,
      timeline.showing("A job was described and given to nobody, and it ran."))
    try yard.start([job])
    runUntilQuiet()
    #expect(
      timeline.orderOfEntry == ["described"], timeline.showing("By now it must have run once."))
  }

  @Test func `jobs run side by side, as their queues allow`() throws {
    let release = Gate("release the jobs")
    let concurrent = DispatchQueue(label: "katas.spec.all-done.concurrent", attributes: .concurrent)
    let queues = [concurrent, concurrent, yard.queue(1)]
    let allDone = try yard.start(
      queues.enumerated().map { [timeline] number, queue in
        AllDone.Job(on: queue) { timeline.visit("job \(number + 1)", until: release) }
      })
    try yard.add(yard.job("added", on: 2, until: release), to: allDone)
    eventually(
      timeline.showing(
        """
        Two jobs are for one concurrent queue, and two for a queue of their own each. Nothing \
        keeps them from being under way at once but the one who submits them: give each to its \
        queue as it is, at once and without a barrier.
        """)
    ) { timeline.inside.count == 4 }
  }

  // caller        job
  // starts it
  //               stays
  // goes on
  // adds another
  // goes on
  @Test func `the caller isn't held`() throws {
    let release = Gate("release the job")
    let allDone = try yard.start([yard.job("job", on: 1, until: release)])
    try yard.add(yard.job("added", on: 2, until: release), to: allDone)
    try yard.expectBegun("job")
    try yard.expectBegun("added")
    release.open()
  }

  @Test func `the caller isn't held by a busy notice queue`() throws {
    let release = Gate("release the notice queue")
    yard.notices.async { release.wait() }
    let allDone = try yard.start([])
    try yard.start([yard.job("job", on: 1)])
    release.open()
    eventually(
      timeline.showing("All is done, and the notice queue is free: there must be two notices.")
    ) {
      yard.noticed.count == 2
    }
    withExtendedLifetime(allDone) {}
  }

  // MARK: - The notice

  @Test func `one notice comes when all jobs are done`() throws {
    try yard.start([yard.job("first", on: 1), yard.job("second", on: 2)])
    yard.expectOneNotice(
      """
      Both jobs are done, and onAllDone was never called. A group notifies a queue when nothing in \
      it is left to do.
      """)
  }

  // first         second        notice
  // ends          stays         none yet
  //               ends
  //                             comes
  @Test(arguments: [1, 2]) func `no notice comes while a job is under way`(slow: Int) throws {
    let release = Gate("release the slow job")
    try yard.start(
      (1...2).map { yard.job("job \($0)", on: $0, until: $0 == slow ? release : nil) })
    try yard.expectBegun("job \(slow)")
    yard.expectNoNotice(
      """
      onAllDone was called while job \(slow) still runs. The notice must wait for every job, \
      whichever of them ends last.
      """)
    release.open()
    yard.expectOneNotice("The last job is done now, and the notice never came.")
  }

  // The job has been submitted, and its queue is busy with somebody else's work.
  @Test func `a job that waits in its queue counts`() throws {
    let release = Gate("release the busy queue")
    yard.queue(2).async { release.wait() }
    try yard.start([yard.job("done", on: 1), yard.job("waiting", on: 2)])
    yard.expectNoNotice(
      """
      The job named waiting was submitted to a busy queue and hasn't begun, and onAllDone was \
      called. A job counts from the moment it is submitted, not from the moment it begins: whoever \
      counts it in its own block counts it too late.
      """)
    release.open()
    yard.expectOneNotice("The job that waited is done now, and the notice never came.")
  }

  @Test func `what a job only began isn't waited for`() throws {
    let release = Gate("release what the job began")
    let queue = yard.queue(1)
    try yard.start([yard.job("job", on: 1) { queue.async { release.wait() } }])
    yard.expectOneNotice(
      """
      The job has returned, so it's done; and the notice never came. The job put something else on \
      its queue, which is under way, but a job lasts until it returns and no longer.
      """)
    release.open()
  }

  @Test func `the jobs of others aren't waited for`() throws {
    let release = Gate("release the other's job")
    let yard = yard
    let other = try mustReturn("init") {
      AllDone([yard.job("other's", on: 1, until: release)], noticeQueue: yard.queue(3)) {}
    }
    try yard.expectBegun("other's")
    try yard.start([yard.job("own", on: 2)])
    yard.expectOneNotice(
      """
      The only job of this object is done, and the notice never came. Another object's job is \
      still under way: each counts its own.
      """)
    release.open()
    withExtendedLifetime(other) {}
  }

  @Test func `without jobs the notice comes too`() throws {
    try yard.start([])
    yard.expectOneNotice(
      """
      There was nothing to do, so all is done; and onAllDone was never called. Whoever waits for \
      the notice waits for ever.
      """)
  }

  @Test(arguments: [0, 1, 2]) func `the notice comes on the notice queue`(jobs: Int) throws {
    try yard.start((0..<jobs).map { yard.job("job \($0 + 1)", on: $0 + 1) })
    yard.expectOneNotice("All jobs are done (there were \(jobs)), and the notice never came.")
    #expect(
      yard.noticed == [.mark("on the notice queue")],
      timeline.showing(
        """
        With \(jobs) jobs, onAllDone was called on the wrong queue. The caller chose one, perhaps \
        the main queue, because what it does belongs there.
        """))
  }

  @Test func `the notice queue may be a job's queue too`() throws {
    let both = yard.queue(1)
    let allDone = try yard.start([yard.job("job", on: 1)], noticeOn: both)
    yard.expectOneNotice(
      """
      The only job ran on the notice queue, and the notice never came. Who delivers a notice \
      mustn't wait until it is received: use async.
      """)
    withExtendedLifetime(allDone) {}
  }

  // MARK: - Jobs that are added

  @Test func `a job added before the others are done counts`() throws {
    let releaseFirst = Gate("release the first job")
    let releaseAdded = Gate("release the added job")
    let allDone = try yard.start([yard.job("first", on: 1, until: releaseFirst)])
    try yard.expectBegun("first")
    try yard.add(yard.job("added", on: 2, until: releaseAdded), to: allDone)
    try yard.expectBegun("added")
    releaseFirst.open()
    timeline.expect(
      """
      first  ├─────────┤
      added       ├─────────…
      """,
      """
      A job was added while the first was under way, so both count. The first is done, the added \
      one isn't, and onAllDone was called.
      """)
    releaseAdded.open()
    timeline.expect(
      """
      first   ├─────────┤
      added        ├─────────┤
      notice                      ●  on the notice queue
      """, "The added job is done too, and the notice never came.")
  }

  @Test func `an added job that waits in its queue counts`() throws {
    let releaseFirst = Gate("release the first job")
    let releaseQueue = Gate("release the busy queue")
    let allDone = try yard.start([yard.job("first", on: 1, until: releaseFirst)])
    try yard.expectBegun("first")
    yard.queue(2).async { releaseQueue.wait() }
    try yard.add(yard.job("added", on: 2), to: allDone)
    releaseFirst.open()
    yard.expectNoNotice(
      """
      The added job waits behind somebody else's work and hasn't begun, and onAllDone was called. \
      It was added while the first job was under way, so it counts.
      """)
    releaseQueue.open()
    yard.expectOneNotice("The added job is done now, and the notice never came.")
  }

  // A chain: each job adds the next one, and is still inside when it does.
  @Test func `what a job adds counts`() throws {
    let hasStarted = Gate("the jobs have started")
    let release = Gate("release the last job")
    let box = Locked<AllDone?>(nil)
    let yard = yard
    let allDone = try yard.start([
      yard.job("first", on: 1, until: hasStarted) {
        box.value?.add(
          yard.job("second", on: 1) {
            box.value?.add(yard.job("third", on: 2, until: release))
          })
      }
    ])
    box.set(allDone)
    hasStarted.open()
    try yard.expectBegun("third")
    yard.expectNoNotice(
      """
      The first job added the second and that one the third, which still runs; and onAllDone was \
      called. A job that adds another isn't done yet, so there is never a moment without jobs.
      """)
    release.open()
    yard.expectOneNotice("The last job of the chain is done, and the notice never came.")
    box.set(nil)
  }

  @Test func `a job added after the notice runs, and there is no second notice`() throws {
    let allDone = try yard.start([yard.job("first", on: 1)])
    yard.expectOneNotice("The only job is done, and the notice never came.")
    try yard.add(yard.job("late", on: 2), to: allDone)
    eventually(
      timeline.showing("A job was added after all others were done: it must run all the same.")
    ) { timeline.orderOfLeaving.contains("late") }
    timeline.expect(
      """
      first   ├────┤
      notice            ●  on the notice queue
      late                   ├────┤
      """,
      """
      The notice had come; then a late job ended, and it came again. Once means once: whoever \
      shows the home screen doesn't want to show it twice.
      """)
  }

  @Test func `what is added while the notice is in line changes nothing`() throws {
    let releaseNotices = Gate("release the notice queue")
    let releaseSlow = Gate("release the slow job")
    yard.notices.async { releaseNotices.wait() }
    let allDone = try yard.start([yard.job("first", on: 1)])
    runUntilQuiet()
    try yard.add(yard.job("late", on: 2), to: allDone)
    runUntilQuiet()
    try yard.add(yard.job("slow", on: 3, until: releaseSlow), to: allDone)
    try yard.expectBegun("slow")
    releaseNotices.open()
    timeline.expect(
      """
      first   ├────┤
      late              ├────┤
      slow                        ├─────────…
      notice                           ●  on the notice queue
      """,
      """
      The only job was done, and the notice waited for its busy queue, when two others were added: the \
      first of them has ended, the second is under way. The queue is free now, and one notice must \
      come; none came. It waits for what was added before all was done, and for nothing that comes later.
      """)
    releaseSlow.open()
  }

  // MARK: - Lives and threads

  @Test func `the notice comes though nobody keeps the object`() throws {
    let release = Gate("release the job")
    let yard = yard
    try mustReturn("init") {
      _ = AllDone([yard.job("job", on: 1, until: release)], noticeQueue: yard.notices) {
        yard.timeline.mark("notice", "came")
      }
    }
    try yard.expectBegun("job")
    runUntilQuiet()
    release.open()
    yard.expectOneNotice(
      """
      Nobody kept the object, and the notice never came. The blocks that are under way must keep \
      what they need, not a weak self.
      """)
  }

  @Test func `jobs in line run though nobody keeps the object`() throws {
    let release = Gate("release the busy queue")
    let yard = yard
    yard.queue(1).async { release.wait() }
    try mustReturn("init") {
      let allDone = AllDone([yard.job("given", on: 1)], noticeQueue: yard.notices) {
        yard.timeline.mark("notice", "came")
      }
      allDone.add(yard.job("added", on: 1))
    }
    runUntilQuiet()
    release.open()
    yard.expectOneNotice(
      """
      Two jobs were in line when the object went, and the notice never came. What is submitted \
      must keep what it needs.
      """)
    #expect(
      timeline.orderOfEntry == ["given", "added"],
      timeline.showing(
        """
        Two jobs were in line in their queue when the object went, and both must run. A weak self \
        makes them depend on who keeps the object.
        """))
  }

  // one           other
  // adds
  //               adds           nothing of the spec's orders the two
  @Test func `jobs may be added on any thread`() throws {
    let release = Gate("release the queues")
    let yard = yard
    for number in 1...2 { yard.queue(number).async { release.wait() } }
    let allDone = try yard.start([yard.job("given", on: 1)])
    runUntilQuiet()
    // Busy queues: no thread is woken between the two, which could order them.
    try meet(
      "add", { allDone.add(yard.job("left", on: 1)) }, { allDone.add(yard.job("right", on: 2)) })
    release.open()
    yard.expectOneNotice("All three jobs are done, and the notice never came.")
    #expect(
      Set(timeline.orderOfLeaving) == ["given", "left", "right"],
      timeline.showing("Two jobs were added on two threads, and both must run."))
  }

  // one           other
  //               begins
  // ends
  //               ends           nothing of the spec's orders the two ends
  @Test(arguments: [1, 2]) func `jobs may end on any thread`(first: Int) throws {
    let meeting = RelaxedRendezvous()
    let release = Gate("release the first job")
    let (one, other) = (yard.queue(first), yard.queue(3 - first))
    try yard.start([
      AllDone.Job(on: other) { [timeline] in
        timeline.enter("other")
        meeting.look {}
      },
      AllDone.Job(on: one) { release.wait() },
    ])
    eventually("A job was submitted to an idle queue, and never began.", timersInPlay: true) {
      timeline.isInside("other")
    }
    // Behind the job in its serial queue: by then the job has ended and been counted.
    one.async { meeting.changed() }
    release.open()
    eventually("Both jobs are done, and the notice never came.", timersInPlay: true) {
      yard.noticed.count == 1
    }
  }
}

extension AllDone: OpaqueMirror {}
