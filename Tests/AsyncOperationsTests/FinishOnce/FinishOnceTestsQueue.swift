import Foundation
import KataTesting
import Testing

extension FinishOnceTests {
  // MARK: - In a queue

  // queue           the reply      the timeout
  // starts it
  //                 finish
  // removes it                     finish
  // stays as it is
  @Test func `its queue completes it once`() throws {
    let job = FirstAnswerJob()
    let dependents = SharedCounter()
    let dependent = BlockOperation { dependents.increment() }
    dependent.addDependency(job.operation)
    let queue = queueAtWork(job)
    queue.addOperation(dependent)
    runUntilQuiet()
    #expect(dependents.value == 0, "finish hasn't been called, but its dependent has begun.")

    try finish(job, "reply")
    try finish(job, "timed out")
    expectDrained(queue, "finish was called, so the operation must be finished, and announce it.")
    expectCompletion(of: job)
    #expect(
      job.completions.value == 1 && dependents.value == 1,
      """
      Its completionBlock must be called once and its dependent begin once; here the counts are \
      \(job.completions.value) and \(dependents.value).
      """)
    expectEnd(of: job, with: "reply", "Its queue has removed it.")
  }

  @Test func `in its queue it may end inside the work`() throws {
    let job = FirstAnswerJob { finish in
      for answer in ["reply", "timed out"] { _ = finish(answer) }
    }
    let queue = OperationQueue()
    queue.addOperation(job.operation)
    expectDrained(queue, "finish was called inside the work; that call must count.")
    expectCompletion(of: job)
    #expect(
      job.completions.value == 1,
      "Its completionBlock must be called once, not \(job.completions.value) times.")
    expectEnd(of: job, with: "reply", "finish was called twice inside the work.")
  }

  // MARK: - Cancelled

  // queue           operation
  // suspended       waits
  //                 cancelled
  //                 must wait
  // continues
  //                 is finished
  @Test func `cancelled before its start, it ends when its queue starts it`() throws {
    let job = FirstAnswerJob()
    let queue = OperationQueue()
    queue.isSuspended = true
    queue.addOperation(job.operation)
    try mustReturn("cancel()") { job.operation.cancel() }
    runUntilQuiet()
    #expect(
      job.operation.isCancelled && !job.operation.isFinished,
      """
      It was cancelled, and its queue hasn't started it. It must be cancelled and not finished: \
      only start() may finish an operation that never began.
      """)
    queue.isSuspended = false
    expectDrained(queue, "The queue has started a cancelled operation: start() must finish it.")
    expectCompletion(of: job)
    #expect(
      job.begins.value == 0 && job.completions.value == 1,
      """
      It was cancelled before its start: its work must never begin, and its completionBlock must \
      be called once; here the counts are \(job.begins.value) and \(job.completions.value).
      """)
    expectEnd(of: job, with: nil, "It was cancelled before its start.")
  }

  @Test func `cancelled while it works, finish ends it`() throws {
    let job = FirstAnswerJob()
    try start(job)
    try mustReturn("cancel()") { job.operation.cancel() }
    #expect(
      job.operation.isExecuting && !job.operation.isFinished,
      """
      It was cancelled while its work was running, and no longer counts as executing: dependents \
      would begin beside work that is still running. cancel() is only a request; finish ends it.
      """)
    #expect(try finish(job, "cancelled"), "finish must end a cancelled operation like any other.")
    expectEnd(of: job, with: "cancelled", "It was cancelled while it worked, then finished.")
  }

  // Inside each notice of a start, inside each of a cancelled start, and inside the work.
  @Test(
    .observesKVO,
    arguments: [
      .will(.isExecuting), .did(.isExecuting), .will(.isFinished), .did(.isFinished), nil,
    ] as [KVOProbe.Announcement?])
  func `no lock is held while it starts`(notice: KVOProbe.Announcement?) throws {
    let goOn = Gate("the start goes on")
    let held: @Sendable () -> Void = { [timeline] in timeline.visit("its start", until: goOn) }
    let job = FirstAnswerJob { _ in if notice == nil { held() } }
    if notice == .will(.isFinished) || notice == .did(.isFinished) {
      try mustReturn("cancel()") { job.operation.cancel() }
    }
    let probe = KVOProbe(job.operation) { if $0 == notice { held() } }
    let starter = TestThread("start()") { job.operation.start() }
    let isHeld = eventually(
      "start() was called, but it never \(notice == nil ? "called the work" : "announced it")."
    ) { goOn.waiting == 1 }
    guard isHeld else { return }
    _ = TestThread("another thread") { [timeline, operation = job.operation] in
      timeline.visit("another thread") {
        _ = (operation.isExecuting, operation.isFinished, operation.answer)
      }
    }
    timeline.expect(
      """
      its start       ├──────────────…
      another thread       ├────┤
      """,
      """
      While start() \(notice == nil ? "calls the work" : "sends a notice") another thread reads \
      the state and the answer, and must not wait; it does. A lock is held, or a queue occupied, \
      while it notifies or calls a closure.
      """)
    goOn.open()
    try starter.result()
    withExtendedLifetime(probe) {}
  }

  // one operation       another one
  // sends a will
  //                     starts: independent of the first
  // changes the state
  @Test(.observesKVO) func `another operation may start meanwhile`() throws {
    let (job, other) = (FirstAnswerJob(), FirstAnswerJob())
    let wills = SharedCounter()
    let probe = KVOProbe(job.operation) {
      if case .will = $0, wills.increment() == 1 { other.operation.start() }
    }
    try mustReturn("start()") { job.operation.start() }
    withExtendedLifetime(probe) {}
    #expect(
      other.operation.isExecuting && other.begins.value == 1,
      """
      While one operation announced its start another one was started, but it doesn't execute. \
      Each operation has a state of its own: keep it, and the flag that a change is being made, in \
      the operation and not in a place that all share.
      """)
  }

  // MARK: - Many threads

  // finishing thread          another thread
  // ends it
  // begins to announce it     reads: only a lock in the answer orders the two
  // goes on
  @Test(.observesKVO) func `its state may be read while it finishes`() throws {
    try call("isFinished") { operation, _ in _ = (operation.isExecuting, operation.isFinished) }
  }

  @Test(.observesKVO) func `its answer may be read while it finishes`() throws {
    try call("answer") { operation, _ in _ = operation.answer }
  }

  @Test(.observesKVO) func `finish may be called while it finishes`() throws {
    try call("the second finish") { _, finish in _ = finish("timed out") }
  }

  private func call(
    _ name: String,
    whileItFinishes look:
      @escaping @Sendable (FirstAnswerOperation, FirstAnswerOperation.Finish) -> Void
  ) throws {
    let job = FirstAnswerJob()
    try start(job)
    let operation = job.operation
    let finish = try #require(job.handedOut, "The work never received finish.")
    try meetInsideNotice(
      of: operation, "finish", { _ = finish("reply") }, name, { look(operation, finish) })
    expectEnd(of: job, with: "reply", "finish was called.")
  }
}
