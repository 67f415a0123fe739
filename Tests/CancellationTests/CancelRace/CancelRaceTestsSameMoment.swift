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
      The value is still being made, and the outcome reads "\(early)" already. Whoever looks now \
      takes it for the work's: settle it when the value is there.
      """)
    try mustReturn(
      "cancel()", "A value is being made: call value without holding the lock."
    ) { job.operation.cancel() }
    runUntilQuiet()
    let whenCancelled = try mustReturn("outcome") { job.outcome }
    #expect(
      whenCancelled != "open" || !job.operation.isFinished,
      """
      A value was being made when cancel() came, and then the operation was finished without an \
      outcome: whoever waits for its end looks for one, and finds nil. Settle it, report it, then \
      finish, and don't finish where it's left open.
      """)
    let isTold = job.reports == ["cancelled"]
    hold.gate.open()
    try completing.result()
    try expectOneOutcome(
      of: job,
      after: """
        complete found nothing settled and went on to make the value; meanwhile cancel() came. The \
        look was out of date when the value was made: ask and settle in one step.
        """)
    #expect(
      job.outcome != "cancelled" || (whenCancelled == "cancelled" && isTold),
      """
      A value was being made when cancel() came. In the end the outcome is "cancelled"; but when \
      cancel() had returned it was "\(whenCancelled)", and that was \(isTold ? "" : "not ")reported. \
      Where cancel() wins it settles the outcome and reports it itself, before it returns, and doesn't \
      leave that to complete; where it loses it has no effect.
      """)
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
  func `a call in the midst of another has no effect`(moment: KVOProbe.Announcement?) throws {
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
    eventually("\(first.rawValue) never came to its end.") {
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
    let place = moment.map { "the notice \"\($0)\"" } ?? "report"
    let story = """
      While \(first.rawValue) was in the midst of \(place), another thread called \(second.rawValue).
      """
    try expectOneOutcome(of: job, after: story)
    #expect(
      made.value == 0,
      """
      \(story) The outcome was settled, and still complete made a value. Look at the outcome before you \
      call value, and not whether the operation is over or cancelled.
      """)
    let ends = probe.notices(of: .did(.isFinished)).count
    #expect(
      ends == 1,
      probe.showing(
        """
        \(story) The end must be announced once, and was \(ends) times. Decide who ends it before \
        the first notice.
        """))
  }

  // its start              another thread
  // isn't cancelled
  // is held in a notice    cancel(): there is nothing to finish yet
  // goes on to main()
  @Test(.observesKVO, arguments: [KVOProbe.Announcement.will(.isExecuting), .did(.isExecuting)])
  func `cancelled in the midst of its start, it comes to its end`(
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
    // The work may have been begun, if that was decided before; what it brings comes too late.
    runUntilQuiet()
    let isOver = job.operation.isFinished
    try mustReturn("complete") { job.complete() }
    #expect(
      isOver,
      probe.showing(
        """
        It was cancelled in the midst of its start, in "\(moment)". cancel() couldn't finish what \
        wasn't executing, and nobody did it later: it is never finished. Look at the outcome once \
        more in main(), and finish() if it's settled.
        """))
    try expectOneOutcome(
      "cancelled", of: job, after: "It was cancelled in the midst of its start.")
  }

  // MARK: - Who keeps it

  @Test func `nobody need keep it while it works`() throws {
    let begun = LockedValue<OneOutcomeOperation.Complete?>(nil)
    defer { begun.set(nil) }
    try startAndLetGo(begun)
    // The thread that has started it lets go of it too.
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
      Whoever made the operation let go of it while it worked, and then the work called complete with \
      7. That must be reported: let the closure that the work is given keep the operation.
      """)
  }

  /// Starts an operation by hand, since a queue would keep it, and lets go of it.
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
