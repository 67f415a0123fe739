import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// Proves that the first of done and the deadline ends the operation, on any thread, and that
/// nothing is retained afterwards.
@Suite(.serialized, .kata) struct AsyncBlockOperationTests {
  let timers = ManualTimers()
  let timeline = Timeline()
  /// Each `done` that a block received.
  let kept = LockedValue<[@Sendable () -> Void]>([])

  // MARK: - Done

  @Test func `it calls its block, and done ends it`() throws {
    let job = AsyncBlockJob()
    let thread = try job.start()
    #expect(
      job.calls == 1,
      """
      start() has returned, and the block was called \(job.calls) times. main() must call it once \
      before it returns, and pass it a closure that ends the operation.
      """)
    #expect(
      job.threads.allSatisfy { $0 == thread },
      "The block was called on another thread; call it in main(), on the thread that started it.")
    runUntilQuiet()
    #expect(
      job.operation.isExecuting && !job.operation.isFinished,
      """
      The block has returned and `done` hasn't been called, so the work continues: the operation \
      must be executing and not finished.
      """)
    try job.done()
    expectEnd(of: job, timedOut: false, "`done` was called after the block had returned.")
  }

  @Test func `done inside the block ends it too`() throws {
    let job = AsyncBlockJob { $0() }
    try job.start()
    expectEnd(of: job, timedOut: false, "`done` was called inside the block.")
    #expect(job.calls == 1, "main() must call the block once, not \(job.calls) times.")
  }

  @Test(arguments: [nil, 5])
  func `a done that is released uncalled ends nothing`(deadline: TimeInterval?) throws {
    let operation = AsyncBlockOperation(deadline: deadline, schedule: timers.set) { _ in }
    try mustReturn("start()") { operation.start() }
    runUntilQuiet()
    #expect(
      operation.isExecuting && !operation.isFinished,
      """
      The block has returned and released `done` without calling it. Nothing else may stand for \
      that call: the operation must still be executing.
      """)
  }

  @Test func `a dependent waits for done, not for the block`() throws {
    let job = AsyncBlockJob { [timeline] _ in timeline.visit("block") {} }
    let dependent = BlockOperation { [timeline] in timeline.visit("dependent") {} }
    dependent.addDependency(job.operation)
    let other = OperationQueue()
    other.addOperation(dependent)
    let queue = startInQueue(job)
    guard job.calls > 0 else { return }
    let early =
      "Its block has returned, and its queue or dependent continues before `done` was called."
    timeline.expect("block  ├────┤", early)
    #expect(queue.operationCount == 1, timeline.showing(early))
    timeline.mark("done", "called")
    try job.done()
    timeline.expect(
      """
      block      ├────┤
      done                 ●  called
      dependent                 ├────┤
      """, "`done` was called, but its dependent never begins.")
  }

  @Test func `done called twice does no harm`() throws {
    let job = AsyncBlockJob()
    startInQueue(job)
    try job.done()
    try job.done()
    expectEnd(of: job, timedOut: false, "`done` was called twice.")
    eventually("It is finished, but its completionBlock was never called.") { job.completions > 0 }
    #expect(
      job.completions == 1,
      "`done` was called twice; completionBlock must be called once, not \(job.completions) times."
    )
  }

  @Test func `done called by several threads at once ends it once`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    startInQueue(job)
    let done = try job.given()
    try TestThread.race("done() by thread", threads: 4) { _ in done() }
    expectEnd(of: job, timedOut: false, "Four threads called `done` at once.")
    eventually("It is finished, but its completionBlock was never called.") { job.completions > 0 }
    #expect(
      job.completions == 1,
      "Four threads called `done` at once; it completed \(job.completions) times instead of once.")
  }

  // MARK: - The deadline

  @Test func `without a deadline no timer is set`() throws {
    let job = AsyncBlockJob(timers: timers)
    try job.start()
    try job.done()
    #expect(
      timers.all.isEmpty, "It has no deadline, so it must not set a timer, but it did.")
  }

  @Test func `the timer is set before the block is called`() throws {
    let timers = timers
    let secondsInBlock = LockedValue<[[TimeInterval]]>([])
    let job = AsyncBlockJob(deadline: 2.5, timers: timers) { _ in
      secondsInBlock.append(timers.seconds)
    }
    #expect(
      timers.all.isEmpty,
      "The time counts from the start of the work: set the timer in main(), not in init.")
    let thread = try job.start()
    #expect(
      timers.all.allSatisfy { $0.thread == thread },
      "The timer was set on another thread; set it in main(), on the thread that started it.")
    #expect(
      secondsInBlock.value == [[2.5]],
      """
      Inside the block there must be one timer, of 2.5 s. The block may take a long time, or call \
      `done` at once: set the timer before you call it.
      """)
    try job.done()
  }

  @Test func `the timer may fire while it is set`() throws {
    let calls = SharedCounter()
    let operation = AsyncBlockOperation(
      deadline: 0,
      schedule: { _, action in
        action()
        return {}
      }, block: { _ in calls.increment() })
    try mustReturn(
      "start()",
      "The scheduler called the timer's action at once, which needs the lock that you hold."
    ) { operation.start() }
    eventually("Its deadline has passed at once, but it never finishes.") { operation.isFinished }
    #expect(operation.hasTimedOut, "Its deadline has passed at once, but hasTimedOut is false.")
    #expect(
      calls.value == 1,
      """
      Its deadline has passed while the timer was set. The block must still be called, once; it \
      was called \(calls.value) times.
      """)
  }

  // starting thread           the timer's thread
  // sets the timer
  //                           fires: only a lock in the answer orders the two
  // goes on
  @Test func `the timer may fire on another thread while it is set`() throws {
    // Several times: Thread Sanitizer occasionally misses one pair of accesses.
    for _ in 1...4 {
      let timers = ManualTimers()
      let meeting = RelaxedRendezvous()
      let other = meeting.looker("the timer's action") { timers.fire() }
      let operation = AsyncBlockOperation(
        deadline: 0,
        schedule: { seconds, action in
          let cancel = timers.set(seconds, action)
          meeting.changed()
          return cancel
        }, block: { _ in })
      try mustReturn("start()", timersInPlay: true) { operation.start() }
      try other.result(timersInPlay: true)
      eventually("Its deadline has passed at once, but it never finishes.", timersInPlay: true) {
        operation.isFinished
      }
      #expect(operation.hasTimedOut, "Its deadline has passed at once, but hasTimedOut is false.")
    }
  }

  @Test func `it ends when the deadline has passed, and hasTimedOut is true`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    try job.start()
    #expect(!job.operation.hasTimedOut, "Its deadline hasn't passed yet, but hasTimedOut is true.")
    try fire()
    expectEnd(of: job, timedOut: true, "Its deadline has passed without `done`.")
    #expect(job.calls == 1, "main() must call the block once, not \(job.calls) times.")
  }

  @Test func `done after the deadline has no effect`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    startInQueue(job)
    try fire()
    try job.done()
    expectEnd(of: job, timedOut: true, "Its deadline has passed, and `done` came later.")
    eventually("It is finished, but its completionBlock was never called.") { job.completions > 0 }
    #expect(job.completions == 1, "It completed \(job.completions) times instead of once.")
  }

  @Test(arguments: [DoneCall.insideTheBlock, .later])
  func `done cancels the timer`(call: DoneCall) throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers) { if call == .insideTheBlock { $0() } }
    try job.start()
    if call == .later {
      #expect(
        timers.all.allSatisfy { !$0.isCancelled },
        "The timer was cancelled before `done` was called."
      )
      try job.done()
    }
    eventually(
      "`done` was called, but the timer still runs: call the closure that the scheduler returned."
    ) { timers.all.count == 1 && !timers.isAnyWaiting }
    // It may have been about to fire.
    try fire()
    expectEnd(of: job, timedOut: false, "`done` was called, and then the timer fired.")
  }

  @Test func `done cancels its own timer`() throws {
    let jobs = [
      AsyncBlockJob(deadline: 5, timers: timers), AsyncBlockJob(deadline: 5, timers: timers),
    ]
    for job in jobs { try job.start() }
    try jobs[0].done()
    #expect(
      timers.all.map(\.isCancelled) == [true, false],
      """
      Two operations have a timer each, and `done` of the first was called. It must cancel the \
      first timer and no other; here cancelled are: \(timers.all.map(\.isCancelled)). Keep the \
      closure that cancels a timer in its own operation, and not in a place that all share.
      """)
  }
}
