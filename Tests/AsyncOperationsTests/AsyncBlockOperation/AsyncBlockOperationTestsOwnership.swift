import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension AsyncBlockOperationTests {
  // MARK: - Ownership

  @Test(arguments: AsyncBlockEnd.allCases)
  func `done doesn't retain a finished operation`(end: AsyncBlockEnd) throws {
    let watch = try lifeOfOperation(endedBy: end)
    timers.forget()
    eventually(
      """
      It is finished and only its `done` is still in use, but it's still in memory. Whatever ended \
      it, `done` must not keep it alive: let `done` capture it weakly, or release it at the end.
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

  @Test(arguments: AsyncBlockEnd.allCases)
  func `a finished operation has released its block`(end: AsyncBlockEnd) throws {
    let captured = SharedCounter()
    let block = WeakReference(captured)
    let operation = operation(endedBy: end, capturing: consume captured)
    try run(operation, endedBy: end)
    eventually(
      """
      It is finished, but what its block has captured is still in memory: the operation retains \
      the block. Release it when it's called, whatever ends the operation.
      """
    ) { block.isGone }
    withExtendedLifetime(operation) {}
  }

  // start()               another thread
  // calls the block
  //                       done: cancels the timer, and is held there
  // the block returns
  //                       continues, and ends it
  @Test func `a block that returns while it ends is released`() throws {
    let (blockEnds, timerEnds) = (Gate("the block returns"), Gate("the timer is cancelled"))
    let captured = SharedCounter()
    let block = WeakReference(captured)
    let operation = heldOperation(
      until: blockEnds, cancelling: timerEnds, capturing: consume captured)
    let starter = TestThread("start()") { operation.start() }
    eventually("It was started, but its block was never called.") { blockEnds.waiting == 1 }
    let done = TestThread("done()") { [kept] in kept.callAll() }
    runUntilQuiet()
    blockEnds.open()
    eventually("Its block has returned, but start() never does.") { starter.hasReturned }
    timerEnds.open()
    try done.result()
    eventually("`done` was called, but it isn't finished.") { operation.isFinished }
    eventually(
      """
      `done` was called on another thread. While the timer was being cancelled the block returned, \
      and then the end was announced. Now it is finished, but what its block has captured is still \
      in memory. Release the block when it's called, whatever happens meanwhile.
      """
    ) { block.isGone }
    withExtendedLifetime(operation) {}
  }

  /// An operation whose block is held until `block` is open, and whose timer is being cancelled
  /// until `timer` is.
  private func heldOperation(
    until block: Gate, cancelling timer: Gate, capturing captured: SharedCounter
  ) -> AsyncBlockOperation {
    AsyncBlockOperation(
      deadline: 5,
      schedule: { [timers] seconds, action in
        let cancel = timers.set(seconds, action)
        return {
          cancel()
          timer.wait()
        }
      },
      block: { [kept] done in
        captured.increment()
        kept.append(done)
        block.wait()
      })
  }

  @Test(arguments: [AsyncBlockEnd.doneInsideTheBlock, .doneLater])
  func `a cancelled timer doesn't retain it`(end: AsyncBlockEnd) throws {
    let watch = try lifeOfOperation(endedBy: end)
    kept.set([])
    eventually(
      """
      It was done long before its deadline, but the timer's action still retains it: many \
      schedulers release an action only at its time. Let the action capture it weakly.
      """
    ) { watch.isGone }
  }

  @Test(arguments: [AsyncBlockEnd.timerWhileItIsSet, .timerInsideTheBlock, .timerLater])
  func `a timer that has fired doesn't retain it`(end: AsyncBlockEnd) throws {
    let watch = try lifeOfOperation(endedBy: end)
    kept.set([])
    eventually(
      """
      Its deadline has passed and it is finished, but it's still in memory, and only the timer's \
      action is still in use. The action must not keep it alive.
      """
    ) { watch.isGone }
  }

  /// Makes an operation, starts and ends it, keeps its `done` and its timer's action, and releases
  /// the operation.
  private func lifeOfOperation(
    endedBy end: AsyncBlockEnd
  ) throws -> WeakReference<AsyncBlockOperation> {
    let operation = operation(endedBy: end)
    try run(operation, endedBy: end)
    return WeakReference(operation)
  }

  /// An operation with a deadline; its block retains an object.
  private func operation(
    endedBy end: AsyncBlockEnd, capturing captured: SharedCounter = SharedCounter()
  ) -> AsyncBlockOperation {
    AsyncBlockOperation(
      deadline: 5,
      schedule: { [timers] seconds, action in
        let cancel = timers.set(seconds, action)
        if end == .timerWhileItIsSet { action() }
        return cancel
      },
      block: { [kept, timers] done in
        captured.increment()
        kept.append(done)
        if end == .doneInsideTheBlock { done() }
        if end == .timerInsideTheBlock { timers.fire() }
      })
  }

  /// Starts an operation, and ends it.
  private func run(_ operation: AsyncBlockOperation, endedBy end: AsyncBlockEnd) throws {
    try mustReturn("start()") { operation.start() }
    if end == .doneLater { try mustReturn("done()") { [kept] in kept.callAll() } }
    if end == .timerLater { try fire() }
    eventually("`done` was called or its deadline has passed, but it isn't finished.") {
      operation.isFinished
    }
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

/// What ends an operation, and when.
enum AsyncBlockEnd: Sendable, CaseIterable {
  case doneInsideTheBlock, doneLater, timerWhileItIsSet, timerInsideTheBlock, timerLater
}
