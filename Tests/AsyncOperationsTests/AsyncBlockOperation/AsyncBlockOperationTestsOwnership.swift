import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension AsyncBlockOperationTests {
  // MARK: - Ownership

  @Test func `done doesn't retain a finished operation`() throws {
    let watch = try lifeOfOperation { AsyncBlockOperation(block: kept.append) }
    eventually(
      """
      It is finished and only its `done` is still in use, but it's still in memory. Let `done` \
      capture the operation weakly, or release it at the first call.
      """
    ) { watch.isGone }
  }

  @Test func `its block may capture it`() throws {
    let watch = try lifeOfOperation {
      let own = LockedValue<AsyncBlockOperation?>(nil)
      let operation = AsyncBlockOperation { [kept] done in
        _ = own.value?.isCancelled
        kept.append(done)
      }
      own.set(operation)
      return operation
    }
    eventually(
      """
      Its block captures the operation, as a block does that checks isCancelled, and the operation \
      retains its block: a retain cycle, so neither is freed. Release the block when you have \
      called it.
      """
    ) { watch.isGone }
  }

  @Test(arguments: [DoneCall.insideTheBlock, .later, .never])
  func `a finished operation has released its block`(call: DoneCall) throws {
    let (operation, captured) = operationThatCaptures(done: call)
    try mustReturn("start()") { operation.start() }
    if call == .later { try mustReturn("done()") { [kept] in kept.callAll() } }
    if call == .never { try fire() }
    eventually("It has ended, but isn't finished.") { operation.isFinished }
    eventually(
      """
      It is finished, but what its block has captured is still in memory: the operation retains \
      the block. Release it when it's called, whatever ends the operation.
      """
    ) { captured.isGone }
    withExtendedLifetime(operation) {}
  }

  /// An operation with a deadline, and an object that only its block retains.
  private func operationThatCaptures(
    done call: DoneCall
  ) -> (AsyncBlockOperation, WeakReference<SharedCounter>) {
    let captured = SharedCounter()
    let operation = AsyncBlockOperation(deadline: 5, schedule: timers.set) { [kept] done in
      captured.increment()
      if call == .insideTheBlock { done() } else { kept.append(done) }
    }
    return (operation, WeakReference(captured))
  }

  @Test func `a cancelled timer doesn't retain it`() throws {
    let watch = try lifeOfOperation {
      AsyncBlockOperation(deadline: 3600, schedule: timers.set, block: kept.append)
    }
    eventually(
      """
      It was done long before its deadline, but the timer's action still retains it: many \
      schedulers release an action only at its time. Let the action capture it weakly.
      """
    ) { watch.isGone }
  }

  // MARK: - Many threads

  // the timer                 another thread
  // fires
  // begins to announce it     reads hasTimedOut: only a lock in the answer orders the two
  // goes on
  @Test(.observesKVO) func `hasTimedOut may be read while it ends`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    let meeting = RelaxedRendezvous()
    let probe = KVOProbe(job.operation) { [operation = job.operation] in
      // Of the four notices of the end, the first after the whole change.
      if $0 == .did(.isExecuting), operation.isFinished { meeting.changed() }
    }
    let reader = meeting.looker("hasTimedOut") { _ = job.operation.hasTimedOut }
    try job.start()
    let timers = timers
    try mustReturn("the timer's action", timersInPlay: true) { timers.fire() }
    try reader.result(timersInPlay: true)
    eventually("Its deadline has passed; it must be finished, but it isn't.", timersInPlay: true) {
      job.operation.isFinished
    }
    withExtendedLifetime(probe) {}
    #expect(job.operation.hasTimedOut, "Its deadline has passed, but hasTimedOut is false.")
  }

  // one thread     another thread
  // done
  //                the timer fires: only a lock in the answer orders the two
  @Test func `done and the timer may come from two threads`() throws {
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    try job.start()
    let done = try job.given()
    let timerAction = try #require(timers.all.first, "It has a deadline, but set no timer.").action
    try RelaxedRendezvous.meet("`done` and the timer's action", done, timerAction)
    eventually("`done` was called; it must be finished, but it isn't.", timersInPlay: true) {
      job.operation.isFinished
    }
    #expect(!job.operation.hasTimedOut, "`done` came first, but hasTimedOut is true.")
  }
}
