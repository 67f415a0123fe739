import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension AsyncBlockOperationTests {
  // MARK: - Whoever asks meanwhile

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
      you call that closure, and call it once. It may be waiting for the timer's action itself.
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
        timers.fire()
        asks()
      }
    }
  }

  @Test(.observesKVO) func `done cancels the timer before the end is announced`() throws {
    let (timers, leftAtTheEnd) = (timers, SharedCounter())
    // A thread that cancels it later may be in time now and then, and not in each of twenty ends.
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
    let (timers, atTheEnd) = (timers, SharedCounter())
    let probe = KVOProbe(job.operation) { [operation = job.operation] announcement in
      if announcement == .will(.isFinished) { timers.fire() }
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
      Its deadline has passed, and when the end was announced hasTimedOut was still false. Settle \
      it before you call finish().
      """)
  }

  @Test func `the timer of Dispatch ends it`() throws {
    let operation = AsyncBlockOperation(deadline: 0.1) { _ in }
    let queue = OperationQueue()
    queue.addOperation(operation)
    eventually(
      "Its deadline is a tenth of a second, and it never ends.", timersInPlay: true
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
    if call == .later { try job.done() } else { try fire() }
    expectEnd(
      of: job, timedOut: call == .never,
      call == .later
        ? "It was cancelled, and then `done` was called."
        : "It was cancelled, and then its deadline passed.")
  }
}
