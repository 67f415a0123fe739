import Dispatch
import Foundation
import KataTesting
import Testing

extension ThrottledQueueTests {
  // MARK: - Pauses

  @Test func `paused, it lets run what runs, and begins nothing`() throws {
    let queue = try throttled(limit: 2)
    let jobs = timeline.jobs("running", "waiting", "also waiting")
    defer { clear(queue, of: jobs) }
    add([jobs[0]], to: queue)
    try pause(queue)
    #expect(
      timeline.isInside("running") && !jobs[0].isCancelled,
      timeline.showing(
        "Paused while an operation executed, the queue has cancelled it: it must go on and end."))
    add([jobs[1], jobs[2]], to: queue)
    timeline.expect(
      """
      running       ┆┄┄┄┄├───────────────────…
      pause                   ●  called
      waiting                      ┆┄┄┄┄┄┄┄┄┄…
      also waiting                      ┆┄┄┄┄…
      """, "The queue is paused and has room, and an operation began.")
    jobs[0].end()
    timeline.expect(
      """
      running       ┆┄┄┄┄├───────────────────┤
      pause                   ●  called
      waiting                      ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      also waiting                      ┆┄┄┄┄┄┄┄┄┄…
      """, "The queue is paused, the running one has ended, and another began.")
    #expect(
      jobs[0].isFinished,
      timeline.showing("What executed when the queue was paused has ended; it must be finished."))
  }

  @Test func `resumed, it begins what waited`() throws {
    let queue = try throttled(limit: 2)
    let jobs = timeline.jobs("first", "second", "third")
    defer { clear(queue, of: jobs) }
    try pause(queue)
    add(jobs, to: queue)
    try resume(queue)
    #expect(
      Set(timeline.inside) == ["first", "second"],
      timeline.showing(
        """
        Three operations waited in a paused queue with the limit 2. It was resumed: two of them must \
        execute now.
        """))
  }

  @Test func `two pauses want two resumes`() throws {
    let queue = try throttled(limit: 1)
    let jobs = timeline.jobs("waiting")
    defer { clear(queue, of: jobs) }
    try pause(queue)
    try pause(queue)
    add(jobs, to: queue)
    try resume(queue)
    timeline.expect(
      """
      pause    ●    ●  called, called
      waiting            ┆┄┄┄┄┄┄┄┄┄…
      resume                  ●  called
      """,
      """
      Two have paused the queue and one has resumed it, and an operation began: the other still wants \
      it to rest. isSuspended is yes or no; count the pauses.
      """)
    try resume(queue)
    timeline.expect(
      """
      pause    ●    ●  called, called
      waiting            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      resume                  ●    ●  called, called
      """, "Two have paused the queue and both have resumed it: it must run again.")
  }

  @Test func `whoever waits for a paused queue waits for the resume`() throws {
    let queue = try throttled(limit: 1)
    try pause(queue)
    timeline.ask("added")
    queue.addOperation { [timeline] in timeline.visit("added") {} }
    runUntilQuiet()
    let waiter = timeline.asks("whoever waits") { [timeline] in
      queue.waitUntilAllOperationsAreFinished()
      timeline.visit("whoever waits") {}
    }
    let isThere = queue.operationCount == 1
    let sentence = """
      An operation was added to a paused queue. It's in the queue and waits, and so must whoever waits \
      until the queue is empty.
      """
    #expect(isThere, timeline.showing(sentence))
    timeline.expect(
      """
      pause          ●  called
      added               ┆┄┄┄┄┄┄┄┄┄…
      whoever waits            ┆┄┄┄┄…
      """, sentence)
    try resume(queue)
    try waiter.result("The queue was resumed, and its only operation has ended.")
    timeline.expect(
      """
      pause          ●  called
      added               ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      whoever waits            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      resume                        ●  called
      """, "The queue was resumed: what was added meanwhile must run.")
  }

  @Test func `a resume too many does nothing`() throws {
    let queue = try throttled(limit: 1)
    let jobs = timeline.jobs("first", "second")
    defer { clear(queue, of: jobs) }
    try resume(queue)
    add([jobs[0]], to: queue)
    #expect(
      timeline.isInside("first"),
      timeline.showing("Nobody has paused the queue, it was resumed, and it begins nothing."))
    jobs[0].end()
    try pause(queue)
    add([jobs[1]], to: queue)
    #expect(
      timeline.orderOfEntry == ["first"],
      timeline.showing(
        """
        The queue was resumed without a pause, then paused, and an operation began: the resume too \
        many has eaten the pause. The count mustn't fall below zero.
        """))
    try resume(queue)
    #expect(
      timeline.orderOfEntry == ["first", "second"],
      timeline.showing(
        """
        Resumed without a pause, then paused and resumed, the queue begins nothing any more: the \
        resume too many was counted. The count mustn't fall below zero.
        """))
  }

  @Test func `it can be paused again`() throws {
    let queue = try throttled(limit: 1)
    let jobs = timeline.jobs("first", "second")
    defer { clear(queue, of: jobs) }
    try pause(queue)
    add(jobs, to: queue)
    try resume(queue)
    try pause(queue)
    jobs[0].end()
    #expect(
      timeline.orderOfEntry == ["first"],
      timeline.showing(
        """
        Paused, resumed and paused again: the first was begun in between, and the second must wait.
        """))
    try resume(queue)
    #expect(
      timeline.isInside("second"),
      timeline.showing("The queue was resumed for the second time, and nothing begins."))
  }

  @Test func `paused and resumed, it drains`() throws {
    let queue = try throttled(limit: 2)
    try pause(queue)
    for number in 1...40 {
      queue.addOperation { [timeline] in timeline.visit("operation \(number)") {} }
    }
    try resume(queue)
    try mustReturn(
      "waitUntilAllOperationsAreFinished", "Forty operations waited, and the queue was resumed."
    ) { queue.waitUntilAllOperationsAreFinished() }
    runUntilQuiet()
    #expect(
      timeline.orderOfLeaving.count == 40,
      "Forty operations waited in a paused queue, which was resumed; each must run once.")
    #expect(
      timeline.largestNumberInside <= 2,
      timeline.showing("The limit is 2, and more than two operations executed at once."))
  }

  // Nothing but a lock of the answer's orders the two.
  @Test func `two threads may pause it at once`() throws {
    let queue = try throttled(limit: 1)
    try RelaxedRendezvous.meet("pause", { queue.pause() }, { queue.pause() })
    let jobs = timeline.jobs("waiting")
    defer { clear(queue, of: jobs) }
    try resume(queue)
    add(jobs, to: queue)
    #expect(
      timeline.orderOfEntry.isEmpty,
      timeline.showing("Two threads have paused the queue, and one resume let it run."))
  }

  // Nothing but a lock of the answer's orders the two, whoever is first.
  @Test(arguments: [false, true])
  func `one thread may resume it while another pauses it`(isPauseFirst: Bool) throws {
    let queue = try throttled(limit: 1)
    try pause(queue)
    if isPauseFirst {
      try RelaxedRendezvous.meet("pause, then resume", { queue.pause() }, { queue.resume() })
    } else {
      try RelaxedRendezvous.meet("resume, then pause", { queue.resume() }, { queue.pause() })
    }
    let jobs = timeline.jobs("waiting")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    #expect(
      timeline.orderOfEntry.isEmpty,
      timeline.showing(
        "The queue was paused; then one thread has resumed it, and another has paused it again."))
  }
}
