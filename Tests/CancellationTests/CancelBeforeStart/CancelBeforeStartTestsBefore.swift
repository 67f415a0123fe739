import Foundation
import KataTesting
import Testing

extension CancelBeforeStartTests {
  // MARK: - Cancelled before its start

  @Test func `cancelled and then started, it finishes without its work`() throws {
    let job = CancellableJob("job", on: timeline)
    try job.cancel()
    try mustReturn("start()") { job.operation.start() }
    #expect(
      timeline.entries(of: "job") == 0,
      "It was cancelled before it was started, so start() must not call main().")
    #expect(
      job.operation.isFinished && !job.operation.isExecuting,
      """
      start() was called on a cancelled operation and has left it unfinished. No work will ever \
      call finish for it, so start() must finish it: the queue and the dependents wait for that.
      """)
  }

  @Test func `cancelled before it is added, it finishes in its queue`() throws {
    let job = CancellableJob("job", on: timeline)
    let dependent = CancellableJob("dependent", on: timeline)
    dependent.operation.addDependency(job.operation)
    try job.cancel()
    let queue = try queue([job, dependent], suspended: true)
    expectWaiting(job)
    queue.isSuspended = false
    try expectCancelledEnd(of: job, before: dependent, in: queue)
  }

  // queue        job          dependent
  // suspended    waits        waits
  //              cancelled
  //              must wait    must wait
  // resumed
  //              is finished
  //                           begins
  @Test func `cancelled in a suspended queue, it finishes when the queue goes on`() throws {
    let job = CancellableJob("job", on: timeline)
    let dependent = CancellableJob("dependent", on: timeline)
    dependent.operation.addDependency(job.operation)
    let queue = try queue([job, dependent], suspended: true)
    try job.cancel()
    expectWaiting(job)
    queue.isSuspended = false
    try expectCancelledEnd(of: job, before: dependent, in: queue)
  }

  @Test func `cancelled behind another, it finishes when its turn comes`() throws {
    let first = CancellableJob("first", on: timeline)
    let job = CancellableJob("job", on: timeline)
    let dependent = CancellableJob("dependent", on: timeline)
    dependent.operation.addDependency(job.operation)
    let queue = try queue([first, job, dependent], width: 1)
    eventually("Its queue never started the first operation's work.") {
      timeline.isInside("first")
    }
    try job.cancel()
    expectWaiting(job)
    try first.end()
    try expectCancelledEnd(of: job, before: dependent, in: queue)
  }

  @Test func `cancelled while it waits for a dependency, it leaves its queue`() throws {
    let dependency = CancellableJob("dependency", on: timeline)
    let job = CancellableJob("job", on: timeline)
    let dependent = CancellableJob("dependent", on: timeline)
    job.operation.addDependency(dependency.operation)
    dependent.operation.addDependency(job.operation)
    let queue = try queue([job, dependent])
    runUntilQuiet()
    #expect(timeline.entries(of: "job") == 0, "It began before its dependency had finished.")
    try job.cancel()
    try expectCancelledEnd(of: job, before: dependent, in: queue)
  }

  // canceller     queue
  // super.cancel
  //               starts and finishes it
  // onCancel
  @Test func `cancelled while its queue acts on that at once, it is still passed on`() throws {
    // Which of the two is first is up to the system. So there are many rounds, each with a thread
    // of its own.
    let dependency = BlockOperation {}
    let queue = OperationQueue()
    for round in 1...40 {
      let job = CancellableJob("job \(round)", on: timeline)
      job.operation.addDependency(dependency)
      queue.addOperation(job.operation)
      try job.cancel()
      try #require(
        job.cancellations.count == 1,
        """
        The queue may start and finish the operation as soon as super.cancel() is called. onCancel \
        must be called once all the same, because the operation was unfinished when cancel() was \
        called. Decide that before you call super.cancel().
        """)
    }
  }

  @Test(.observesKVO) func `the end of a cancelled operation is announced`() throws {
    let job = CancellableJob("job", on: timeline)
    let probe = KVOProbe(job.operation)
    try job.cancel()
    #expect(
      probe.notices(of: .did(.isFinished)).isEmpty,
      probe.showing("cancel() announced an end; the operation isn't finished before its start."))
    try mustReturn("start()") { job.operation.start() }
    #expect(
      probe.notices.allSatisfy { !$0.isExecuting },
      probe.showing(
        """
        It was cancelled before its start, and isExecuting was true when it was started. It must \
        finish at once: check isCancelled before you change the state.
        """))
    #expect(
      probe.notices(of: .will(.isFinished)).first?.isFinished == false
        && probe.notices(of: .did(.isFinished)).last?.isFinished == true,
      probe.showing(
        """
        start() has finished a cancelled operation, and must announce "isFinished" around the \
        change. change(from:to:) does that.
        """))
  }
}
