import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension AsyncBlockOperationTests {
  // MARK: - No lock is held

  @Test func `no lock is held while the block runs`() throws {
    let goOn = Gate("the block returns")
    let job = AsyncBlockJob(deadline: 5, timers: timers) { [timeline] _ in
      timeline.visit("the block", until: goOn)
    }
    let starter = TestThread("start()") { job.operation.start() }
    guard eventually("start() was called, but the block wasn't.", until: { goOn.waiting == 1 })
    else { return }
    whileHeld { _ = job.operation.hasTimedOut }
    timeline.expect(
      """
      the block       ├──────────────…
      another thread       ├────┤
      """,
      """
      While the block is running its deadline passes, and another thread reads hasTimedOut. That \
      thread must not wait, but it does: hold no lock, and occupy no queue, while you call the \
      block.
      """)
    goOn.open()
    try starter.result()
    expectEnd(of: job, timedOut: true, "Its deadline has passed while its block was running.")
  }

  // the starting thread          another thread
  // sets the timer, which fires
  // cancels it, perhaps
  //                              reads hasTimedOut
  @Test func `no lock is held while a timer that has fired is cancelled`() throws {
    let goOn = Gate("the timer is cancelled")
    let operation = AsyncBlockOperation(
      deadline: 5,
      schedule: { _, action in
        action()
        return { goOn.wait() }
      }, block: kept.append)
    let starter = TestThread("start()") { operation.start() }
    runUntilQuiet()
    try mustReturn(
      "hasTimedOut",
      """
      The timer has fired before the scheduler returned. Now the closure that the scheduler \
      returned is running: hold no lock, and occupy no queue, while you call it.
      """
    ) { _ = operation.hasTimedOut }
    goOn.open()
    try starter.result()
  }

  @Test func `no lock is held while the timer is cancelled`() throws {
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
      eventually("`done` was called, but its timer is never cancelled.") { goOn.waiting == 1 })
    whileHeld { _ = operation.hasTimedOut }
    timeline.expect(
      """
      cancels the timer  ├──────────────…
      another thread          ├────┤
      """,
      """
      While the closure that the scheduler returned is running, the timer fires and another thread \
      reads hasTimedOut. That thread must not wait, but it does: hold no lock, and occupy no \
      queue, while you call that closure, and call it once. It may itself be waiting for the \
      timer's action.
      """)
    goOn.open()
    try done.result()
    eventually("`done` was called; it must be finished, but it isn't.") { operation.isFinished }
    #expect(!operation.hasTimedOut, "`done` came first, but hasTimedOut is true.")
  }

  /// On another thread the timer fires, and then `asks` is called.
  private func whileHeld(_ asks: @escaping @Sendable () -> Void) {
    _ = TestThread("another thread") { [timers, timeline] in
      timeline.visit("another thread") {
        timers.fire()
        asks()
      }
    }
  }

  @Test(.observesKVO) func `done cancels the timer before the end is announced`() throws {
    let (timers, leftAtTheEnd) = (timers, SharedCounter())
    // A thread that cancels it too late may be in time now and then, but not at each of twenty
    // ends.
    for _ in 0..<20 {
      let job = AsyncBlockJob(deadline: 5, timers: timers)
      let probe = KVOProbe(job.operation) { announcement in
        if announcement == .will(.isFinished), timers.isAnyWaiting { leftAtTheEnd.increment() }
      }
      try job.start()
      try job.done()
      expectEnd(of: job, timedOut: false, "`done` was called.")
      withExtendedLifetime(probe) {}
    }
    #expect(
      leftAtTheEnd.value == 0,
      """
      The end was announced while the timer was still running. Cancel it first, then call finish().
      """)
  }

  // the thread that is done      the timer
  // done
  // announces the end …
  //                              fires
  // it is finished
  @Test(.observesKVO) func `the first call decides, even while the end is announced`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    let (timers, atTheEnd) = (timers, SharedCounter())
    let probe = KVOProbe(job.operation) { [operation = job.operation] announcement in
      if announcement == .will(.isFinished) { timers.fire() }
      if announcement == .did(.isFinished), !operation.hasTimedOut { atTheEnd.increment() }
    }
    try job.start()
    try job.done()
    expectEnd(of: job, timedOut: false, "`done` came first, then the timer fired.")
    withExtendedLifetime(probe) {}
    #expect(
      atTheEnd.value == 1, "When the end is announced, hasTimedOut must be settled: false.")
  }

  @Test(.observesKVO) func `hasTimedOut is settled when the end is announced`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    let atTheEnd = SharedCounter()
    let probe = KVOProbe(job.operation) { [operation = job.operation] announcement in
      if announcement == .did(.isFinished), operation.hasTimedOut { atTheEnd.increment() }
    }
    try job.start()
    try fire()
    expectEnd(of: job, timedOut: true, "Its deadline has passed without `done`.")
    withExtendedLifetime(probe) {}
    #expect(
      atTheEnd.value == 1,
      """
      Its deadline has passed, but when the end was announced hasTimedOut was still false. Settle \
      it before you call finish().
      """)
  }

  @Test func `the default timer ends it`() throws {
    let operation = AsyncBlockOperation(deadline: 0.1) { _ in }
    let queue = OperationQueue()
    queue.addOperation(operation)
    eventually(
      "Its deadline is a tenth of a second, but it never ends.", timersInPlay: true
    ) { operation.isFinished }
    #expect(operation.hasTimedOut, "Its deadline has passed, but hasTimedOut is false.")
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

  @Test(arguments: CancelCall.allCases, [DoneCall.later, .never])
  func `cancelled while it works, it goes on`(cancel: CancelCall, call: DoneCall) throws {
    let own = LockedValue<WeakReference<AsyncBlockOperation>?>(nil)
    let job = AsyncBlockJob(
      deadline: 5, timers: timers,
      inside: { _ in if cancel == .insideTheBlock { own.value?.value?.cancel() } },
      whileSet: { if cancel == .whileTheTimerIsSet { own.value?.value?.cancel() } })
    own.set(WeakReference(job.operation))
    try job.start()
    if cancel == .later { try mustReturn("cancel()") { job.operation.cancel() } }
    runUntilQuiet()
    #expect(
      job.calls == 1,
      """
      It was cancelled after its start, and its block was called \(job.calls) times. The block \
      must be called once all the same.
      """)
    #expect(
      job.operation.isExecuting && timers.all.allSatisfy { !$0.isCancelled },
      """
      It was cancelled while its work was running. That is only a request: the operation and its \
      timer must continue until `done` or the deadline.
      """)
    if call == .later { try job.done() } else { try fire() }
    expectEnd(
      of: job, timedOut: call == .never,
      call == .later
        ? "It was cancelled, and then `done` was called."
        : "It was cancelled, and then its deadline passed.")
  }

  // its queue               another thread
  // announces its start
  //                         cancels it
  // calls main()
  @Test(.observesKVO) func `cancelled while its start is announced, it works all the same`() throws
  {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    let probe = KVOProbe(job.operation) { [operation = job.operation] in
      if $0 == .did(.isExecuting), operation.isExecuting { operation.cancel() }
    }
    try job.start()
    runUntilQuiet()
    #expect(
      job.calls == 1 && timers.all.count == 1 && job.operation.isExecuting,
      """
      It was cancelled when its start had been announced, before main() was called. That is after \
      its start: it must set its timer, call its block and continue.
      """)
    try job.done()
    expectEnd(of: job, timedOut: false, "It was cancelled, and then `done` was called.")
    withExtendedLifetime(probe) {}
  }
}
