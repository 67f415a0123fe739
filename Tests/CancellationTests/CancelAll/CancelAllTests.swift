import AsyncOperations
import Foundation
import KataTesting
import Testing

/// Proves that everything in the queue is cancelled before anything begins, that `onEmpty` is
/// called when all of it has left, and that later operations are left alone.
@Suite(.serialized, .kata) struct CancelAllTests {
  let timeline = Timeline()
  let notices = DispatchQueue(label: "katas.spec.cancel-all.notices")
  let places: Places

  init() {
    places = Places(["the notice queue": notices])
  }

  // MARK: - What is in the queue

  @Test func `in a busy queue the running one is cancelled, the others never begin`() throws {
    let running = CancelAllJob("running", on: timeline)
    let waiting = ["first", "second"].map { CancelAllJob($0, on: timeline) }
    let queue = queue([running] + waiting)
    try cancelAll(queue)
    #expect(
      running.isCancelled && waiting.allSatisfy(\.isCancelled),
      timeline.showing(
        "cancelAll has returned: every operation in the queue must be cancelled, even running ones."
      ))
    for job in [running] + waiting { expectGone(job) }
    runUntilQuiet()
    expectNeverBegan(waiting, "It must be cancelled before it can begin.")
  }

  @Test func `a suspended queue empties`() throws {
    let waiting = ["first", "second"].map { CancelAllJob($0, on: timeline) }
    let queue = queue(waiting, suspended: true)
    try cancelAll(queue)
    for job in waiting { expectGone(job) }
    runUntilQuiet()
    expectNeverBegan(waiting, "It must be cancelled before the queue is resumed.")
  }

  @Test func `an operation that waits for a dependency leaves too`() throws {
    let job = CancelAllJob("dependent", on: timeline)
    job.addDependency(BlockOperation {})
    let queue = queue([job], width: 2)
    try cancelAll(queue)
    expectGone(job)
    expectNeverBegan([job], "It must be cancelled, whether or not it is ready.")
  }

  // queue         caller                      running
  //               cancels the first of them
  // has room                                  ends
  // starts none
  //               cancels the others
  @Test(arguments: [false, true]) func `no operation begins while the others are being cancelled`(
    suspended: Bool
  ) throws {
    let told = SharedCounter()
    let firstIsTold = Gate("the first is cancelled")
    let goOn = Gate("cancel the others")
    // Which is cancelled first is up to the answer.
    let jobs = ["running", "first", "second", "third"].map { label in
      CancelAllJob(label, on: timeline) {
        guard told.increment() == 1 else { return }
        firstIsTold.open()
        goOn.wait()
      }
    }
    let inQueue = suspended ? Array(jobs.dropFirst()) : jobs
    let queue = queue(inQueue, suspended: suspended)
    let caller = TestThread("cancelAll") { callCancelAll(queue) }
    eventually("cancelAll never cancels anything that is in the queue.") { firstIsTold.isOpen }
    // The running one ends just now.
    jobs[0].end()
    runUntilQuiet()
    expectNeverBegan(
      Array(jobs.dropFirst()),
      """
      One operation had been cancelled and the others hadn't yet; the queue had room and started \
      the next. Suspend the queue until all of them are cancelled.
      """)
    goOn.open()
    try caller.result()
    for job in inQueue { expectGone(job) }
  }

  // one call      another        the queue
  // cancels "first", which takes its time
  //                              "late" and "behind" are added
  //               cancels "late", which takes its time
  // returns
  //                              starts none: two are still being cancelled
  @Test func `if calls overlap, no operation begins before the last has cancelled all`() throws {
    let gates = ["first", "late"].map { Gate("\($0) has been cancelled") }
    let tellings = [SharedCounter(), SharedCounter()]
    let slow = { (number: Int) -> @Sendable () -> Void in
      { if tellings[number].increment() == 1 { gates[number].wait() } }
    }
    let first = CancelAllJob("first", on: timeline, afterCancel: slow(0))
    let late = CancelAllJob("late", on: timeline, afterCancel: slow(1))
    let behind = CancelAllJob("behind", on: timeline)
    let queue = queue([first], suspended: true)
    let one = TestThread("cancelAll") { callCancelAll(queue, notice: "first notice") }
    eventually("cancelAll never cancels the only operation of the queue.") { gates[0].waiting == 1 }
    for job in [late, behind] { queue.addOperation(job) }
    let another = TestThread("another cancelAll") { callCancelAll(queue, notice: "second notice") }
    eventually(
      timeline.showing(
        "Two calls overlapped, and the second never cancelled what was added in between.")
    ) { gates[1].waiting == 1 }
    gates[0].open()
    try one.result("The first call has cancelled all that it found, and waits for the second call.")
    runUntilQuiet()
    expectNeverBegan(
      [first, late, behind],
      """
      Two calls overlapped, and the first to finish resumed the queue while the other was still \
      cancelling. Count the calls in progress for each queue; the last of them resumes it.
      """)
    gates[1].open()
    try another.result()
    for job in [first, late, behind] { expectGone(job) }
    expectNeverBegan([first, late, behind], "Both calls have cancelled everything before that.")
    expectNotice("first notice")
    expectNotice("second notice")
    let next = CancelAllJob("next", on: timeline)
    queue.addOperation(next)
    eventually(
      timeline.showing(
        "Two calls overlapped and have returned, and an operation added now never begins.")
    ) { timeline.isInside("next") }
    next.end()
  }

  @Test func `a call doesn't wait for what was added before the next call`() throws {
    let earlier = CancelAllJob("earlier", .stubborn, on: timeline)
    let later = CancelAllJob("later", .stubborn, on: timeline)
    let queue = queue([earlier], width: 2)
    try cancelAll(queue, notice: "first notice")
    queue.addOperation(later)
    runUntilQuiet()
    try cancelAll(queue, notice: "second notice")
    earlier.end()
    eventually(
      timeline.showing(
        """
        cancelAll was called, then later was added, and then cancelAll was called again. Earlier \
        has left, which is all that the first call found, but its onEmpty isn't called. Each call \
        waits for the operations that it found itself.
        """)
    ) { !told("first notice").isEmpty }
    later.end()
    expectNotice("second notice")
  }

  @Test func `no queue is held up because another one is being emptied`() throws {
    let goOn = Gate("cancel the others")
    let record = Timeline()
    let slow = CancelAllJob("slow", on: Timeline()) { record.visit("slow to be told", until: goOn) }
    let busy = queue([slow], suspended: true)
    busy.name = "imports"
    let caller = TestThread("cancelAll") { callCancelAll(busy, notice: "its notice") }
    eventually("cancelAll never cancels the only operation of the queue.") { goOn.waiting == 1 }
    let other = queue([])
    other.name = "imports"
    try cancelAll(other)
    let next = CancelAllJob("next", on: record)
    other.addOperation(next)
    record.expect(
      """
      slow to be told  ├─────────…
      next                  ├────…
      """,
      """
      cancelAll emptied a queue and returned, then "next" was added there, and it never begins. \
      Another queue's operations are still being cancelled, which must have no effect on this \
      queue, even if both queues have the same name.
      """)
    goOn.open()
    try caller.result()
    next.end()
  }

  @Test func `what depends on them goes on, in this queue and in others`() throws {
    let waiting = CancelAllJob("waiting", on: timeline)
    let queue = queue([CancelAllJob("running", on: timeline), waiting], width: 1)
    let there = CancelAllJob("dependent in another queue", on: timeline)
    let here = CancelAllJob("dependent in this queue", on: timeline)
    for job in [there, here] { job.addDependency(waiting) }
    let other = self.queue([there])
    try cancelAll(queue)
    queue.addOperation(here)
    for job in [there, here] {
      eventually(
        timeline.showing(
          """
          "waiting" was cancelled and must leave; the \(job.label) wasn't in the queue then, and \
          never begins.
          """)
      ) { timeline.isInside(job.label) }
      #expect(
        !job.isCancelled,
        timeline.showing("The \(job.label) wasn't in the queue then: don't cancel it."))
      job.end()
    }
    withExtendedLifetime(other) {}
  }

  @Test func `their completion blocks are called`() throws {
    let jobs = ["running", "waiting"].map { CancelAllJob($0, on: timeline) }
    let queue = queue(jobs)
    try cancelAll(queue)
    for job in jobs {
      eventually(
        timeline.showing(
          """
          \(job.label) has left, and its completion block was never called. The block belongs to \
          the code that created the operation: don't replace it.
          """)
      ) { job.hasCompleted }
    }
  }
}
