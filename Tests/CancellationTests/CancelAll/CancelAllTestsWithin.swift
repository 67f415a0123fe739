import AsyncOperations
import Foundation
import KataTesting
import Testing

extension CancelAllTests {
  // MARK: - From within the queue

  @Test func `called by an operation of the queue, it cancels that one too`() throws {
    let waiting = CancelAllJob("waiting", on: timeline)
    let (queue, isCancelled) = (OperationQueue(), LockedValue<Bool?>(nil))
    let own = LockedValue<WeakReference<Operation>?>(nil)
    let caller = BlockOperation {
      callCancelAll(queue)
      isCancelled.set(own.value?.value?.isCancelled)
    }
    own.set(WeakReference(caller))
    queue.maxConcurrentOperationCount = 1
    queue.addOperations([caller, waiting], waitUntilFinished: false)
    eventually("An operation called cancelAll, which never returns.") { isCancelled.value != nil }
    #expect(
      isCancelled.value == true && waiting.isCancelled,
      "An operation called cancelAll on its own queue: it must be cancelled too, and what waits.")
    expectGone(waiting)
    expectNeverBegan([waiting], "It must be cancelled before the operation that called ends.")
  }
}
