import AsyncOperations
import Foundation
import KataTesting
import Testing

/// Proves that cancel and complete settle one outcome between them, at whatever moment they meet: it's
/// reported once, by the call that settles it, the end is announced once, and nobody has to wait while the
/// answer calls out.
@Suite(.serialized, .kata) struct CancelRaceTests {
  private let timeline = Timeline()

  // MARK: - One after the other

  @Test func `the work's value is the outcome`() throws {
    let job = try begunJob()
    #expect(
      job.operation.isExecuting && !job.operation.isFinished && job.outcome == "open",
      "The work goes on: the operation must be executing, and its outcome nil.")
    try call(.complete, on: job)
    #expect(
      job.reports == ["completed with 7"],
      """
      The work called complete with 7, and when that has returned report must have been called \
      with it. Begin there: what complete is given makes the value; keep it as the outcome, report \
      it, then finish().
      """)
    try expectOneOutcome("completed with 7", of: job, after: "The work called complete with 7.")
  }

  @Test func `cancelled while it works, it is over at once`() throws {
    let job = try begunJob()
    try call(.cancel, on: job)
    #expect(
      job.operation.isCancelled,
      "cancel() has returned and isCancelled is false. An override must call super.cancel().")
    #expect(
      job.reports == ["cancelled"],
      "cancel() has returned, so report must have been called with .cancelled, once.")
    try expectOneOutcome(
      "cancelled", of: job,
      after: "It was cancelled while it worked; the work never calls complete, nor need it.")
  }

  @Test(arguments: CancelRaceCall.allCases)
  func `the call that settles it reports it`(call: CancelRaceCall) throws {
    let caller = ThreadMark()
    let reportedByCaller = Locked<[Bool]>([])
    let job = try begunJob { _ in reportedByCaller.append(caller.isCurrent) }
    try mustReturn(call.rawValue) {
      caller.note()
      job.make(call)
    }
    runUntilQuiet()
    #expect(
      reportedByCaller.value == [true],
      """
      report must be called once, on the thread that called \(call.rawValue) and before that has \
      returned: who has called it relies on it that everybody is told then.
      """)
  }

  @Test(arguments: CancelRaceCall.allCases, CancelRaceCall.allCases)
  func `the second call has no effect`(first: CancelRaceCall, second: CancelRaceCall) throws {
    let job = try begunJob()
    try call(first, on: job)
    try call(second, on: job)
    try expectOneOutcome(
      first == .cancel ? "cancelled" : "completed with 7", of: job,
      after: "First \(first.rawValue) was called, then \(second.rawValue).")
  }

  @Test(arguments: CancelRaceCall.allCases)
  func `nobody makes a value that nobody wants`(first: CancelRaceCall) throws {
    let job = try begunJob()
    try call(first, on: job)
    let made = Counter()
    try mustReturn("complete") { job.complete { made.increment() } }
    #expect(
      made.value == 0,
      """
      \(first.rawValue) had settled the outcome when complete was called, and still it made a \
      value. Look at the outcome before you call value.
      """)
  }

  // queue         operation              dependent
  // suspended     waits                  waits
  //               cancelled: reported
  //               must wait              must wait
  // resumed
  //               is finished
  //                                      begins
  @Test func `cancelled before its start, it is finished by its start`() throws {
    let job = CancelRaceJob()
    // The dependency never ends; who is cancelled doesn't wait for it.
    job.operation.addDependency(BlockOperation {})
    let dependent = Counter()
    let after = BlockOperation { dependent.increment() }
    after.addDependency(job.operation)
    job.queue.isSuspended = true
    job.queue.addOperations([job.operation, after], waitUntilFinished: false)
    try call(.cancel, on: job)
    runUntilQuiet()
    #expect(
      job.operation.isCancelled && job.reports == ["cancelled"],
      """
      It was cancelled before its start. That settles the outcome: isCancelled must be true and \
      report called when cancel() has returned.
      """)
    try #require(
      !job.operation.isFinished,
      """
      It was cancelled in a suspended queue and is finished: its queue hasn't started it yet, and \
      only start() may finish it then. finish() sees to that.
      """)
    job.queue.isSuspended = false
    eventually(
      """
      It was cancelled before its start, and what depends on it never begins. Is it finished when \
      its queue starts it, and does Foundation know that it's cancelled (super.cancel())?
      """
    ) { dependent.value == 1 }
    #expect(job.works == 0, "It was cancelled before its start, and its work began all the same.")
    try expectOneOutcome(
      "cancelled", of: job, after: "It was cancelled before its start, and then started.")
  }

  // MARK: - In the midst

  @Test(.observesKVO, arguments: CancelRaceCall.allCases)
  func `the outcome is there when the end is announced`(call: CancelRaceCall) throws {
    let job = try begunJob()
    let seen = Locked<[String]>([])
    let probe = KVOProbe(job.operation) { if $0 == .did(.isFinished) { seen.append(job.outcome) } }
    try self.call(call, on: job)
    #expect(
      seen.value.first == (call == .cancel ? "cancelled" : "completed with 7"),
      probe.showing(
        """
        \(call.rawValue) was called. When "isFinished" was announced, the outcome read \
        "\(seen.value.first ?? "never")": whoever waits for the end looks for the outcome then. Keep \
        it before you call finish().
        """))
    #expect(
      probe.notices(of: .did(.isFinished)).count == 1,
      probe.showing("The end must be announced, once."))
  }

  @Test(arguments: CancelRaceCall.allCases)
  func `report may call the operation`(first: CancelRaceCall) throws {
    let seen = Locked<[String]>([])
    let job = try begunJob { operation in
      seen.append(operation.outcome == nil ? "nil" : "settled")
      operation.cancel()
    }
    try mustReturn(
      first.rawValue,
      "report asks the operation for its outcome and cancels it: call it without holding the lock."
    ) { job.make(first) }
    #expect(
      seen.value == ["settled"],
      "report asked the operation for its outcome and got nil: keep it before you report it.")
    try expectOneOutcome(
      first == .cancel ? "cancelled" : "completed with 7", of: job,
      after: "\(first.rawValue) was called, and its report called cancel().")
  }

  @Test func `when it's reported as cancelled, isCancelled is true`() throws {
    let seen = Locked<[String]>([])
    let job = try begunJob { seen.append($0.isCancelled ? "cancelled" : "not cancelled") }
    try call(.cancel, on: job)
    #expect(
      seen.value == ["cancelled"],
      """
      report was called with .cancelled, and isCancelled was still false. Whoever is told looks there: \
      call super.cancel() first.
      """)
  }

  @Test func `the work may complete before it returns`() throws {
    let job = CancelRaceJob(inWork: { complete in complete { Data([7]) } })
    job.queue.addOperation(job.operation)
    eventually("The work had its value at hand, called complete at once, and never came back.") {
      job.operation.isFinished
    }
    try expectOneOutcome(
      "completed with 7", of: job, after: "The work called complete before it returned.")
  }

  @Test func `nobody has to wait for the work to begin`() throws {
    let hold = CancelRaceHold("the work has begun")
    let job = CancelRaceJob(inWork: { [timeline] _ in hold.pass("work", on: timeline) })
    job.queue.addOperation(job.operation)
    eventually("Its queue has started the operation, and the work never began.") {
      hold.gate.waiting == 1
    }
    asksAndCancels(job)
    let isFree = timeline.expect(
      """
      work            ├──────────────…
      another thread       ├────┤
      """,
      """
      The work takes its time to begin, and meanwhile another thread asks for the outcome and \
      cancels. It was held up: a lock is held, or a queue occupied, while work is called.
      """)
    if isFree {
      #expect(
        job.operation.isFinished,
        """
        It was cancelled while work was still being called, and it isn't finished: work may do all of \
        it before it returns, and nobody wants that any more. Whoever settles the outcome finishes the \
        operation, and doesn't leave that to main().
        """)
    }
    hold.gate.open()
    try expectOneOutcome("cancelled", of: job, after: "It was cancelled while its work began.")
  }

  @Test(.observesKVO, arguments: [KVOProbe.Announcement.will(.isFinished), .did(.isFinished)])
  func `nobody has to wait for a notice`(moment: KVOProbe.Announcement) throws {
    let hold = CancelRaceHold("the notice is sent")
    let job = try begunJob()
    let probe = KVOProbe(job.operation) { [timeline] in
      if $0 == moment { hold.pass("a notice", on: timeline) }
    }
    let caller = TestThread("complete") { job.make(.complete) }
    eventually("complete was called, and the end never announced.") { hold.gate.waiting == 1 }
    asksAndCancels(job)
    timeline.expect(
      """
      a notice        ├──────────────…
      another thread       ├────┤
      """,
      """
      Whoever hears "\(moment)" takes its time, and meanwhile another thread asks for the outcome and \
      cancels. It was held up: a lock is held, or a queue occupied, while a notice is sent.
      """)
    withExtendedLifetime(probe) {}
    hold.gate.open()
    try caller.result()
  }

  @Test(arguments: CancelRaceCall.allCases)
  func `nobody has to wait for report`(first: CancelRaceCall) throws {
    let hold = CancelRaceHold("report returns")
    let job = try begunJob { [timeline] _ in hold.pass("report", on: timeline) }
    let caller = TestThread(first.rawValue) { job.make(first) }
    eventually("\(first.rawValue) was called, and report never.") { hold.gate.waiting == 1 }
    asksAndCancels(job)
    timeline.expect(
      """
      report          ├──────────────…
      another thread       ├────┤
      """,
      """
      report takes its time, and meanwhile another thread asks for the outcome and cancels. It was \
      held up: a lock is held, or a queue occupied, while report is called.
      """)
    hold.gate.open()
    try caller.result()
  }

  /// Another thread asks what the operation has come to, and cancels it.
  private func asksAndCancels(_ job: CancelRaceJob) {
    _ = TestThread("another thread") { [timeline] in
      timeline.visit("another thread") {
        _ = (job.operation.outcome, job.operation.isFinished)
        job.operation.cancel()
      }
    }
  }

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
    let made = Counter()
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
    let begun = Locked<OneOutcomeOperation.Complete?>(nil)
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
  private func startAndLetGo(_ begun: Locked<OneOutcomeOperation.Complete?>) throws {
    let operation = OneOutcomeOperation { [timeline] outcome in
      timeline.mark("report", CancelRaceJob.name(of: outcome))
    } work: { [timeline] complete in
      timeline.mark("work", "begins")
      begun.set(complete)
    }
    try mustReturn("start()") { operation.start() }
  }

  // MARK: - Many threads

  // one thread    another thread
  // settles it
  //               comes too late: nothing but a lock of the answer's orders the two
  @Test(arguments: CancelRaceCall.allCases, CancelRaceCall.allCases)
  func `one thread settles it, and another comes too late`(
    first: CancelRaceCall, second: CancelRaceCall
  ) throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...6 { try comeTooLate(first, second) }
  }

  private func comeTooLate(_ first: CancelRaceCall, _ second: CancelRaceCall) throws {
    let reports = Counter()
    let begun = Locked<OneOutcomeOperation.Complete?>(nil)
    let operation = OneOutcomeOperation { _ in
      reports.increment()
    } work: {
      begun.set($0)
    }
    try mustReturn("start()") { operation.start() }
    let complete = try #require(begun.value, "start() calls main(), which must call work.")
    let make: @Sendable (CancelRaceCall) -> Void = { call in
      if call == .cancel { operation.cancel() } else { complete { Data([7]) } }
    }
    try meet("\(first.rawValue), then \(second.rawValue)") {
      make(first)
    } _: {
      make(second)
    }
    try #require(
      reports.value == 1 && operation.isFinished,
      """
      One thread called \(first.rawValue), then another \(second.rawValue): one report is due, and \
      the operation must be finished.
      """)
  }

  // one thread    another thread
  // settles it
  //               reads the outcome: nothing but a lock of the answer's orders the two
  @Test(arguments: CancelRaceCall.allCases)
  func `the outcome may be read on any thread`(call: CancelRaceCall) throws {
    // Several times, as above.
    for _ in 1...6 { try readOutcome(after: call) }
  }

  private func readOutcome(after call: CancelRaceCall) throws {
    let begun = Locked<OneOutcomeOperation.Complete?>(nil)
    let operation = OneOutcomeOperation { _ in
    } work: {
      begun.set($0)
    }
    try mustReturn("start()") { operation.start() }
    let complete = try #require(begun.value, "start() calls main(), which must call work.")
    let meeting = RelaxedRendezvous()
    let reader = meeting.looker("outcome") { operation.outcome != nil }
    let settler = TestThread(call.rawValue) {
      if call == .cancel { operation.cancel() } else { complete { Data([7]) } }
      meeting.changed()
    }
    try settler.result(timersInPlay: true)
    try #require(
      try reader.result(timersInPlay: true),
      "\(call.rawValue) had returned when another thread asked for the outcome, and got nil.")
  }
}
