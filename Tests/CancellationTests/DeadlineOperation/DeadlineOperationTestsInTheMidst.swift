import AsyncOperations
import Foundation
import KataTesting
import Testing

extension DeadlineOperationTests {
  // MARK: - In the midst

  // one thread             another thread
  // the first call
  // is held at `moment`    the second call
  // goes on
  @Test(
    .observesKVO,
    arguments: [
      .cancellingTimer, .stoppingWork, .notice(.will(.isFinished)), .notice(.did(.isExecuting)),
    ] as [DeadlineMoment])
  func `a call in the midst of another has no effect`(moment: DeadlineMoment) throws {
    try expectNoEffect(of: .timer, amid: .complete, at: moment)
    try expectNoEffect(of: .cancel, amid: .complete, at: moment)
    try expectNoEffect(of: .complete, amid: .timer, at: moment)
    try expectNoEffect(of: .cancel, amid: .timer, at: moment)
    try expectNoEffect(of: .complete, amid: .cancel, at: moment)
  }

  private func expectNoEffect(
    of second: DeadlineCall, amid first: DeadlineCall, at moment: DeadlineMoment
  ) throws {
    let hold = CancelRaceHold("\(first.rawValue) goes on")
    let job = try begunJob(
      onStop: { _ in if case .stoppingWork = moment { hold.pass() } },
      onTimerCancel: { _ in if case .cancellingTimer = moment { hold.pass() } })
    let probe = KVOProbe(job.operation) { announcement in
      if case .notice(announcement) = moment { hold.pass() }
    }
    let one = TestThread(first.rawValue) { job.make(first) }
    // Not every call comes by every moment.
    eventually("\(first.rawValue) never came to its end.") {
      hold.gate.waiting == 1 || one.hasReturned
    }
    let other = TestThread(second.rawValue) { job.make(second) }
    runUntilQuiet()
    let outcome = TestThread("outcome") { job.outcome }
    eventually(
      """
      While \(first.rawValue) was in the midst of \(moment), somebody asked for the outcome and was \
      held up: a lock is held while you call out.
      """
    ) { outcome.hasReturned }
    hold.gate.open()
    try one.result()
    try other.result()
    let story = """
      While \(first.rawValue) was in the midst of \(moment), another thread called \
      \(second.rawValue).
      """
    try expectEnd(of: job, by: first, story)
    #expect(
      job.operation.isCancelled == (first == .cancel),
      """
      \(story) isCancelled is \(job.operation.isCancelled). A cancel() that comes later has no effect: \
      call super.cancel() only where it has settled the outcome.
      """)
    let ends = probe.notices(of: .did(.isFinished)).count
    #expect(
      ends == 1,
      probe.showing("\(story) The end must be announced once, and was \(ends) times."))
  }

  @Test(arguments: zip(DeadlineCall.allCases, [.timer, .cancel, .complete] as [DeadlineCall]))
  func `two calls at the same moment end it once`(one: DeadlineCall, other: DeadlineCall) throws {
    for _ in 1...4 {
      let job = try begunJob()
      try TestThread.race("the call", threads: 2) { job.make($0 == 0 ? one : other) }
      try expectEnd(
        of: job, by: job.outcome == other.outcome ? other : one,
        "\(one.rawValue) and \(other.rawValue) were called at the same moment.")
    }
  }

  @Test(.observesKVO, arguments: DeadlineCall.allCases)
  func `the outcome is there when the end is announced`(call: DeadlineCall) throws {
    let job = try begunJob()
    let probe = KVOProbe(job.operation) { [timeline] in
      if $0 == .did(.isFinished) { timeline.mark("outcome", job.outcome) }
    }
    try self.call(call, on: job)
    eventually("\(call.rawValue) was called, and the end is never announced.") {
      !timeline.events.isEmpty
    }
    withExtendedLifetime(probe) {}
    #expect(
      timeline.events.first?.kind == .mark(call.outcome),
      timeline.showing(
        """
        \(call.rawValue) was called. Whoever hears of the end reads the outcome there and then, and \
        it must be "\(call.outcome)": settle it before you call finish().
        """))
  }

  // MARK: - Who keeps whom

  @Test(arguments: DeadlineEnding.allCases)
  func `when it is over it lets go of its work and its timer`(ending: DeadlineEnding) throws {
    let life = try DeadlineLife(ending)
    eventually("It must be finished, and isn't.") { life.operation.isFinished }
    withExtendedLifetime(life) {
      eventually(
        """
        It is over (\(ending)), and its work is still in memory: who keeps a finished operation for \
        its outcome, or a timer its action, mustn't keep what the work has captured.
        """
      ) { life.work.isGone }
      eventually(
        "It is over (\(ending)), and the way to stop the work is still in memory: let go of it."
      ) { life.stop.isGone }
      eventually(
        """
        It is over (\(ending)), and the way to cancel the timer is still in memory: it keeps the \
        timer. Let go of it.
        """
      ) { life.timers.all.allSatisfy(\.isForgotten) }
    }
  }

  @Test(arguments: DeadlineEnding.allCases)
  func `neither its timer nor complete keeps it`(ending: DeadlineEnding) throws {
    let (operation, keepers) = try {
      let life = try DeadlineLife(ending)
      return (WeakReference(life.operation), (life.timers, life.completes))
    }()
    eventually(
      """
      It is over (\(ending)), and nobody holds it but the timer, which keeps its action until its \
      time has come, and whoever keeps complete: and it is still in memory. Let both of them capture \
      it weakly.
      """
    ) { operation.isGone }
    withExtendedLifetime(keepers) {}
  }
}
