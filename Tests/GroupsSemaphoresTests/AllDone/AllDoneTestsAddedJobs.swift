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
    try RelaxedRendezvous.meet(
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
