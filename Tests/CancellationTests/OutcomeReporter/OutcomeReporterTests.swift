import AsyncOperations
import Foundation
import KataTesting
import Testing

/// Proves that each operation reports one outcome, as soon as it has one, and that it is the true
/// one.
@Suite(.serialized, .kata) struct OutcomeReporterTests {
  let timeline = Timeline()
  let queue = OperationQueue()

  // MARK: - Not cancelled

  @Test func `a value is completed`() throws {
    let run = try begunRun()
    try run.deliver(.value)
    expectOutcome("completed", of: run, "The work delivered a value: completed, reported once.")
  }

  @Test func `an error is failed`() throws {
    let run = try begunRun()
    try run.deliver(.error)
    expectOutcome(
      "failed", of: run,
      "The work delivered an error and the operation wasn't cancelled: failed, reported once.")
  }

  @Test(arguments: [OutcomeReporterRun.Delivery.userCancelled, .callCancelled])
  func `an error that only looks like a cancellation is failed`(
    delivery: OutcomeReporterRun.Delivery
  ) throws {
    let run = try begunRun()
    try run.deliver(delivery)
    expectOutcome(
      "failed", of: run,
      """
      The work delivered an error of Foundation, \(delivery), and the operation wasn't cancelled: \
      failed. Only a CancellationError says that the work gave up because of a cancellation.
      """)
  }

