import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension AsyncSumOperationTests {
  // MARK: - Cancelled

  @Test func `cancelled before its start, it ends without a result`() throws {
    let sum = AsyncSumOperation(2, 3)
    sum.cancel()
    let queue = OperationQueue()
    queue.addOperation(sum)
    expectEnd(of: sum, "The base class ends an operation that is cancelled before its start.")
    runUntilQuiet()
    #expect(
      sum.result == nil,
      "It was cancelled before its start and has a result: begin nothing outside main().")
  }

  @Test func `cancelled before its queue comes to it, it ends without a result`() throws {
    let sum = AsyncSumOperation(2, 3, on: held.queue)
    start(sum)
    try mustReturn("cancel()") { sum.cancel() }
    runUntilQuiet()
    #expect(
      sum.isExecuting && !sum.isFinished,
      """
      It was cancelled, and says that it is over, though its queue hasn't come to it yet: what was \
      put in line there still runs. Only the work may call finish().
      """)
    held.letGo()
    expectEnd(
      of: sum,
      "It was cancelled, and finish() must be called on that path as well as on the others.")
    #expect(
      sum.result == nil,
      "Nobody wanted the sum any more when its turn came: look at isCancelled before you add.")
  }

  // the queue that adds     whoever cancels
  // stores the sum
  // begins to announce it
  //                         cancels
  // is finished
  @Test(.observesKVO) func `cancelled when its sum is stored, it keeps it`() throws {
    let sum = AsyncSumOperation(2, 3)
    let probe = KVOProbe(sum) { if $0 == .will(.isFinished) { sum.cancel() } }
    start(sum)
    expectEnd(of: sum)
    withExtendedLifetime(probe) {}
    #expect(sum.isCancelled, "It was cancelled before it was finished: leave isCancelled as it is.")
    #expect(
      sum.result == 5,
      "The sum was stored when it was cancelled, and is gone: whoever asks for it may have it.")
  }

  // MARK: - Many threads

  // the queue that adds       another thread
  // stores the sum
  // begins to announce it     reads the result: nothing but a lock of the answer's orders the two
  // goes on
  @Test(.observesKVO) func `its result may be read while it finishes`() throws {
    let sum = AsyncSumOperation(2, 3, on: held.queue)
    let meeting = RelaxedRendezvous()
    let probe = KVOProbe(sum) { if $0 == .did(.isExecuting), sum.isFinished { meeting.changed() } }
    let reader = meeting.looker("result") { _ = sum.result }
    start(sum)
    held.letGo()
    try reader.result(timersInPlay: true)
    eventually("The operation never finishes.", timersInPlay: true) { sum.isFinished }
    withExtendedLifetime(probe) {}
    #expect(sum.result == 5, "2 + 3 must be 5, not \(text(sum.result)).")
  }

  func text(_ result: Int??) -> String { (result ?? nil).map(String.init) ?? "nil" }
}
