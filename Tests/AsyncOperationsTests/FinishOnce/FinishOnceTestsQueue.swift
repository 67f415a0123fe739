import Foundation
import KataTesting
import Testing

extension FinishOnceTests {
  // MARK: - In a queue

  // queue           the reply      the time-out
  // starts it
  //                 finish
  // lets it go                     finish
  // stays as it is
  @Test func `its queue completes it once`() throws {
    let job = FirstAnswerJob()
    let dependents = SharedCounter()
    let dependent = BlockOperation { dependents.increment() }
    dependent.addDependency(job.operation)
    let queue = queueAtWork(job)
    queue.addOperation(dependent)
    runUntilQuiet()
    #expect(dependents.value == 0, "Nobody has called finish, and its dependent has begun.")

    try finish(job, "reply")
    try finish(job, "timed out")
    expectDrained(queue, "finish was called, so the operation must be finished, and say so.")
    expectCompletion(of: job)
    #expect(
      job.completions.value == 1 && dependents.value == 1,
      """
      Its completionBlock must be called once and its dependent begin once; here it's \
      \(job.completions.value) and \(dependents.value).
      """)
    expectEnd(of: job, with: "reply", "Its queue has let go of it.")
  }

  @Test func `in its queue it ends inside the work`() throws {
    let job = FirstAnswerJob { finish in
      for answer in ["reply", "timed out"] { _ = finish(answer) }
    }
    let queue = OperationQueue()
    queue.addOperation(job.operation)
    expectDrained(queue, "finish was called inside the work, which counts.")
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
  // goes on
  //                 is finished
  @Test func `cancelled before its start, it ends when its turn comes`() throws {
    let job = FirstAnswerJob()
    let queue = OperationQueue()
    queue.isSuspended = true
    queue.addOperation(job.operation)
    try mustReturn("cancel()") { job.operation.cancel() }
    runUntilQuiet()
    #expect(
      job.operation.isCancelled && !job.operation.isFinished,
      """
      It was cancelled, and its queue hasn't started it. It must be cancelled and not finished: an \
      operation that has never started can't end yet, and a queue traps on such a one.
      """)
    queue.isSuspended = false
    expectDrained(queue, "A cancelled operation's turn has come: start() must finish it.")
    expectCompletion(of: job)
    #expect(
      job.begins.value == 0 && job.completions.value == 1,
      """
      It was cancelled before its start: its work must never begin, and its completionBlock be \
      called once; here it's \(job.begins.value) and \(job.completions.value).
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
      It was cancelled while its work went on, and says that it's over: dependents would begin \
      beside work that still runs. cancel() only asks; finish ends it.
      """)
    #expect(try finish(job, "cancelled"), "finish must end a cancelled operation like any other.")
    expectEnd(of: job, with: "cancelled", "It was cancelled while it worked, then finish came.")
  }

  @Test(.observesKVO, arguments: [false, true])
  func `nobody has to wait for its start`(insideWork: Bool) throws {
    let goOn = Gate("the start goes on")
    let held: @Sendable () -> Void = { [timeline] in timeline.visit("its start", until: goOn) }
    let job = FirstAnswerJob { _ in if insideWork { held() } }
    let probe = KVOProbe(job.operation) { if $0 == .did(.isExecuting), !insideWork { held() } }
    let starter = TestThread("start()") { job.operation.start() }
    let isHeld = eventually(
      "start() was called, and it never \(insideWork ? "called the work" : "announced it")."
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
      While start() \(insideWork ? "calls the work" : "sends a notice") another thread asks for the \
      state and the answer, and was held up: a lock is held, or a queue occupied, while it notifies or \
      calls out.
      """)
    goOn.open()
    try starter.result()
    withExtendedLifetime(probe) {}
  }

  // one operation       another one
  // sends a will
  //                     starts: nothing to do with the first
  // changes the state
  @Test(.observesKVO) func `another operation starts meanwhile`() throws {
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
      While one operation announced its start another one was started, and it doesn't execute. Each \
      operation has a state of its own: keep it, and the note that a thread is on its way to change it, \
      in the operation and not where all share it.
      """)
  }

  // MARK: - Who sees what

  // finishing thread          another thread
  // ends it
  // begins to announce it     looks: nothing but a lock of the answer's orders the two
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
    let finish = try #require(job.handedOut, "The work was never given finish.")
    try meetInsideNotice(
      of: operation, "finish", { _ = finish("reply") }, name, { look(operation, finish) })
    expectEnd(of: job, with: "reply", "finish was called.")
  }
}
