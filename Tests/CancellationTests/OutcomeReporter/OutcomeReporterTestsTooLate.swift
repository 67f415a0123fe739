import AsyncOperations
import Foundation
import KataTesting
import Testing

extension OutcomeReporterTests {
  // MARK: - Cancelled too late

  @Test(arguments: [OutcomeReporterRun.Delivery.value, .error])
  func `cancelled after its end, its outcome stays`(delivery: OutcomeReporterRun.Delivery) throws {
    let run = try begunRun()
    try run.deliver(delivery)
    try run.cancel()
    expectOutcome(
      delivery == .value ? "completed" : "failed", of: run,
      """
      The work had delivered its \(delivery) when the operation was cancelled. That is too late to \
      change anything: decide when the work delivers, and keep the decision.
      """)
  }

  // work          canceller     report
  // delivers
  //               cancels
  // (finished)
  //                             must be as it was delivered
  @Test(.observesKVO, arguments: [OutcomeReporterRun.Delivery.value, .error])
  func `cancelled between its delivery and its end, its outcome stays`(
    delivery: OutcomeReporterRun.Delivery
  ) throws {
    let run = try begunRun()
    // Inside this notification the work has delivered, and the operation is about to be finished.
    let probe = KVOProbe(run.operation) { [operation = run.operation] notice in
      if notice == .will(.isFinished) { operation.cancel() }
    }
    try run.deliver(delivery)
    expectOutcome(
      delivery == .value ? "completed" : "failed", of: run,
      """
      The work had delivered its \(delivery) when the operation was cancelled, just before it was \
      finished. The completion block sees that isCancelled is true, but that comes too late to \
      count. Decide when the work delivers.
      """)
    withExtendedLifetime(probe) {}
  }

  @Test(.observesKVO) func `when the end is announced, the outcome is there`() throws {
    let run = try begunRun()
    let probe = observer(of: run)
    try run.deliver(.error)
    expectOutcome("failed", of: run, "The work delivered an error: failed, reported once.")
    expectSeen("failed", "decide first, then finish.")
    withExtendedLifetime(probe) {}
  }

  @Test(.observesKVO) func `cancelled before its start, its end has an outcome, too`() throws {
    let run = OutcomeReporterRun(on: timeline)
    let probe = observer(of: run)
    try run.cancel()
    queue.addOperation(run.operation)
    expectOutcome("cancelled", of: run, "It was cancelled before its start.")
    expectSeen("cancelled", "don't leave the decision to the completion block, which comes later.")
    withExtendedLifetime(probe) {}
  }

  @Test(.observesKVO) func `cancelled while its start is announced, it works all the same`() throws
  {
    let run = OutcomeReporterRun(on: timeline)
    let operation = run.operation
    let probe = KVOProbe(operation) {
      if $0 == .did(.isExecuting), operation.isExecuting { operation.cancel() }
    }
    queue.addOperation(operation)
    let hasBegun = eventually(
      """
      It was cancelled after it had begun to execute, and its work was never called. It had started, \
      so a cancellation changes nothing: don't check isCancelled before you call the work.
      """
    ) { run.hasBegun }
    guard hasBegun else { return }
    try run.deliver(.error)
    expectOutcome("cancelled", of: run, "It was cancelled before its work delivered an error.")
    withExtendedLifetime(probe) {}
  }

  /// Reads the outcome when the end is announced.
  private func observer(of run: OutcomeReporterRun) -> KVOProbe {
    KVOProbe(run.operation) { [timeline] notice in
      if notice == .did(.isFinished) { timeline.mark("observer", run.outcome) }
    }
  }

