import AsyncOperations
import Foundation
import KataTesting
import Testing

extension DeadlineOperationTests {
  // MARK: - During another call

  // one thread             another thread
  // the first call
  // is held at `moment`    the second call
  // goes on
  @Test(
    .observesKVO,
    arguments: [
      .cancellingTimer, .stoppingWork, .notice(.will(.isFinished)), .notice(.did(.isExecuting)),
    ] as [DeadlineMoment])
  func `a call during another has no effect`(moment: DeadlineMoment) throws {
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
    // Not every call reaches every moment.
    eventually("\(first.rawValue) never returned.") {
      hold.gate.waiting == 1 || one.hasReturned
    }
    let other = TestThread(second.rawValue) { job.make(second) }
    runUntilQuiet()
    let outcome = TestThread("outcome") { job.outcome }
    eventually(
      """
      While \(first.rawValue) was \(moment), another thread read the outcome. It must not block, \
      and it did: a closure was called or a notification sent while a lock was held.
      """
    ) { outcome.hasReturned }
    hold.gate.open()
    try one.result()
    try other.result()
    let story = """
      While \(first.rawValue) was \(moment), another thread called \(second.rawValue).
      """
    try expectEnd(of: job, by: first, story)
    #expect(
      job.operation.isCancelled == (first == .cancel),
      """
      \(story) isCancelled is \(job.operation.isCancelled). A cancel() that comes later must have \
      no effect: call super.cancel() only if this call has settled the outcome.
      """)
    let ends = probe.notices(of: .did(.isFinished)).count
    #expect(
      ends == 1,
      probe.showing("\(story) The end must be announced once, and was announced \(ends) times."))
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
        \(call.rawValue) was called. Observers of the end read the outcome, and it must be \
        "\(call.outcome)" by then: settle it before you call finish().
        """))
  }

  // MARK: - What retains what

  @Test(arguments: DeadlineEnding.allCases)
  func `when it is over it releases its work and its timer`(ending: DeadlineEnding) throws {
    let life = try DeadlineLife(ending)
    eventually("It must be finished, and isn't.") { life.operation.isFinished }
    withExtendedLifetime(life) {
      eventually(
        """
        It is over (\(ending)), and its work is still in memory. A finished operation may be kept \
        for its outcome, and the action by its timer: neither may retain what the work has \
        captured.
        """
      ) { life.work.isGone }
      eventually(
        "It is over (\(ending)), and the closure that stops the work is still retained: release it."
      ) { life.stop.isGone }
      eventually(
        """
        It is over (\(ending)), and the closure that cancels the timer is still in memory. It \
        retains the timer: release it.
        """
      ) { life.timers.all.allSatisfy(\.isForgotten) }
    }
  }

  @Test(arguments: DeadlineEnding.allCases)
  func `neither its timer nor complete retains it`(ending: DeadlineEnding) throws {
    let (operation, keepers) = try {
      let life = try DeadlineLife(ending)
      return (WeakReference(life.operation), (life.timers, life.completes))
    }()
    eventually(
      """
      It is over (\(ending)), and it is still in memory. Only the timer, which keeps its action \
      until its time has come, and code that keeps complete can retain it. Let both closures \
      capture it weakly.
      """
    ) { operation.isGone }
    withExtendedLifetime(keepers) {}
  }
}
