import AsyncOperations
import Foundation
import KataTesting
import Testing

extension CancelRaceTests {
  // MARK: - During another call

  @Test(.observesKVO, arguments: CancelRaceCall.allCases)
  func `the outcome is there when the end is announced`(call: CancelRaceCall) throws {
    let job = try begunJob()
    let seen = LockedValue<[String]>([])
    let probe = KVOProbe(job.operation) { if $0 == .did(.isFinished) { seen.append(job.outcome) } }
    try self.call(call, on: job)
    #expect(
      seen.value.first == (call == .cancel ? "cancelled" : "completed with 7"),
      probe.showing(
        """
        \(call.rawValue) was called. When "isFinished" was announced, the outcome read \
        "\(seen.value.first ?? "never")". Observers of the end read the outcome, so keep it before \
        you call finish().
        """))
    #expect(
      probe.notices(of: .did(.isFinished)).count == 1,
      probe.showing("The end must be announced, once."))
  }

  @Test(arguments: CancelRaceCall.allCases)
  func `report may call the operation`(first: CancelRaceCall) throws {
    let seen = LockedValue<[String]>([])
    let job = try begunJob { operation in
      seen.append(operation.outcome == nil ? "nil" : "settled")
      operation.cancel()
    }
    try mustReturn(
      first.rawValue,
      "report reads the outcome and calls cancel(): release the lock before you call it."
    ) { job.make(first) }
    #expect(
      seen.value == ["settled"],
      "report read the operation's outcome and got nil. Keep the outcome before you report it.")
    try expectOneOutcome(
      first == .cancel ? "cancelled" : "completed with 7", of: job,
      after: "\(first.rawValue) was called, and its report called cancel().")
  }

  @Test func `when it's reported as cancelled, isCancelled is true`() throws {
    let seen = LockedValue<[String]>([])
    let job = try begunJob { seen.append($0.isCancelled ? "cancelled" : "not cancelled") }
    try call(.cancel, on: job)
    #expect(
      seen.value == ["cancelled"],
      """
      report was called with .cancelled, and isCancelled was still false. report may read \
      isCancelled: call super.cancel() first.
      """)
  }

  @Test func `the work may complete before it returns`() throws {
    let job = CancelRaceJob(inWork: { complete in complete { Data([7]) } })
    job.queue.addOperation(job.operation)
    eventually("The work called complete at once, and the operation never finished.") {
      job.operation.isFinished
    }
    try expectOneOutcome(
      "completed with 7", of: job, after: "The work called complete before it returned.")
  }

  @Test(arguments: CancelRaceCall.allCases)
  func `no thread has to wait for the work to begin`(first: CancelRaceCall) throws {
    let hold = CancelRaceHold("the work has begun")
    let job = CancelRaceJob(inWork: { [timeline] _ in hold.pass("work", on: timeline) })
    job.queue.addOperation(job.operation)
    eventually("Its queue has started the operation, and the work never began.") {
      hold.gate.waiting == 1
    }
    asksAndCalls(job, first: first)
    let isFree = timeline.expect(
      """
      work            ├──────────────…
      another thread       ├────┤
      """,
      """
      The work takes its time to begin, and meanwhile another thread reads the outcome and calls \
      \(first.rawValue). It must not block, and it did: work was called while a lock was held or \
      a queue occupied.
      """)
    if isFree, first == .cancel {
      #expect(
        job.operation.isFinished,
        """
        It was cancelled while work was still running, and it isn't finished. work may take long \
        to return, and its value is no longer needed. The call that settles the outcome must \
        finish the operation, not leave that to main().
        """)
    }
    hold.gate.open()
    try expectOneOutcome(
      first == .cancel ? "cancelled" : "completed with 7", of: job,
      after: "\(first.rawValue) was called while its work began.")
  }

  @Test(.observesKVO, arguments: [KVOProbe.Announcement.will(.isFinished), .did(.isFinished)])
  func `no thread has to wait for a notification`(moment: KVOProbe.Announcement) throws {
    let hold = CancelRaceHold("the notice is sent")
    let job = try begunJob()
    let probe = KVOProbe(job.operation) { [timeline] in
      if $0 == moment { hold.pass("a notice", on: timeline) }
    }
    let caller = TestThread("complete") { job.make(.complete) }
    eventually("complete was called, and the end was never announced.") { hold.gate.waiting == 1 }
    asksAndCalls(job)
    timeline.expect(
      """
      a notice        ├──────────────…
      another thread       ├────┤
      """,
      """
      An observer of "\(moment)" takes its time, and meanwhile another thread reads the outcome, \
      cancels, and calls complete. It must not block, and it did: a notification was sent while a \
      lock was held or a queue occupied.
      """)
    withExtendedLifetime(probe) {}
    hold.gate.open()
    try caller.result()
  }

  @Test(arguments: CancelRaceCall.allCases)
  func `no thread has to wait for report`(first: CancelRaceCall) throws {
    let hold = CancelRaceHold("report returns")
    let job = try begunJob { [timeline] _ in hold.pass("report", on: timeline) }
    let caller = TestThread(first.rawValue) { job.make(first) }
    eventually("\(first.rawValue) was called, and report never was.") { hold.gate.waiting == 1 }
    asksAndCalls(job)
    timeline.expect(
      """
      report          ├──────────────…
      another thread       ├────┤
      """,
      """
      report takes its time, and meanwhile another thread reads the outcome, cancels, and calls \
      complete. It must not block, and it did: report was called while a lock was held or a queue \
      occupied.
      """)
    hold.gate.open()
    try caller.result()
  }

  /// Another thread reads the operation's outcome, and makes both calls.
  func asksAndCalls(_ job: CancelRaceJob, first: CancelRaceCall = .cancel) {
    _ = TestThread("another thread") { [timeline] in
      timeline.visit("another thread") {
        _ = (job.operation.outcome, job.operation.isFinished)
        job.make(first)
        job.make(first == .cancel ? .complete : .cancel)
      }
    }
  }
}
