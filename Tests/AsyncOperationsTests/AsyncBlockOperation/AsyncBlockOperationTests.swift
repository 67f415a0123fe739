import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// Proves that done or the deadline ends the operation, whichever is first and whoever calls it, and that
/// nothing is kept then.
@Suite(.serialized, .kata) struct AsyncBlockOperationTests {
  let timers = ManualTimers()
  private let timeline = Timeline()
  /// What the blocks were given.
  let kept = Locked<[@Sendable () -> Void]>([])

  // MARK: - Done

  @Test func `it calls its block, and done ends it`() throws {
    let job = AsyncBlockJob()
    let thread = try job.start()
    #expect(
      job.calls == 1,
      """
      start() has returned, and the block was called \(job.calls) times. main() has to call it \
      once, there and then, and to give it a closure that ends the operation.
      """)
    #expect(
      job.threads.allSatisfy { $0 == thread },
      "The block was called on another thread; call it in main(), on the thread that started it.")
    runUntilQuiet()
    #expect(
      job.operation.isExecuting && !job.operation.isFinished,
      """
      The block has returned and nobody has called `done`, so the work goes on: the operation must \
      be executing and not finished.
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

  @Test func `a dependent waits for done, not for the block`() throws {
    let job = AsyncBlockJob { [timeline] _ in timeline.visit("block") {} }
    let dependent = BlockOperation { [timeline] in timeline.visit("dependent") {} }
    dependent.addDependency(job.operation)
    let other = OperationQueue()
    other.addOperation(dependent)
    let queue = startInQueue(job)
    guard job.calls > 0 else { return }
    let early =
      "Its block has returned, and its queue or its dependent takes it for finished before `done`."
    timeline.expect("block  ├────┤", early)
    #expect(queue.operationCount == 1, timeline.showing(early))
    timeline.mark("done", "called")
    try job.done()
    timeline.expect(
      """
      block      ├────┤
      done                 ●  called
      dependent                 ├────┤
      """, "`done` was called, and its dependent never begins.")
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
      "`done` was called twice; its completionBlock must be called once, not \(job.completions) times."
    )
  }

  @Test func `done called by several threads at once ends it once`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    startInQueue(job)
    let done = try job.given()
    try race("done() by thread", threads: 4) { _ in done() }
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
      timers.all.isEmpty, "It has no deadline, so it may take any time; and yet it set a timer.")
  }

  @Test func `the timer is set before the block is called`() throws {
    let timers = timers
    let secondsInBlock = Locked<[[TimeInterval]]>([])
    let job = AsyncBlockJob(deadline: 2.5, timers: timers) { _ in
      secondsInBlock.append(timers.seconds)
    }
    #expect(
      timers.all.isEmpty,
      "The time counts from the start of the work: set the timer in main(), not when it is made.")
    let thread = try job.start()
    #expect(
      timers.all.allSatisfy { $0.thread == thread },
      "The timer was set on another thread; set it in main(), on the thread that started it.")
    #expect(
      secondsInBlock.value == [[2.5]],
      """
      Inside the block there must be one timer, of 2.5 s. The block may take its time, or be done \
      at once: set the timer before you call it.
      """)
    try job.done()
  }

  @Test func `the timer may go off while it is set`() throws {
    let calls = Counter()
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
    eventually("Its deadline has passed at once, and it never finishes.") { operation.isFinished }
    #expect(operation.hasTimedOut, "Its deadline has passed at once, and hasTimedOut is false.")
    #expect(
      calls.value == 1,
      """
      Its deadline has passed while the timer was set. The block must be called all the same, \
      once, and was called \(calls.value) times.
      """)
  }

  // starting thread           the timer's thread
  // sets the timer
  //                           goes off: nothing but a lock of the answer's orders the two
  // goes on
  @Test func `the timer may go off on another thread while it is set`() throws {
    let meeting = RelaxedRendezvous()
    let other = meeting.looker("the timer's action") { [timers] in timers.goOff() }
    let operation = AsyncBlockOperation(
      deadline: 0,
      schedule: { [timers] seconds, action in
        let cancel = timers.set(seconds, action)
        meeting.changed()
        return cancel
      }, block: { _ in })
    try mustReturn("start()", timersInPlay: true) { operation.start() }
    try other.result(timersInPlay: true)
    eventually("Its deadline has passed at once, and it never finishes.", timersInPlay: true) {
      operation.isFinished
    }
    #expect(operation.hasTimedOut, "Its deadline has passed at once, and hasTimedOut is false.")
  }

  @Test func `it ends when the deadline has passed, and says so`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    try job.start()
    #expect(!job.operation.hasTimedOut, "Its deadline hasn't passed yet, and hasTimedOut is true.")
    try goOff()
    expectEnd(of: job, timedOut: true, "Its deadline has passed without `done`.")
    #expect(job.calls == 1, "main() must call the block once, not \(job.calls) times.")
  }

  @Test func `done after the deadline has no effect`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    startInQueue(job)
    try goOff()
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
      "`done` was called, and the timer still runs: call the closure that the scheduler returned."
    ) { timers.all.count == 1 && !timers.isAnyWaiting }
    // It may have been about to go off.
    try goOff()
    expectEnd(of: job, timedOut: false, "`done` was called, and then the timer went off.")
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
      Two operations have a timer each, and the first one is done. That cancels the first timer and \
      no other; here cancelled are: \(timers.all.map(\.isCancelled)). What cancels a timer must be kept \
      in its own operation, and not where all share it.
      """)
  }

  @Test func `nobody has to wait for the block`() throws {
    let goOn = Gate("the block returns")
    let job = AsyncBlockJob(deadline: 5, timers: timers) { [timeline] _ in
      timeline.visit("the block", until: goOn)
    }
    let starter = TestThread("start()") { job.operation.start() }
    guard eventually("start() was called, and the block never.", until: { goOn.waiting == 1 })
    else { return }
    whileHeld { _ = job.operation.hasTimedOut }
    timeline.expect(
      """
      the block       ├──────────────…
      another thread       ├────┤
      """,
      """
      The block takes its time; meanwhile its deadline passes, and another thread asks hasTimedOut. It \
      was held up: hold no lock, and occupy no queue, while you call the block.
      """)
    goOn.open()
    try starter.result()
    expectEnd(of: job, timedOut: true, "Its deadline has passed while its block was being called.")
  }

  @Test func `nobody has to wait for the timer to be cancelled`() throws {
    let goOn = Gate("the timer is cancelled")
    let operation = AsyncBlockOperation(
      deadline: 5,
      schedule: { [timers, timeline] seconds, action in
        let cancel = timers.set(seconds, action)
        return {
          cancel()
          timeline.visit("cancels the timer", until: goOn)
        }
      }, block: kept.append)
    try mustReturn("start()") { operation.start() }
    let done = TestThread("done()") { [kept] in kept.callAll() }
    try #require(
      eventually("`done` was called, and its timer is never cancelled.") { goOn.waiting == 1 })
    whileHeld { _ = operation.hasTimedOut }
    timeline.expect(
      """
      cancels the timer  ├──────────────…
      another thread          ├────┤
      """,
      """
      The closure that the scheduler returned takes its time; meanwhile another thread asks \
      hasTimedOut, and the timer goes off. It was held up: hold no lock, and occupy no queue, while \
      you call that closure. It may be waiting for the timer's action itself.
      """)
    goOn.open()
    try done.result()
    eventually("`done` was called; it must be finished, and isn't.") { operation.isFinished }
    #expect(!operation.hasTimedOut, "`done` came first, and hasTimedOut is true.")
  }

  /// Another thread lets the timer go off, and asks.
  private func whileHeld(_ asks: @escaping @Sendable () -> Void) {
    _ = TestThread("another thread") { [timers, timeline] in
      timeline.visit("another thread") {
        timers.goOff()
        asks()
      }
    }
  }

  @Test(.observesKVO) func `done cancels the timer before the end is announced`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    let (timers, leftAtTheEnd) = (timers, Counter())
    let probe = KVOProbe(job.operation) { announcement in
      if announcement == .did(.isFinished), timers.isAnyWaiting { leftAtTheEnd.increment() }
    }
    try job.start()
    try job.done()
    expectEnd(of: job, timedOut: false, "`done` was called.")
    withExtendedLifetime(probe) {}
    #expect(
      leftAtTheEnd.value == 0,
      """
      The end was announced, and whoever heard of it found the timer still running. Cancel it \
      first, then call finish().
      """)
  }

  // the thread that is done      the timer
  // done
  // announces the end …
  //                              goes off
  // it is finished
  @Test(.observesKVO) func `the first decides, even while the end is announced`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    let (timers, atTheEnd) = (timers, Counter())
    let probe = KVOProbe(job.operation) { [operation = job.operation] announcement in
      if announcement == .will(.isFinished) { timers.goOff() }
      if announcement == .did(.isFinished), !operation.hasTimedOut { atTheEnd.increment() }
    }
    try job.start()
    try job.done()
    expectEnd(of: job, timedOut: false, "`done` came first, and the timer before it was finished.")
    withExtendedLifetime(probe) {}
    #expect(
      atTheEnd.value == 1, "When it is announced as finished, hasTimedOut must be settled: false.")
  }

  @Test(.observesKVO) func `who hears of the end knows whether it timed out`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    let atTheEnd = Counter()
    let probe = KVOProbe(job.operation) { [operation = job.operation] announcement in
      if announcement == .did(.isFinished), operation.hasTimedOut { atTheEnd.increment() }
    }
    try job.start()
    try goOff()
    expectEnd(of: job, timedOut: true, "Its deadline has passed without `done`.")
    withExtendedLifetime(probe) {}
    #expect(
      atTheEnd.value == 1,
      """
      Its deadline has passed, and when the end was announced hasTimedOut was still false. Settle \
      it before you call finish().
      """)
  }

  @Test func `the timer of Dispatch ends it`() throws {
    let operation = AsyncBlockOperation(deadline: 0.01) { _ in }
    let queue = OperationQueue()
    queue.addOperation(operation)
    eventually(
      "Its deadline is a hundredth of a second, and it never ends.", timersInPlay: true
    ) { operation.isFinished }
    #expect(operation.hasTimedOut, "Its deadline has passed, and hasTimedOut is false.")
  }

  // MARK: - Cancelled

  @Test func `cancelled before its start, it calls no block and sets no timer`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    job.operation.cancel()
    let queue = OperationQueue()
    queue.addOperation(job.operation)
    expectEnd(of: job, timedOut: false, "It was cancelled before its queue started it.")
    #expect(
      job.calls == 0 && timers.all.isEmpty,
      "It was cancelled before its start: begin nothing outside main(), neither block nor timer.")
  }

  @Test(arguments: [DoneCall.later, .never])
  func `cancelled while it works, it goes on`(call: DoneCall) throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    try job.start()
    try mustReturn("cancel()") { job.operation.cancel() }
    runUntilQuiet()
    #expect(
      job.operation.isExecuting && timers.all.allSatisfy { !$0.isCancelled },
      """
      It was cancelled while its work went on. That is a request to the work: it goes on, and so \
      does its timer, until `done` or the deadline.
      """)
    if call == .later { try job.done() } else { try goOff() }
    expectEnd(
      of: job, timedOut: call == .never,
      call == .later
        ? "It was cancelled, and then `done` was called."
        : "It was cancelled, and then its deadline passed.")
  }

  // MARK: - Who keeps whom

  @Test func `who keeps done doesn't keep it`() throws {
    let watch = try lifeOfOperation { AsyncBlockOperation(block: kept.append) }
    eventually(
      """
      It's finished and nobody holds it but `done`, which somebody keeps: and it's still in \
      memory. Let `done` capture the operation weakly, or let go of it at the first call.
      """
    ) { watch.isGone }
  }

  @Test func `its block may capture it`() throws {
    let watch = try lifeOfOperation {
      let own = Locked<AsyncBlockOperation?>(nil)
      let operation = AsyncBlockOperation { [kept] done in
        _ = own.value?.isCancelled
        kept.append(done)
      }
      own.set(operation)
      return operation
    }
    eventually(
      """
      Its block captures the operation, as a block does that looks at isCancelled: and the \
      operation keeps its block for ever, so that neither goes. Let go of the block when it was \
      called.
      """
    ) { watch.isGone }
  }

  @Test(arguments: [DoneCall.insideTheBlock, .later, .never])
  func `a finished operation has let go of its block`(call: DoneCall) throws {
    let (operation, captured) = operationThatCaptures(done: call)
    try mustReturn("start()") { operation.start() }
    if call == .later { try mustReturn("done()") { [kept] in kept.callAll() } }
    if call == .never { try goOff() }
    eventually("It has ended, and isn't finished.") { operation.isFinished }
    eventually(
      """
      It is finished, and what its block has captured is still in memory: the operation keeps the \
      block. Let go of it when it's called, whatever ends the operation.
      """
    ) { captured.isGone }
    withExtendedLifetime(operation) {}
  }

  /// An operation with a deadline, and something that nobody but its block keeps.
  private func operationThatCaptures(
    done call: DoneCall
  ) -> (AsyncBlockOperation, WeakReference<Counter>) {
    let captured = Counter()
    let operation = AsyncBlockOperation(deadline: 5, schedule: timers.set) { [kept] done in
      captured.increment()
      if call == .insideTheBlock { done() } else { kept.append(done) }
    }
    return (operation, WeakReference(captured))
  }

  @Test func `a cancelled timer doesn't keep it`() throws {
    let watch = try lifeOfOperation {
      AsyncBlockOperation(deadline: 3600, schedule: timers.set, block: kept.append)
    }
    eventually(
      """
      It was done long before its deadline, and the timer's action still keeps it: many schedulers \
      let go of an action only when its time has come. Let the action capture it weakly.
      """
    ) { watch.isGone }
  }

  // MARK: - Many threads

  // the timer                 another thread
  // goes off
  // begins to announce it     asks hasTimedOut: nothing but a lock of the answer's orders the two
  // goes on
  @Test(.observesKVO) func `hasTimedOut may be read while it ends`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    let meeting = RelaxedRendezvous()
    let probe = KVOProbe(job.operation) { [operation = job.operation] in
      if $0 == .did(.isExecuting), operation.isFinished { meeting.changed() }
    }
    let reader = meeting.looker("hasTimedOut") { _ = job.operation.hasTimedOut }
    try job.start()
    let timers = timers
    try mustReturn("the timer's action", timersInPlay: true) { timers.goOff() }
    try reader.result(timersInPlay: true)
    eventually("Its deadline has passed; it must be finished, and isn't.", timersInPlay: true) {
      job.operation.isFinished
    }
    withExtendedLifetime(probe) {}
    #expect(job.operation.hasTimedOut, "Its deadline has passed, and hasTimedOut is false.")
  }

  // one thread     another thread
  // done
  //                the timer goes off: nothing but a lock of the answer's orders the two
  @Test func `done and the timer may come from two threads`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    try job.start()
    let done = try job.given()
    let goOff = try #require(timers.all.first, "It has a deadline, and set no timer.").action
    try meet("`done` and the timer's action", done, goOff)
    eventually("`done` was called; it must be finished, and isn't.", timersInPlay: true) {
      job.operation.isFinished
    }
    #expect(!job.operation.hasTimedOut, "`done` came first, and hasTimedOut is true.")
  }
}
