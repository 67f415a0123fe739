import AsyncOperations
import Foundation
import KataTesting
import Testing

@Suite(.serialized, .kata) struct CancelAllTests {
  let timeline = Timeline()
  let notices = DispatchQueue(label: "katas.spec.cancel-all.notices")
  let key = DispatchSpecificKey<Bool>()

  init() {
    notices.setSpecific(key: key, value: true)
  }

  // MARK: - What is in the queue

  @Test func `in a busy queue the running one is told and the waiting ones never begin`() throws {
    let running = CancelAllJob("running", on: timeline)
    let waiting = ["first", "second"].map { CancelAllJob($0, on: timeline) }
    let queue = queue([running] + waiting)
    try cancelAll(queue)
    #expect(
      running.isCancelled && waiting.allSatisfy(\.isCancelled),
      timeline.showing(
        "cancelAll has returned: every operation in the queue must be cancelled, also one that runs."
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

  @Test func `whoever waits for a dependency leaves too`() throws {
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
  // starts nobody
  //               cancels the others
  @Test(arguments: [false, true]) func `nobody begins while the others are being told`(
    suspended: Bool
  ) throws {
    let told = Counter()
    let firstIsTold = Gate("the first is told")
    let goOn = Gate("tell the others")
    // Whoever is told first: the order is the answer's.
    let jobs = ["running", "first", "second", "third"].map { label in
      CancelAllJob(label, on: timeline) {
        guard told.increment() == 1 else { return }
        firstIsTold.open()
        goOn.wait()
      }
    }
    let inQueue = suspended ? Array(jobs.dropFirst()) : jobs
    let queue = queue(inQueue, suspended: suspended)
    let caller = Participant("cancelAll") { callCancelAll(queue) }
    eventually("cancelAll never cancels anything that is in the queue.") { firstIsTold.isOpen }
    // The running one comes to its end just now.
    jobs[0].end()
    runUntilQuiet()
    expectNeverBegan(
      Array(jobs.dropFirst()),
      """
      One operation had been told and the others hadn't yet; the queue had room and started the \
      next. Suspend the queue, tell everybody, then resume it.
      """)
    goOn.open()
    try caller.result()
    for job in inQueue { expectGone(job) }
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
          whoever made the operation: don't put another in its place.
          """)
      ) { job.hasCompleted }
    }
  }

  // MARK: - The notice

  // running       caller        notice
  //               cancels, and goes on
  // works on                    none yet
  // ends
  //                             comes
  @Test func `the notice comes when the last has left`() throws {
    let running = CancelAllJob("running", .stubborn, on: timeline)
    let queue = queue([running, CancelAllJob("waiting", on: timeline)])
    try cancelAll(queue)
    runUntilQuiet()
    #expect(
      told().isEmpty,
      timeline.showing(
        "onEmpty was called while an operation still runs: cancelling stops nothing."))
    running.end()
    expectNotice()
  }

  @Test func `the notice of an empty queue comes too`() throws {
    try cancelAll(queue([]))
    expectNotice()
  }

  @Test func `each call has its notice`() throws {
    let running = CancelAllJob("running", .stubborn, on: timeline)
    let queue = queue([running])
    try cancelAll(queue, notice: "first notice")
    runUntilQuiet()
    try cancelAll(queue, notice: "second notice")
    running.end()
    expectNotice("first notice")
    expectNotice("second notice")
  }

  // MARK: - What is added later

  @Test(arguments: [false, true]) func `work that is added later runs`(suspended: Bool) throws {
    let earlier = CancelAllJob("earlier", on: timeline)
    let queue = queue([earlier], suspended: suspended)
    try cancelAll(queue)
    expectGone(earlier)
    expectNotice()
    let later = CancelAllJob("later", on: timeline)
    queue.addOperation(later)
    eventually(
      timeline.showing(
        "The queue was emptied, and what was added to it later never begins: is it still suspended?"
      )
    ) { timeline.isInside("later") }
    later.end()
  }

  // earlier       caller        later
  // works
  //               cancels
  //               adds
  // works on                    works too
  @Test func `work that is added later doesn't wait for what still ends`() throws {
    let earlier = CancelAllJob("earlier", .stubborn, on: timeline)
    let later = CancelAllJob("later", on: timeline)
    let queue = queue([earlier], width: 2)
    try cancelAll(queue)
    queue.addOperation(later)
    eventually(
      timeline.showing(
        """
        The queue is two wide and one cancelled operation still runs, so there is room for what was \
        added later; and it never begins.
        """)
    ) { timeline.isInside("later") }
    earlier.end()
    later.end()
  }

  @Test func `neither cancels nor waits for work that is added later`() throws {
    let earlier = CancelAllJob("earlier", .stubborn, on: timeline)
    let later = CancelAllJob("later", .stubborn, on: timeline)
    let queue = queue([earlier], width: 2)
    try cancelAll(queue)
    queue.addOperation(later)
    runUntilQuiet()
    earlier.end()
    expectNotice()
    #expect(
      !later.isCancelled,
      timeline.showing(
        "later was added after cancelAll, and is cancelled: nobody has asked for it."))
    later.end()
  }
}
