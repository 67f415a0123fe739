import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that each job runs once on its own queue and holds nobody, and that one notice comes on its queue
/// once the given jobs and those added meanwhile have ended, even if nobody keeps the object.
@Suite(.serialized, .kata) struct AllDoneTests {
  let yard = JobYard()
  var timeline: Timeline { yard.timeline }

  // MARK: - The jobs

  @Test func `each job runs once, on its queue`() throws {
    let ran = LockedValue<[(name: String, place: String)]>([])
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
}

extension AllDone: OpaqueMirror {}
