import AsyncOperations
import Foundation
import KataTesting
import Testing

/// Proves that the work, its deadline or a cancellation ends the operation, whichever is first, and
/// that the others then have no effect.
///
/// Work that is given up is stopped once, and nothing is retained.
@Suite(.serialized, .kata) struct DeadlineOperationTests {
  let timeline = Timeline()

  // MARK: - The three ends

  @Test func `the value that comes in time is the outcome`() throws {
    let job = DeadlineJob()
    let thread = try start(job)
    try #require(
      job.works == 1,
      """
      start() has returned, and the work was begun \(job.works) times. Begin with main(): it must \
      call work directly, once, and pass it a closure that settles the outcome.
      """)
    #expect(
      job.threads == [thread],
      "The work was begun on another thread: call it in main(), on the thread that started it.")
    runUntilQuiet()
    #expect(
      job.timers.all.map(\.thread) == [thread],
      """
      The number of timers that were set is \(job.timers.all.count). There must be one, set on the \
      thread that started the operation: call schedule directly in main().
      """)
    #expect(
      job.operation.isExecuting && !job.operation.isFinished && job.outcome == "open",
      "The work goes on: the operation must be executing and its outcome nil until it's over.")
    try call(.complete, on: job)
    try expectEnd(of: job, by: .complete, "The work called complete with 7, in time.")
  }

  @Test func `its time counts from its start`() throws {
    let job = DeadlineJob(
      deadline: 2.5,
      onTimer: { [timeline] in timeline.mark("timer", "\($0.timers.seconds)") },
      inWork: { [timeline] _ in timeline.mark("work", "begins") })
    let queue = OperationQueue()
    queue.isSuspended = true
    queue.addOperation(job.operation)
    timeline.mark("queue", "has it, and is suspended")
    timeline.expect(
      """
      queue  ●  has it, and is suspended
      """,
      """
      It waits in a suspended queue, and its timer is set already. Its time must not run out \
      before the work has begun: set the timer in main().
      """)
    queue.isSuspended = false
    eventually("Its queue has started it, and the work was never begun.") { job.works == 1 }
    timeline.expect(
      """
      queue  ●  has it, and is suspended
      timer       ●  [2.5]
      work             ●  begins
      """,
      """
      When the work begins, one timer of 2.5 s must have been set. Work that takes its time, or \
      ends at once, must find the timer set.
      """)
    try call(.complete, on: job)
    try expectEnd(of: job, by: .complete, "The work called complete with 7, in time.")
  }

  @Test func `when its time is up it gives up and says so`() throws {
    let job = try begunJob()
    try call(.timer, on: job)
    try expectEnd(
      of: job, by: .timer, "Its time is up, and its work goes on and never calls complete.")
  }

  @Test func `cancelled while it works, it is over at once`() throws {
    let job = try begunJob()
    try call(.cancel, on: job)
    #expect(
      job.operation.isCancelled,
      "cancel() has returned and isCancelled is false. An override must call super.cancel().")
    try expectEnd(of: job, by: .cancel, "It was cancelled while it worked.")
  }

  // queue         operation              dependent
  // suspended     waits                  waits
  //               cancelled: settled
  //               must wait              must wait
  // resumed
  //               is finished
  //                                      begins
  @Test func `cancelled before its start, it never works`() throws {
    let job = DeadlineJob()
    let dependent = SharedCounter()
    let after = BlockOperation { dependent.increment() }
    after.addDependency(job.operation)
    let queue = OperationQueue()
    queue.isSuspended = true
    queue.addOperations([job.operation, after], waitUntilFinished: false)
    try call(.cancel, on: job)
    runUntilQuiet()
    #expect(
      job.operation.isCancelled && job.outcome == "cancelled",
      "It was cancelled before its start: isCancelled must be true, and the outcome settled.")
    try #require(
      !job.operation.isFinished,
      "It was cancelled in a suspended queue and is finished: only its start may finish it then.")
    queue.isSuspended = false
    eventually("It was cancelled before its start, and what depends on it never begins.") {
      dependent.value == 1
    }
    #expect(
      job.works == 0 && job.timers.all.isEmpty,
      "It was cancelled before its start: neither work nor timer may be begun.")
    try expectEnd(of: job, by: .cancel, "It was cancelled before its start, and then started.")
  }

  // MARK: - In every order

  @Test(arguments: DeadlineCall.allCases, DeadlineCall.allCases)
  func `what comes later has no effect`(first: DeadlineCall, second: DeadlineCall) throws {
    let job = try begunJob()
    try call(first, on: job)
    try call(second, on: job)
    for third in DeadlineCall.allCases { try call(third, on: job) }
    try expectEnd(
      of: job, by: first,
      "First came \(first.rawValue), then \(second.rawValue), then every call once more.")
  }

  @Test(arguments: [[], [1, 2]] as [[UInt8]])
  func `the first value stays, whatever it is`(value: [UInt8]) throws {
    let job = try begunJob()
    try mustReturn("complete, twice,") {
      job.complete(with: value)
      job.complete(with: [7])
    }
    let outcome = try mustReturn("outcome") { job.outcome }
    #expect(
      outcome == "completed with \(value.map(String.init).joined())",
      """
      The work called complete with the bytes \(value), then with [7], and the outcome is \
      "\(outcome)". The first value settles it, even if it's empty, and must not be replaced.
      """)
  }

  @Test(arguments: [DeadlineCall.timer, .cancel])
  func `the work is stopped on the thread that gives it up`(first: DeadlineCall) throws {
    let job = try begunJob()
    let thread = try call(first, on: job)
    runUntilQuiet()
    #expect(
      job.stopThreads == [thread],
      """
      \(first.rawValue) gave up the work, which was stopped \(job.stopThreads.count) times, or on \
      another thread. Call the closure that the work has returned once, directly: the call that \
      gives up the work relies on its having been stopped.
      """)
  }

  @Test func `isCancelled is true before cancel calls anything`() throws {
    let note: @Sendable (String, DeadlineJob) -> Void = { [timeline] who, job in
      timeline.mark(who, job.operation.isCancelled ? "cancelled" : "not cancelled")
    }
    let job = try begunJob(
      onStop: { note("the work", $0) }, onTimerCancel: { note("the timer", $0) })
    // A timer may be cancelled more than once.
    try call(.cancel, on: job)
    #expect(
      timeline.events.allSatisfy { $0.kind == .mark("cancelled") }
        && timeline.events.count { $0.who == "the work" } == 1
        && timeline.events.contains { $0.who == "the timer" },
      timeline.showing(
        """
        It was cancelled; then its timer must be cancelled, and its work stopped once. isCancelled \
        must be true by then, since they may read it: call super.cancel() first.
        """))
  }
}
