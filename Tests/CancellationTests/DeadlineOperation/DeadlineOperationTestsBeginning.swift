import AsyncOperations
import Foundation
import KataTesting
import Testing

extension DeadlineOperationTests {
  // MARK: - While it begins

  @Test(arguments: DeadlineCall.allCases)
  func `it may be over before the work has returned`(first: DeadlineCall) throws {
    let workReturns = Gate("the work returns")
    let job = DeadlineJob(inWork: { _ in workReturns.wait() })
    let starter = TestThread("start()") { job.operation.start() }
    eventually("start() was called, and the work was never begun.") { job.works == 1 }
    try call(first, on: job)
    eventually(
      """
      The work takes its time before it returns, and \(first.rawValue) was called meanwhile. The \
      operation must be finished then, whatever the work does.
      """
    ) { job.operation.isFinished }
    runUntilQuiet()
    #expect(
      !job.timers.isAnyWaiting || first == .timer,
      """
      The work takes its time before it returns, and \(first.rawValue) was called meanwhile. It is \
      over, and its timer is still set. Keep the closure that cancels it before you begin the work.
      """)
    workReturns.open()
    try starter.result()
    try expectEnd(
      of: job, by: first,
      "\(first.rawValue) was called before the work had returned the closure that stops it.")
    #expect(
      job.stopThreads == (first.givesUp ? job.threads : []),
      """
      \(first.rawValue) was called before the work had returned the closure that stops it. When \
      the work has returned, call that closure at once, on the thread that began the work; if the \
      work has ended, don't call it.
      """)
  }

  @Test func `no thread has to wait for the timer to be set`() throws {
    let goOn = Gate("the timer is set")
    let job = DeadlineJob(onTimer: { [timeline] _ in timeline.visit("schedule", until: goOn) })
    let starter = TestThread("start()") { job.operation.start() }
    eventually("start() was called, and no timer was set.") { goOn.waiting == 1 }
    _ = TestThread("another thread") { [timeline] in
      timeline.visit("outcome, cancel()") {
        _ = job.operation.outcome
        job.operation.cancel()
      }
    }
    timeline.expect(
      """
      schedule           ├──────────────…
      outcome, cancel()       ├────┤
      """,
      """
      The timer is being set, which takes its time, and meanwhile another thread reads the outcome \
      and cancels. It must not block, and it did: schedule was called while a lock was held or a \
      queue occupied.
      """)
    goOn.open()
    try starter.result()
    eventually("It was cancelled while its timer was being set, and never finishes.") {
      job.operation.isFinished
    }
  }

  @Test(arguments: DeadlineBeginning.allCases)
  func `no thread has to wait while something is undone late`(moment: DeadlineBeginning) throws {
    let goOn = Gate("it's undone")
    let isTimer = moment == .settingTimer
    let undo: DeadlineJob.Part = { [timeline] _ in timeline.visit("undoing", until: goOn) }
    let job = DeadlineJob(
      onTimer: { if isTimer { $0.operation.cancel() } },
      inWork: { if !isTimer { $0.operation.cancel() } },
      onStop: undo, onTimerCancel: { if isTimer { undo($0) } })
    let starter = TestThread("start()") { job.operation.start() }
    eventually(
      """
      It was cancelled while \(moment), and that was never undone. A closure that you receive too \
      late to keep must be called at once.
      """
    ) { goOn.waiting == 1 }
    let other = TestThread("outcome") { [timeline] in
      timeline.visit("outcome") { job.operation.outcome != nil }
    }
    timeline.expect(
      """
      undoing  ├──────────────…
      outcome       ├────┤
      """,
      """
      It was cancelled while \(moment). Undoing that takes its time, and meanwhile another thread \
      reads the outcome; it must not block, and it did. Check under the lock whether it's too \
      late, and call the closure without the lock.
      """)
    goOn.open()
    try starter.result()
    #expect(
      try other.result() && job.operation.isFinished,
      "It was cancelled while \(moment): it must be settled and finished.")
  }

  @Test(arguments: DeadlineCall.allCases)
  func `it may be over inside the work`(first: DeadlineCall) throws {
    let job = DeadlineJob(inWork: { $0.make(first) })
    try start(job)
    try expectEnd(of: job, by: first, "\(first.rawValue) was called inside the work.")
  }

  @Test(arguments: [DeadlineCall.timer, .cancel])
  func `it may be over while the timer is set`(first: DeadlineCall) throws {
    let job = DeadlineJob(deadline: 0, onTimer: { $0.make(first) })
    try mustReturn(
      "start()",
      "\(first.rawValue) was called while the timer was being set: don't hold the lock then."
    ) { job.operation.start() }
    eventually("\(first.rawValue) was called while the timer was being set; it never finishes.") {
      job.operation.isFinished
    }
    #expect(
      job.outcome == first.outcome && job.works == 0,
      """
      It was over before the work was begun: the outcome must be "\(first.outcome)", and the work \
      never begun.
      """)
    #expect(
      !job.timers.isAnyWaiting || first == .timer,
      "It was cancelled while the timer was being set, and the timer is never cancelled.")
  }

  @Test(.observesKVO, arguments: [KVOProbe.Announcement.will(.isExecuting), .did(.isExecuting)])
  func `cancelled during its start, it finishes`(
    moment: KVOProbe.Announcement
  ) throws {
    let job = DeadlineJob(inWork: { [timeline] _ in timeline.mark("work", "begins") })
    let hold = CancelRaceHold("the start goes on")
    let probe = KVOProbe(job.operation) { if $0 == moment { hold.pass() } }
    let starter = TestThread("start()") { [timeline] in
      timeline.visit("start()") { job.operation.start() }
    }
    eventually("start() never announced that it executes.") { hold.gate.waiting == 1 }
    try mustReturn(
      "cancel()", "Release the lock before you call a closure that you were given."
    ) { [timeline] in
      timeline.visit("cancel()") { job.operation.cancel() }
    }
    hold.gate.open()
    try starter.result()
    withExtendedLifetime(probe) {}
    timeline.expect(
      """
      start()   ├──────────────┤
      cancel()       ├────┤
      """,
      "It was cancelled before main() was called, and the work was begun: check the outcome first."
    )
    try expectEnd(of: job, by: .cancel, "It was cancelled during its start.")
  }

  @Test(arguments: [DeadlineCall.timer, .cancel])
  func `the closure that stops the work may call the operation`(first: DeadlineCall) throws {
    let job = try begunJob { [timeline] job in
      timeline.mark("stop", job.outcome)
      for call in DeadlineCall.allCases { job.make(call) }
    }
    try call(first, on: job)
    #expect(
      timeline.events.map(\.kind) == [.mark(first.outcome)],
      timeline.showing(
        """
        Its work was stopped and read the outcome, which must be "\(first.outcome)" by then: \
        settle it before you call a closure.
        """))
    try expectEnd(
      of: job, by: first, "\(first.rawValue) was called; when stopped, the work made every call.")
  }
}