  @Test func `nothing is reported before the work has delivered`() throws {
    let run = try begunRun()
    let early = """
      The work has begun and hasn't delivered: the operation must not be finished, outcome must be \
      nil and nothing reported.
      """
    timeline.expect(
      """
      work  ●  begun
      """, early)
    #expect(
      run.outcome == "none" && !run.operation.isFinished, "\(early) Here outcome is \(run.outcome)."
    )
    try run.deliver(.value)
    let late = "The report must be made once, when the operation is finished and not before."
    expectOutcome("completed", of: run, late)
    timeline.expect(
      """
      work    ●    ●  begun, delivers value
      report            ●  completed
      """, late)
  }

  @Test func `the work is called on the thread that starts the operation`() throws {
    let caller = ThreadMark()
    let run = OutcomeReporterRun(on: timeline) { _ in caller.note() }
    let isCaller = try mustReturn("start()") { [operation = run.operation] in
      operation.start()
      return caller.isCurrent
    }
    runUntilQuiet()
    #expect(isCaller, "start() has returned, and it hasn't called the work on its own thread.")
    try run.deliver(.value)
  }

  @Test(.observesKVO) func `the outcome is there when it's finished, and not before`() throws {
    let run = try begunRun()
    let probe = KVOProbe(run.operation) { [timeline, run] announcement in
      timeline.mark("\(announcement)", run.outcome)
    }
    try run.deliver(.value)
    runUntilQuiet()
    let heard = timeline.events.filter { $0.who.hasSuffix("isFinished") }
    #expect(
      heard.map(\.who) == ["will isFinished", "did isFinished"]
        && heard.map(\.kind) == [.mark("none"), .mark("completed")],
      probe.showing(
        """
        An observer of the end reads the outcome. Before the end it must be nil (will isFinished), \
        after it the outcome must be there (did isFinished); here they were: \
        \(heard.map { "\($0.who), \($0.kind)" }).
        """))
  }

  @Test func `the work is called once, whatever it delivers`() throws {
    let run = try begunRun()
    try run.deliver(.error)
    runUntilQuiet()
    #expect(
      run.begun == 1,
      timeline.showing(
        """
        The work delivered an error and was called \(run.begun) times in all. It must be called \
        once: whether to retry is up to the code that receives the report.
        """))
    expectOutcome(
      "failed", of: run,
      "The work delivered an error and the operation wasn't cancelled: failed, reported once.")
  }

  @Test(arguments: OutcomeReporterRun.Delivery.allCases)
  func `the work may deliver before it returns`(delivery: OutcomeReporterRun.Delivery) throws {
    let run = OutcomeReporterRun(on: timeline) { deliver in deliver(delivery.result) }
    queue.addOperation(run.operation)
    let outcome =
      switch delivery {
      case .value: "completed"
      case .error, .userCancelled, .callCancelled: "failed"
      case .cancellationError: "cancelled"
      }
    expectOutcome(
      outcome, of: run,
      """
      The work had its \(delivery) at hand and delivered it before it returned: \(outcome), \
      reported once. Hold no lock while the work is called.
      """)
  }

  // MARK: - Cancelled before the end

  @Test func `no thread has to wait for the work to begin`() throws {
    let goOn = Gate("the work has begun")
    let added = SharedCounter()
    let run = OutcomeReporterRun(on: timeline) { [timeline] deliver in
      // Work that begins when the operation is created has a test of its own.
      if added.value > 0 { timeline.visit("work", until: goOn) }
      deliver(OutcomeReporterRun.Delivery.value.result)
    }
    added.increment()
    queue.addOperation(run.operation)
    eventually("Its queue has started it, and the work was never called.") { goOn.waiting == 1 }
    let other = TestThread("outcome") { [timeline, operation = run.operation] in
      timeline.visit("another thread") { operation.outcome == nil }
    }
    timeline.expect(
      """
      work            ●    ├──────────────…  begun
      another thread            ├────┤
      """,
      """
      The work takes its time to begin, and meanwhile another thread reads the outcome. It must \
      not block, and it did: the work was called while a lock was held or a queue occupied.
      """)
    goOn.open()
    #expect(try other.result(), "Nothing has been delivered yet, and there is an outcome.")
    expectOutcome("completed", of: run, "The work has delivered a value before it returned.")
  }

  @Test func `cancelled before its start, it is reported as cancelled`() throws {
    let run = OutcomeReporterRun(on: timeline)
    try run.cancel()
    #expect(
      run.outcome == "none" && run.reports.isEmpty,
      timeline.showing(
        """
        It was cancelled and hasn't been started, so it isn't finished yet: outcome must be nil \
        and nothing reported. Here outcome is \(run.outcome).
        """))
    queue.addOperation(run.operation)
    expectOutcome(
      "cancelled", of: run,
      """
      It was cancelled before its start, so main() is never called and the work delivers nothing. \
      The completion block is called all the same, and must report: cancelled.
      """)
    #expect(!run.hasBegun, "It was cancelled before its start, and its work was called.")
  }

  @Test func `cancelled while it works, it goes on until the work delivers`() throws {
    let run = try begunRun()
    try run.cancel()
    runUntilQuiet()
    #expect(
      run.reports.isEmpty && run.outcome == "none" && !run.operation.isFinished,
      timeline.showing(
        """
        It was cancelled while it works, which is only a request; the work goes on. The operation \
        must not be finished, outcome must be nil and nothing reported. Here outcome is \
        \(run.outcome).
        """))
    try run.deliver(.error)
    expectOutcome(
      "cancelled", of: run,
      """
      It was cancelled, and then the work delivered an error, which follows from that: cancelled, \
      reported once.
      """)
  }

  @Test func `a CancellationError is cancelled`() throws {
    let run = try begunRun()
    try run.deliver(.cancellationError)
    expectOutcome(
      "cancelled", of: run,
      "The work delivered a CancellationError, so it has given up: cancelled, not failed.")
  }

  @Test func `cancelled in vain, it is completed`() throws {
    let run = try begunRun()
    try run.cancel()
    // The effects of cancel() are over, so that the order isn't left to chance.
    runUntilQuiet()
    try run.deliver(.value)
    expectOutcome(
      "completed", of: run,
      """
      It was cancelled while it worked, and delivered a value all the same: completed. isCancelled \
      says what was requested; the outcome says what has happened.
      """)
  }
}
