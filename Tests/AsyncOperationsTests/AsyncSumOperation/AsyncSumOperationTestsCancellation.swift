import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension AsyncSumOperationTests {
  // MARK: - Cancelled

  @Test(.observesKVO) func `cancelled while its end is announced, it keeps its sum`() throws {
    let sum = AsyncSumOperation(2, 3, on: held.queue)
    let found = LockedValue<[Int?]>([])
    let probe = KVOProbe(sum) {
      // cancel() itself announces isReady on Apple's systems.
      guard $0 == .will(.isExecuting) || $0 == .will(.isFinished), sum.result != nil else { return }
      sum.cancel()
      found.append(sum.result)
    }
    start(sum)
    held.letGo()
    expectEnd(of: sum)
    runUntilQuiet()
    withExtendedLifetime(probe) {}
    #expect(
      found.value.allSatisfy { $0 == 5 },
      """
      The operation had its sum, 5, and was cancelled while it announced its end. Then its result \
      was nil. What has been stored stays, even if it isn't finished yet.
      """)
  }

  @Test func `cancelled before its start, it ends without a result`() throws {
    let sum = AsyncSumOperation(2, 3)
    sum.cancel()
    let queue = OperationQueue()
    queue.addOperation(sum)
    expectEnd(of: sum, "The base class ends an operation that is cancelled before its start.")
    runUntilQuiet()
    #expect(
      sum.result == nil,
      "It was cancelled before its start but has a result: begin nothing outside main().")
  }

  @Test func `cancelled before its queue runs the work, it ends without a result`() throws {
    let sum = AsyncSumOperation(2, 3, on: held.queue)
    start(sum)
    try mustReturn("cancel()") { sum.cancel() }
    runUntilQuiet()
    #expect(
      sum.isExecuting && !sum.isFinished,
      """
      It was cancelled, and is finished before its queue has run the work. The block that was \
      submitted will still run, so only the work may call finish().
      """)
    held.letGo()
    expectEnd(
      of: sum,
      "It was cancelled, and finish() must be called on this path too.")
    #expect(
      sum.result == nil,
      "It was cancelled before its queue ran the work: check isCancelled before you add.")
  }

  // the queue that adds     another thread
  // stores the sum
  // begins to announce it
  //                         cancels
  // is finished
  @Test(.observesKVO) func `cancelled when its sum is stored, it keeps the sum`() throws {
    let sum = AsyncSumOperation(2, 3)
    let probe = KVOProbe(sum) { if $0 == .will(.isFinished) { sum.cancel() } }
    start(sum)
    expectEnd(of: sum)
    withExtendedLifetime(probe) {}
    #expect(sum.isCancelled, "It was cancelled before it was finished: isCancelled must be true.")
    #expect(
      sum.result == 5,
      "It was cancelled when the sum was already stored, but the sum is gone. Keep it.")
  }

  // MARK: - Many threads

  // the queue that adds       another thread
  // stores the sum
  // begins to announce it     reads the result: only a lock in the answer orders the two
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
