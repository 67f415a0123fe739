import Dispatch
import Foundation
import KataTesting
import Testing

extension AllDoneTests {
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
      A job was added while the first was running, so both count. The first is done and the added \
      one isn't, so onAllDone mustn't have been called yet.
      """)
    releaseAdded.open()
    timeline.expect(
      """
      first   ├─────────┤
      added        ├─────────┤
      notice                      ●  on the notice queue
      """, "The added job is done too, so the notice must come now, once.")
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
      onAllDone was called while the added job was still waiting in its busy queue. It was added \
      while the first job was running, so it counts from that moment.
      """)
    releaseQueue.open()
    yard.expectOneNotice("The added job is done now, but the notice never came.")
  }

  // A chain: each job adds the next one while it is still running.
  @Test func `what a job adds counts`() throws {
    let hasStarted = Gate("the jobs have started")
    let release = Gate("release the last job")
    let box = LockedValue<AllDone?>(nil)
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
      The first job added the second, the second added the third, and onAllDone was called while \
      the third was running. A job that adds another isn't done yet, so the count can't be zero in \
      between.
      """)
    release.open()
    yard.expectOneNotice("The last job of the chain is done, but the notice never came.")
    box.set(nil)
  }

  @Test func `a job added after the notice runs, and there is no second notice`() throws {
    let allDone = try yard.start([yard.job("first", on: 1)])
    yard.expectOneNotice("The only job is done, but the notice never came.")
    try yard.add(yard.job("late", on: 2), to: allDone)
    eventually(
      timeline.showing("A job was added after all others were done: it must run as well.")
    ) { timeline.orderOfLeaving.contains("late") }
    timeline.expect(
      """
      first   ├────┤
      notice            ●  on the notice queue
      late                   ├────┤
      """,
      """
      The notice must come once, after the first job, and not again when a late job ends. The home \
      screen mustn't be shown twice.
      """)
  }

  @Test func `jobs added while the notice is queued change nothing`() throws {
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
      The only job was done, and its notice was waiting in a busy queue when two more jobs were added. \
      That queue is free now, so the notice must come, once, though one of the two is still running. \
      It waits only for jobs that were added before all others were done.
      """)
    releaseSlow.open()
  }

  // MARK: - Lives and threads

  @Test func `the notice comes even if the object is released`() throws {
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
      The object was released while its job was running, and the notice never came. The submitted \
      blocks must retain what they need; a weak self doesn't.
      """)
  }

  @Test func `queued jobs run even if the object is released`() throws {
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
      Two jobs were queued when the object was released, and the notice never came. The submitted \
      blocks must retain what they need.
      """)
    #expect(
      timeline.orderOfEntry == ["given", "added"],
      timeline.showing(
        """
        Two jobs were queued when the object was released, and both must run, in their order. A \
        weak self would make them depend on the object's lifetime.
        """))
  }

  // one           other
  // adds
  //               adds           nothing in the spec orders the two
  @Test func `jobs may be added on any thread`() throws {
    let release = Gate("release the queues")
    let yard = yard
    for number in 1...2 { yard.queue(number).async { release.wait() } }
    let allDone = try yard.start([yard.job("given", on: 1)])
    runUntilQuiet()
    // The queues are busy, so neither call wakes a thread, which could order the two.
    try RelaxedRendezvous.meet(
      "add", { allDone.add(yard.job("left", on: 1)) }, { allDone.add(yard.job("right", on: 2)) })
    release.open()
    yard.expectOneNotice("All three jobs are done, but the notice never came.")
    #expect(
      Set(timeline.orderOfLeaving) == ["given", "left", "right"],
      timeline.showing("Two threads added a job each, and both jobs must run."))
  }

  // one           other
  //               begins
  // ends
  //               ends           nothing in the spec orders the two ends
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
    // Behind the job in its serial queue: when this runs, the job has ended and been counted.
    one.async { meeting.changed() }
    release.open()
    eventually("Both jobs are done, but the notice never came.", timersInPlay: true) {
      yard.noticed.count == 1
    }
  }
}
