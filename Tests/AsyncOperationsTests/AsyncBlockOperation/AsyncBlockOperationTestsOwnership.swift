import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension AsyncBlockOperationTests {
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
    if call == .never { try fire() }
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
  ) -> (AsyncBlockOperation, WeakReference<SharedCounter>) {
    let captured = SharedCounter()
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
      // Of the four notices of the end, the first in which all has changed.
      if $0 == .did(.isExecuting), operation.isFinished { meeting.changed() }
    }
    let reader = meeting.looker("hasTimedOut") { _ = job.operation.hasTimedOut }
    try job.start()
    let timers = timers
    try mustReturn("the timer's action", timersInPlay: true) { timers.fire() }
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
    try RelaxedRendezvous.meet("`done` and the timer's action", done, goOff)
    eventually("`done` was called; it must be finished, and isn't.", timersInPlay: true) {
      job.operation.isFinished
    }
    #expect(!job.operation.hasTimedOut, "`done` came first, and hasTimedOut is true.")
  }
}
