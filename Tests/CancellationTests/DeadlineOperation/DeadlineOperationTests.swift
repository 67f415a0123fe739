import AsyncOperations
import Foundation
import KataTesting
import Testing

/// Proves that the work, its deadline or a cancellation ends the operation, whichever is first, that the
/// others then have no effect, that work given up is told once to stop, and that nothing is kept.
@Suite(.serialized, .kata) struct DeadlineOperationTests {
  private let timeline = Timeline()

  // MARK: - The three ends

  @Test func `the value that comes in time is the outcome`() throws {
    let job = DeadlineJob()
    let thread = try start(job)
    try #require(
      job.works == 1,
      """
      start() has returned, and the work was begun \(job.works) times. Begin with main(): it calls \
      work, once, there and then, and gives it a closure that settles the outcome.
      """)
    #expect(
      job.threads == [thread],
      "The work was begun on another thread: call it in main(), on the thread that started it.")
    runUntilQuiet()
    #expect(
      job.timers.all.map(\.thread) == [thread],
      """
      \(job.timers.all.count) timers were set, and must be: one, on the thread that started it. Call \
      schedule in main(), there and then.
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
      It waits in a suspended queue, and its timer is set already. What is given up before it was \
      begun never had a chance: set the timer in main().
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
      When the work was begun there must have been one timer, of 2.5 s: work that takes its time, or \
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
    let dependent = Counter()
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
      "First came \(first.rawValue), then \(second.rawValue), then everything once more.")
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
      The work called complete with the bytes \(value), then with [7], and the outcome is "\(outcome)". \
      The first value settles it, also an empty one, and no other takes its place.
      """)
  }

  @Test(arguments: [DeadlineCall.timer, .cancel])
  func `the work is told by whoever gives it up`(first: DeadlineCall) throws {
    let job = try begunJob()
    let thread = try call(first, on: job)
    runUntilQuiet()
    #expect(
      job.stopThreads == [thread],
      """
      \(first.rawValue) gave the work up, and it was told to stop \(job.stopThreads.count) times, or \
      on another thread. Call what the work has returned there and then: whoever gives it up relies on \
      it that it's told.
      """)
  }

  @Test func `when anything is called by cancel, isCancelled is true`() throws {
    let note: @Sendable (String, DeadlineJob) -> Void = { [timeline] who, job in
      timeline.mark(who, job.operation.isCancelled ? "cancelled" : "not cancelled")
    }
    let job = try begunJob(
      onStop: { note("the work", $0) }, onTimerCancel: { note("the timer", $0) })
    try call(.cancel, on: job)
    #expect(
      timeline.events.map(\.kind) == [.mark("cancelled"), .mark("cancelled")],
      timeline.showing(
        """
        It was cancelled; then its timer was, and its work told to stop, once each. isCancelled must be \
        true by then, since they may look: call super.cancel() first.
        """))
  }

  @Test(arguments: DeadlineCall.allCases)
  func `it may be over before the work has returned`(first: DeadlineCall) throws {
    let workReturns = Gate("the work returns")
    let job = DeadlineJob(inWork: { _ in workReturns.wait() })
    let starter = TestThread("start()") { job.operation.start() }
    eventually("start() was called, and the work was never begun.") { job.works == 1 }
    try call(first, on: job)
    eventually(
      """
      The work takes its time before it returns, and \(first.rawValue) was called meanwhile: it \
      must be finished then, whatever the work does.
      """
    ) { job.operation.isFinished }
    workReturns.open()
    try starter.result()
    try expectEnd(
      of: job, by: first,
      "\(first.rawValue) was called before the work had returned how to stop it.")
    #expect(
      job.stopThreads == (first.givesUp ? job.threads : []),
      """
      \(first.rawValue) was called before the work had returned how to stop it. When it has, the work \
      must be told on the thread that began it, at once; or not at all, where it has ended.
      """)
  }

  @Test func `nobody has to wait for the timer to be set`() throws {
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
      The timer is being set, which takes its time; meanwhile another thread asks for the outcome and \
      cancels. It was held up: a lock is held, or a queue occupied, while schedule is called.
      """)
    goOn.open()
    try starter.result()
    eventually("It was cancelled while its timer was being set, and is never finished.") {
      job.operation.isFinished
    }
  }

  @Test(arguments: DeadlineBeginning.allCases)
  func `nobody has to wait for what is undone late`(moment: DeadlineBeginning) throws {
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
      It was cancelled while \(moment), and that was never undone: call at once what comes too late to \
      be kept.
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
      It was cancelled while \(moment). That is being undone, which takes its time; meanwhile another \
      thread asks for the outcome, and is held up: a lock is held while you call out. Look whether it's \
      too late under the lock, and call without it.
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
    eventually("\(first.rawValue) was called while the timer was being set; it's never finished.") {
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
  func `cancelled in the midst of its start, it comes to its end`(
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
      "cancel()", "Let go of the lock before you call anything that you were given."
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
      "It was cancelled before main() was called, and the work was begun: look at the outcome first."
    )
    try expectEnd(of: job, by: .cancel, "It was cancelled in the midst of its start.")
  }

  @Test(arguments: [DeadlineCall.timer, .cancel])
  func `who is told to stop may call the operation`(first: DeadlineCall) throws {
    let job = try begunJob { [timeline] job in
      timeline.mark("stop", job.outcome)
      for call in DeadlineCall.allCases { job.make(call) }
    }
    try call(first, on: job)
    #expect(
      timeline.events.map(\.kind) == [.mark(first.outcome)],
      timeline.showing(
        """
        Its work was told to stop and asked for the outcome, which must be "\(first.outcome)" by \
        then: settle it before you call out.
        """))
    try expectEnd(
      of: job, by: first, "\(first.rawValue) was called; told to stop, the work called everything.")
  }

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
      try race("the call", threads: 2) { job.make($0 == 0 ? one : other) }
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

  // MARK: - Many

  @Test func `a hundred of them work on one thread`() throws {
    let jobs = (0..<100).map { _ in DeadlineJob() }
    let threadsBefore = processThreadCount()
    try mustReturn(
      "start(), a hundred times on one thread,", "main() has to begin the work and to return."
    ) { for job in jobs { job.operation.start() } }
    runUntilQuiet()
    #expect(
      jobs.allSatisfy { $0.works == 1 && $0.operation.isExecuting },
      "One thread has started a hundred of them; all of them must be at work at once.")
    if let threadsBefore, let threadsNow = processThreadCount() {
      #expect(
        threadsNow < threadsBefore + 50,
        """
        A hundred of them are at work, and the process has \(threadsNow - threadsBefore) threads \
        more than before. Nobody has to wait for the time to pass: the timer calls.
        """)
    }
    try mustReturn("the ends of a hundred") {
      for (index, job) in jobs.enumerated() { job.make(DeadlineCall.allCases[index % 3]) }
    }
    runUntilQuiet()
    #expect(
      jobs.enumerated().allSatisfy { index, job in
        job.operation.isFinished && job.outcome == DeadlineCall.allCases[index % 3].outcome
      },
      "Of a hundred, a third completed, a third timed out and a third was cancelled, it says not.")
  }

  @Test func `the timer of Dispatch ends it`() throws {
    let stops = Counter()
    let operation = DeadlineOperation(deadline: 0.01) { _ in { stops.increment() } }
    let queue = OperationQueue()
    queue.addOperation(operation)
    eventually("It has a hundredth of a second, and it never ends.", timersInPlay: true) {
      operation.isFinished && stops.value == 1
    }
    #expect(
      DeadlineJob.name(of: operation.outcome) == "timed out",
      "Its time is up, and the outcome isn't timedOut.")
  }

  // one thread    another thread
  // settles it
  //               comes too late: nothing but a lock of the answer's orders the two
  @Test(arguments: DeadlineCall.allCases, DeadlineCall.allCases)
  func `one thread settles it, and another comes too late`(
    first: DeadlineCall, second: DeadlineCall
  ) throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...4 {
      let calls = try DeadlineBareCalls()
      try meet("\(first.rawValue), then \(second.rawValue)") {
        calls.make(first)
      } _: {
        calls.make(second)
      }
      try #require(
        calls.operation.isFinished
          && DeadlineJob.name(of: calls.operation.outcome) == first.outcome,
        "One thread called \(first.rawValue), then another \(second.rawValue): the first one settles."
      )
    }
  }

  // its start          another thread
  // sets the timer,
  // or begins the work
  //                    cancels it: nothing but a lock of the answer's orders the two
  // keeps how to undo that, or does it
  @Test(arguments: DeadlineBeginning.allCases)
  func `cancelled by another thread while it begins, it undoes what it has begun`(
    moment: DeadlineBeginning
  ) throws {
    // Several times, as above.
    for _ in 1...4 {
      let meeting = RelaxedRendezvous()
      let timerCancels = Counter()
      let stops = Counter()
      let operation = DeadlineOperation(
        deadline: 5,
        schedule: { _, _ in
          if moment == .settingTimer { meeting.changed() }
          return { timerCancels.increment() }
        }
      ) { _ in
        if moment == .beginningWork { meeting.changed() }
        return { stops.increment() }
      }
      let canceller = meeting.looker("cancel()") { operation.cancel() }
      let starter = TestThread("start()") { operation.start() }
      try starter.result(timersInPlay: true)
      try canceller.result(timersInPlay: true)
      try #require(
        DeadlineJob.name(of: operation.outcome) == "cancelled" && operation.isFinished,
        "It was cancelled while it was begun: it must be cancelled and finished.")
      try #require(
        timerCancels.value > 0 && stops.value == (moment == .beginningWork ? 1 : 0),
        """
        It was cancelled while \(moment). The timer was cancelled \(timerCancels.value) times, and \
        the work told to stop \(stops.value) times. What comes too late to be kept must be undone at \
        once.
        """)
    }
  }

  // one thread    another thread
  // settles it
  //               reads the outcome: nothing but a lock of the answer's orders the two
  @Test(arguments: DeadlineCall.allCases)
  func `the outcome may be read on any thread`(call: DeadlineCall) throws {
    for _ in 1...6 {
      let calls = try DeadlineBareCalls()
      let meeting = RelaxedRendezvous()
      let reader = meeting.looker("outcome") { calls.operation.outcome != nil }
      let settler = TestThread(call.rawValue) {
        calls.make(call)
        meeting.changed()
      }
      try settler.result(timersInPlay: true)
      try #require(
        try reader.result(timersInPlay: true),
        "\(call.rawValue) had returned when another thread asked for the outcome, and got nil.")
    }
  }
}