  /// Expects that an observer of the end has read this outcome.
  private func expectSeen(
    _ outcome: String, _ advice: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      timeline.events.filter { $0.who == "observer" }.first?.kind == .mark(outcome),
      timeline.showing(
        """
        The end of the operation was announced, and its outcome wasn't \(outcome) yet. Dependents \
        may start then: \(advice)
        """), sourceLocation: sourceLocation)
  }

  // MARK: - Delivered more than once

  @Test(arguments: [OutcomeReporterRun.Delivery.value, .error, .cancellationError], [false, true])
  func `of two deliveries the first counts`(
    first: OutcomeReporterRun.Delivery, isCancelled: Bool
  ) throws {
    let run = try begunRun()
    if isCancelled {
      try run.cancel()
      runUntilQuiet()
    }
    try run.deliver(first)
    for later in [OutcomeReporterRun.Delivery.value, .error] where later != first {
      try run.deliver(later)
    }
    let outcome =
      switch first {
      case .value: "completed"
      case .error where !isCancelled: "failed"
      default: "cancelled"
      }
    expectOutcome(
      outcome, of: run,
      """
      The work\(isCancelled ? ", cancelled before," : "") first delivered: \(first). Then, by \
      mistake, it delivered again: the first counts, so \(outcome), reported once.
      """)
  }

  @Test func `of several deliveries at once one counts`() throws {
    for _ in 1...10 {
      let timeline = Timeline()
      let run = OutcomeReporterRun(on: timeline)
      queue.addOperation(run.operation)
      eventually("The work was never called.") { run.hasBegun }
      let deliver = try #require(run.delivery)
      try TestThread.race("delivery", threads: 4) { thread in
        deliver(OutcomeReporterRun.Delivery.allCases[thread % 2].result)
      }
      eventually("Four threads delivered at once, and nothing was reported.") {
        !run.reports.isEmpty
      }
      runUntilQuiet()
      try #require(
        run.reports == [run.outcome] && ["completed", "failed"].contains(run.outcome),
        timeline.showing(
          """
          Four threads delivered at once. One delivery must decide, with one report, and outcome \
          must be the same; here outcome is \(run.outcome).
          """))
    }
  }

  // one thread    another
  // delivers
  //               delivers: only a lock of the answer orders the two
  @Test func `two threads may deliver`() throws {
    // Several times: the first meeting of two threads may be ordered by the runtime's own locks.
    for _ in 1...4 {
      let run = OutcomeReporterRun(on: Timeline())
      queue.addOperation(run.operation)
      eventually("The work was never called.") { run.hasBegun }
      let deliver = try #require(run.delivery)
      let meeting = RelaxedRendezvous()
      let release = Gate("release the first")
      let second = meeting.looker("the second delivery") { deliver(.success(3)) }
      let first = TestThread("the first delivery") {
        deliver(.failure(OutcomeReporterError()))
        meeting.changed()
        release.wait()
      }
      try second.result(timersInPlay: true)
      release.open()
      try first.result()
      runUntilQuiet()
      #expect(
        run.reports == ["failed"] && run.outcome == "failed",
        "One thread delivered an error, and then another a value: the first counts.")
    }
  }

  // MARK: - What retains it

  @Test func `while it works, the closure that delivers retains it`() throws {
    var run: OutcomeReporterRun? = OutcomeReporterRun(on: timeline)
    // By hand: a queue would retain it.
    try mustReturn("start()") { [operation = run?.operation] in operation?.start() }
    let deliver = try #require(run?.delivery, "It was started, and its work was never called.")
    run = nil
    runUntilQuiet()
    timeline.mark("its owner", "lets go")
    try mustReturn("the delivery") { deliver(OutcomeReporterRun.Delivery.value.result) }
    timeline.expect(
      """
      work       ●  begun
      its owner       ●  lets go
      report               ●  completed
      """,
      """
      The code that created the operation released it while it worked, and then the work \
      delivered. That must be reported as completed: let the closure that delivers retain the \
      operation.
      """)
  }

  /// What has happened to an operation that is released.
  enum Fate: String, Sendable, CaseIterable {
    case neverStarted = "never started", cancelled, completed
  }

  @Test(arguments: Fate.allCases) func `nothing retains it after its end`(fate: Fate) throws {
    let operation = try {
      let run = OutcomeReporterRun(on: timeline)
      let operation = WeakReference(run.operation)
      guard fate != .neverStarted else { return operation }
      if fate == .cancelled { try run.cancel() }
      // On a thread that ends: on Apple's platforms its autorelease pool goes with it.
      try mustReturn("addOperation") { [queue, operation = run.operation] in
        queue.addOperation(operation)
      }
      if fate == .completed {
        eventually("The work was never called.") { run.hasBegun }
        try run.deliver(.value)
        run.forgetDelivery()
      }
      eventually(timeline.showing("Nothing is ever reported.")) { !run.reports.isEmpty }
      return operation
    }()
    eventually(
      """
      Nothing else retains the operation any more (\(fate.rawValue)), and it still exists. It \
      retains its completion block: if the block captures self, the two make a retain cycle.
      """
    ) { operation.isGone }
  }
}
