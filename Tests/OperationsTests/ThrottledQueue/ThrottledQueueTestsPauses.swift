import Dispatch
import Foundation
import KataTesting
import Testing

extension ThrottledQueueTests {
  // MARK: - Pauses

  @Test func `paused, it lets running operations finish, and begins no other`() throws {
    let queue = try throttled(limit: 2)
    let jobs = timeline.jobs("running", "waiting", "also waiting")
    defer { clear(queue, of: jobs) }
    add([jobs[0]], to: queue)
    try pause(queue)
    #expect(
      timeline.isInside("running") && !jobs[0].isCancelled,
      timeline.showing(
        """
        The queue was paused while an operation executed, and the operation was cancelled or has \
        ended. It must go on to its end.
        """))
    add([jobs[1], jobs[2]], to: queue)
    timeline.expect(
      """
      running       ┆┄┄┄┄├───────────────────…
      pause                   ●  called
      waiting                      ┆┄┄┄┄┄┄┄┄┄…
      also waiting                      ┆┄┄┄┄…
      """,
      "The queue is paused and has room, and an operation began. None may begin before the resume.")
    jobs[0].end()
    timeline.expect(
      """
      running       ┆┄┄┄┄├───────────────────┤
      pause                   ●  called
      waiting                      ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      also waiting                      ┆┄┄┄┄┄┄┄┄┄…
      """,
      """
      The queue is paused, the running operation has ended, and another one began. None may \
      begin before the resume.
      """)
    #expect(
      jobs[0].isFinished,
      timeline.showing(
        "The operation that executed when the queue was paused has ended, so it must be finished."))
  }

  @Test func `resumed, it begins the waiting operations`() throws {
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
        Three operations waited in a paused queue with the limit 2, and it was resumed. Two of \
        them must execute now.
        """))
  }

  @Test func `two pauses need two resumes`() throws {
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
      The queue was paused twice and resumed once, and an operation began. The other pause still \
      counts. isSuspended is only a flag: count the pauses.
      """)
    try resume(queue)
    timeline.expect(
      """
      pause    ●    ●  called, called
      waiting            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      resume                  ●    ●  called, called
      """, "The queue was paused twice and resumed twice, so it must run again.")
  }

  @Test func `a thread that waits for a paused queue to be empty waits for the resume`() throws {
    let queue = try throttled(limit: 1)
    try pause(queue)
    timeline.ask("added")
    queue.addOperation { [timeline] in timeline.visit("added") {} }
    runUntilQuiet()
    let waiter = timeline.asks("waiter") { [timeline] in
      queue.waitUntilAllOperationsAreFinished()
      timeline.visit("waiter") {}
    }
    let isThere = queue.operationCount == 1
    let sentence = """
      An operation was added to a paused queue. It must be in the queue and wait, and so must a \
      thread that waits until the queue is empty.
      """
    #expect(isThere, timeline.showing(sentence))
    timeline.expect(
      """
      pause   ●  called
      added        ┆┄┄┄┄┄┄┄┄┄…
      waiter            ┆┄┄┄┄…
      """, sentence)
    try resume(queue)
    try waiter.result(
      "The queue was resumed, and its only operation has ended, so the queue is empty.")
    timeline.expect(
      """
      pause   ●  called
      added        ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      waiter            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      resume                 ●  called
      """, "The queue was resumed, so the operation that was added during the pause must run.")
  }

  @Test func `a resume too many does nothing`() throws {
    let queue = try throttled(limit: 1)
    let jobs = timeline.jobs("first", "second")
    defer { clear(queue, of: jobs) }
    try resume(queue)
    add([jobs[0]], to: queue)
    #expect(
      timeline.isInside("first"),
      timeline.showing(
        """
        The queue was resumed without a pause, and it begins nothing. Such a resume must do \
        nothing.
        """))
    jobs[0].end()
    try pause(queue)
    add([jobs[1]], to: queue)
    #expect(
      timeline.orderOfEntry == ["first"],
      timeline.showing(
        """
        The queue was resumed without a pause, then paused, and an operation began. The resume too \
        many must not cancel out the pause. Don't let the count fall below zero.
        """))
    try resume(queue)
    #expect(
      timeline.orderOfEntry == ["first", "second"],
      timeline.showing(
        """
        The queue was resumed without a pause, then paused and resumed, and it begins nothing any \
        more. The resume too many must not be counted. Don't let the count fall below zero.
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
        The queue was paused, resumed and paused again. The first operation begins in between, and \
        the second must wait.
        """))
    try resume(queue)
    #expect(
      timeline.isInside("second"),
      timeline.showing("The queue was resumed for the second time, and no operation begins."))
  }

  @Test func `paused and resumed, it drains`() throws {
    let queue = try throttled(limit: 2)
    try pause(queue)
    for number in 1...40 {
      queue.addOperation { [timeline] in timeline.visit("operation \(number)") {} }
    }
    try resume(queue)
    try mustReturn(
      "waitUntilAllOperationsAreFinished",
      "Forty operations waited, and the queue was resumed, so all of them must run."
    ) { queue.waitUntilAllOperationsAreFinished() }
    runUntilQuiet()
    #expect(
      timeline.orderOfLeaving.count == 40,
      "Forty operations waited in a paused queue, and it was resumed. Each must run once.")
    #expect(
      timeline.largestNumberInside <= 2,
      timeline.showing("The limit is 2, and more than two operations executed at once."))
  }

  // Only the answer's lock orders the two calls.
  @Test func `two threads may pause it at once`() throws {
    let queue = try throttled(limit: 1)
    try RelaxedRendezvous.meet("pause", { queue.pause() }, { queue.pause() })
    let jobs = timeline.jobs("waiting")
    defer { clear(queue, of: jobs) }
    try resume(queue)
    add(jobs, to: queue)
    #expect(
      timeline.orderOfEntry.isEmpty,
      timeline.showing(
        """
        Two threads have paused the queue, and after one resume an operation began. Both pauses \
        must count.
        """))
  }

  // Only the answer's lock orders the two calls, whichever is first.
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
        """
        The queue was paused; then one thread resumed it, another paused it again, and an \
        operation began.
        """))
  }
}
