import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that each job runs once on its own queue and blocks no caller; one notice comes on the notice queue
/// when the given jobs and those added meanwhile are done, even if the object is released.
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

  @Test func `a job isn't submitted before it is given to an AllDone`() throws {
    let job = yard.job("described", on: 1)
    runUntilQuiet()
    #expect(
      timeline.events.isEmpty,
      timeline.showing("A job ran that was only described and not given to an AllDone."))
    try yard.start([job])
    runUntilQuiet()
    #expect(
      timeline.orderOfEntry == ["described"],
      timeline.showing("The job was given to an AllDone, so by now it must have run once."))
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
        Two jobs are for one concurrent queue, and two more have a serial queue each. All four must \
        run at the same time, and fewer do. Submit each job to its own queue as it is, at once and \
        without a barrier.
        """)
    ) { timeline.inside.count == 4 }
  }

  // caller        job
  // starts it
  //               stays
  // goes on
  // adds another
  // goes on
  @Test func `the caller isn't blocked by a job`() throws {
    let release = Gate("release the job")
    let allDone = try yard.start([yard.job("job", on: 1, until: release)])
    try yard.add(yard.job("added", on: 2, until: release), to: allDone)
    try yard.expectBegun("job")
    try yard.expectBegun("added")
    release.open()
  }

  @Test func `a busy notice queue doesn't block the caller`() throws {
    let release = Gate("release the notice queue")
    yard.notices.async { release.wait() }
    let allDone = try yard.start([])
    try yard.start([yard.job("job", on: 1)])
    release.open()
    eventually(
      timeline.showing("All jobs are done, and the notice queue is free: two notices must come.")
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
      Both jobs are done, but onAllDone was never called. A group can submit a closure to a queue \
      when its count is zero.
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
      onAllDone was called while job \(slow) was still running. The notice must wait for every \
      job, whichever of them ends last.
      """)
    release.open()
    yard.expectOneNotice("The last job is done now, but the notice never came.")
  }

  // The job has been submitted, and its queue is busy with other work.
  @Test func `a job that waits in its queue counts`() throws {
    let release = Gate("release the busy queue")
    yard.queue(2).async { release.wait() }
    try yard.start([yard.job("done", on: 1), yard.job("waiting", on: 2)])
    yard.expectNoNotice(
      """
      onAllDone was called while the job named waiting was still in its busy queue. A job counts \
      from the moment it is submitted, not from the moment it begins. To count it in its own block \
      is too late.
      """)
    release.open()
    yard.expectOneNotice("The job that waited is done now, but the notice never came.")
  }

  @Test func `what a job only started isn't waited for`() throws {
    let release = Gate("release what the job began")
    let queue = yard.queue(1)
    try yard.start([yard.job("job", on: 1) { queue.async { release.wait() } }])
    yard.expectOneNotice(
      """
      The job has returned, so it's done, but the notice never came. The job submitted another \
      block to its queue, which still runs. The notice mustn't wait for that block.
      """)
    release.open()
  }

  @Test func `another object's jobs aren't waited for`() throws {
    let release = Gate("release the other's job")
    let yard = yard
    let other = try mustReturn("init") {
      AllDone([yard.job("other's", on: 1, until: release)], noticeQueue: yard.queue(3)) {}
    }
    try yard.expectBegun("other's")
    try yard.start([yard.job("own", on: 2)])
    yard.expectOneNotice(
      """
      The only job of this object is done, but the notice never came. Another object's job is \
      still running: each object must count its own jobs only.
      """)
    release.open()
    withExtendedLifetime(other) {}
  }

  @Test func `without jobs the notice comes too`() throws {
    try yard.start([])
    yard.expectOneNotice(
      """
      There were no jobs, so all are done, but onAllDone was never called. The caller expects the \
      notice all the same.
      """)
  }

  @Test(arguments: [0, 1, 2]) func `the notice comes on the notice queue`(jobs: Int) throws {
    try yard.start((0..<jobs).map { yard.job("job \($0 + 1)", on: $0 + 1) })
    yard.expectOneNotice("All jobs are done (\(jobs) in total), but the notice never came.")
    #expect(
      yard.noticed == [.mark("on the notice queue")],
      timeline.showing(
        """
        With a job count of \(jobs), onAllDone must be called once, on the notice queue. The caller \
        chose that queue, perhaps the main queue, because the code of onAllDone belongs there.
        """))
  }

  @Test func `the notice queue may be a job's queue too`() throws {
    let both = yard.queue(1)
    let allDone = try yard.start([yard.job("job", on: 1)], noticeOn: both)
    yard.expectOneNotice(
      """
      The only job ran on the notice queue, and the notice never came. Submit the notice without \
      waiting for it to run: use async.
      """)
    withExtendedLifetime(allDone) {}
  }
}

extension AllDone: OpaqueMirror {}
