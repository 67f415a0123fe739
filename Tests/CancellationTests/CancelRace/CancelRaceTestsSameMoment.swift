import AsyncOperations
import Foundation
import KataTesting
import Testing

extension CancelRaceTests {
  // MARK: - Both at once

  // one thread             another thread
  // complete: nothing is
  //   settled
  // is held in value       cancel()
  // goes on                                one of the two, not both
  @Test func `cancelled while the value is made, it has one outcome`() throws {
    let job = try begunJob()
    let hold = CancelRaceHold("the value is made")
    let completing = TestThread("complete") { job.complete { hold.pass() } }
    eventually("complete was called, and never made the value.") { hold.gate.waiting == 1 }
    let early = try mustReturn("outcome") { job.outcome }
    #expect(
      early == "open",
      """
      The value is still being made, and the outcome reads "\(early)" already. A reader takes that \
      for the outcome of the work. Settle it when the value is there.
      """)
    try mustReturn(
      "cancel()", "A value is being made: release the lock before you call value."
    ) { job.operation.cancel() }
    runUntilQuiet()
    let whenCancelled = try mustReturn("outcome") { job.outcome }
    #expect(
      whenCancelled != "open" || !job.operation.isFinished,
      """
      cancel() was called while a value was being made, and then the operation was finished \
      without an outcome. Observers of the end read the outcome, and must not find nil. Settle it, \
      report it, then finish; if you leave it open, don't finish.
      """)
    let isTold = job.reports == ["cancelled"]
    hold.gate.open()
    try completing.result()
    try expectOneOutcome(
      of: job,
      after: """
        complete found nothing settled and called value; meanwhile cancel() was called, so that \
        check was out of date: check again and settle in one atomic step.
        """)
    #expect(
      job.outcome != "cancelled" || (whenCancelled == "cancelled" && isTold),
      """
      cancel() was called while a value was being made. In the end the outcome is "cancelled"; but \
      when cancel() had returned it was "\(whenCancelled)", and \(isTold ? "" : "not ")reported. \
      If cancel() wins, it must settle and report the outcome itself, before it returns; if it \
      loses, it must have no effect.
      """)
  }

  @Test func `no thread has to wait for a value`() throws {
    let hold = CancelRaceHold("the value is made")
    let job = try begunJob()
    let caller = TestThread("complete") { [timeline] in
      job.complete { hold.pass("value", on: timeline) }
    }
    eventually("complete was called, and never made the value.") { hold.gate.waiting == 1 }
    asksAndCalls(job, first: .complete)
    timeline.expect(
      """
      value           ├──────────────…
      another thread       ├────┤
      """,
      """
      A value takes its time, and meanwhile another thread reads the outcome, calls complete, and \
      cancels. It must not block, and it did: value was called while a lock was held or a queue \
      occupied.
      """)
    hold.gate.open()
    try caller.result()
    try expectOneOutcome(
      of: job, after: "A value was made while another thread called complete and cancel().")
  }

  // one thread             another thread
  // the first call
  // is held in a notice,
  //   or in report         the second call
  // goes on
  @Test(
    .observesKVO,
    arguments: [
      nil, .will(.isFinished), .will(.isExecuting), .did(.isExecuting), .did(.isFinished),
    ] as [KVOProbe.Announcement?])
  func `a call during another has no effect`(moment: KVOProbe.Announcement?) throws {
    for first in CancelRaceCall.allCases {
      for second in CancelRaceCall.allCases {
        try expectNoEffect(of: second, amid: first, at: moment)
      }
    }
  }

  private func expectNoEffect(
    of second: CancelRaceCall, amid first: CancelRaceCall, at moment: KVOProbe.Announcement?
  ) throws {
    let hold = CancelRaceHold("\(first.rawValue) goes on")
    let job = try begunJob { _ in if moment == nil { hold.pass() } }
    let probe = KVOProbe(job.operation) { if $0 == moment { hold.pass() } }
    let one = TestThread(first.rawValue) { job.make(first) }
    eventually("\(first.rawValue) never returned.") {
      hold.gate.waiting == 1 || one.hasReturned
    }
    let made = SharedCounter()
    let other = TestThread(second.rawValue) {
      if second == .cancel { job.make(second) } else { job.complete { made.increment() } }
    }
    runUntilQuiet()
    hold.gate.open()
    try one.result()
    try other.result()
    let place = moment.map { "the notification \"\($0)\"" } ?? "report"
    let story = """
      While \(first.rawValue) was still in \(place), another thread called \(second.rawValue).
      """
    try expectOneOutcome(of: job, after: story)
    #expect(
      made.value == 0,
      """
      \(story) The outcome was settled, and complete still called value. Check the outcome before \
      you call value, not whether the operation is finished or cancelled.
      """)
    let ends = probe.notices(of: .did(.isFinished)).count
    #expect(
      ends == 1,
      probe.showing(
        """
        \(story) The end must be announced once, and was announced \(ends) times. Decide which \
        call ends it before the first notification.
        """))
  }

  // its start              another thread
  // isn't cancelled
  // is held in a notice    cancel(): there is nothing to finish yet
  // goes on to main()
  @Test(.observesKVO, arguments: [KVOProbe.Announcement.will(.isExecuting), .did(.isExecuting)])
  func `cancelled during its start, it finishes`(
    moment: KVOProbe.Announcement
  ) throws {
    let job = CancelRaceJob()
    let hold = CancelRaceHold("the start goes on")
    let probe = KVOProbe(job.operation) { if $0 == moment { hold.pass() } }
    job.queue.addOperation(job.operation)
    eventually("Its queue never started the operation.") { hold.gate.waiting == 1 }
    let cancelling = TestThread("cancel()") { job.operation.cancel() }
    runUntilQuiet()
    hold.gate.open()
    try cancelling.result()
    // The work may have begun, if that was decided before; its value comes too late.
    runUntilQuiet()
    let isOver = job.operation.isFinished
    try mustReturn("complete") { job.complete() }
    #expect(
      isOver,
      probe.showing(
        """
        It was cancelled during its start, in "\(moment)". cancel() couldn't finish an operation \
        that wasn't executing, and it was never finished later. Check the outcome again in main(), \
        and call finish() if it's settled.
        """))
    try expectOneOutcome(
      "cancelled", of: job, after: "It was cancelled during its start.")
  }

  // MARK: - What retains it

  @Test func `while it works, complete retains it`() throws {
    let begun = LockedValue<OneOutcomeOperation.Complete?>(nil)
    defer { begun.set(nil) }
    try startAndLetGo(begun)
    // The thread that has started it releases it too.
    runUntilQuiet()
    timeline.mark("its owner", "lets go")
    let complete = try #require(begun.value, "start() calls main(), which must call work.")
    try mustReturn("complete") { complete { Data([7]) } }
    timeline.expect(
      """
      work       ●  begins
      its owner       ●  lets go
      report               ●  completed with 7
      """,
      """
      The code that created the operation released it while it worked, and then the work called \
      complete with 7. That must be reported: let the closure that is passed to the work retain \
      the operation.
      """)
  }

  /// Starts an operation by hand, since a queue would retain it, and releases it.
  private func startAndLetGo(_ begun: LockedValue<OneOutcomeOperation.Complete?>) throws {
    let operation = OneOutcomeOperation { [timeline] outcome in
      timeline.mark("report", CancelRaceJob.name(of: outcome))
    } work: { [timeline] complete in
      timeline.mark("work", "begins")
      begun.set(complete)
    }
    try mustReturn("start()") { operation.start() }
  }
}
