import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// Proves that the sum is added on its queue while no thread waits.
///
/// The sum is there when the operation is finished. An operation that is cancelled in time finishes
/// without a sum.
@Suite(.serialized, .kata) struct AsyncSumOperationTests {
  let held = HeldWorkerQueue()

  // MARK: - One sum

  @Test(arguments: [(2, 3), (-4, 4), (Int.max - 1, 1), (-1, Int.min + 1)])
  func `it adds two numbers`(lhs: Int, rhs: Int) throws {
    let sum = AsyncSumOperation(lhs, rhs)
    start(sum)
    expectEnd(of: sum)
    #expect(
      sum.result == lhs + rhs,
      """
      \(lhs) + \(rhs) was added and the operation is finished, but its result is \
      \(text(sum.result)). main() must add on the queue, store the sum where `result` finds it, \
      and then call finish().
      """)
  }

  // starting thread       the queue that adds
  // start                 held
  // must return
  //                       released
  //                       adds, finishes
  @Test func `it adds on its queue, and main returns at once`() throws {
    let sum = AsyncSumOperation(2, 3, on: held.queue)
    start(sum)
    runUntilQuiet()
    #expect(
      sum.result == nil,
      """
      The queue on which it should add is held, but it already has a result: it adds on the thread \
      that starts it, or on another queue than the one that it received.
      """)
    #expect(
      sum.isExecuting && !sum.isFinished,
      """
      The queue on which it should add is held, but the operation is finished already: call \
      finish() on the queue, after the addition.
      """)
    held.letGo()
    expectEnd(of: sum)
    #expect(sum.result == 5, "2 + 3 must be 5, not \(text(sum.result)).")
  }

  @Test(.observesKVO, arguments: [false, true])
  func `an observer of its end finds the result`(isCancelled: Bool) throws {
    let sum = AsyncSumOperation(2, 3, on: held.queue)
    let inside = LockedValue<[Int?]>([])
    let probe = KVOProbe(sum) { if $0 == .did(.isFinished) { inside.append(sum.result) } }
    start(sum)
    if isCancelled { sum.cancel() }
    held.letGo()
    expectEnd(of: sum)
    runUntilQuiet()
    withExtendedLifetime(probe) {}
    #expect(
      inside.value == [isCancelled ? nil : 5],
      """
      The operation announced that it was finished, but an observer didn't find the result, \
      \(text(isCancelled ? nil : 5)). Dependents may start at that moment: store the sum first and \
      call finish() last.
      """)
  }

  @Test func `a dependent in another queue finds the result`() throws {
    let sum = AsyncSumOperation(2, 3, on: held.queue)
    let found = LockedValue<[Int?]>([])
    let dependent = BlockOperation { found.append(sum.result) }
    dependent.addDependency(sum)
    let (sums, others) = (OperationQueue(), OperationQueue())
    sums.addOperation(sum)
    others.addOperation(dependent)
    runUntilQuiet()
    #expect(
      found.value.isEmpty,
      "Nothing was added yet, but its dependent has begun: it finished too early.")

    held.letGo()
    eventually("Its dependent never begins. Call finish() when the sum is stored.") {
      dependent.isFinished
    }
    #expect(
      found.value == [5], "Its dependent must find the sum, but found \(text(found.value.last)).")
  }

  // MARK: - Many

  @Test func `any number may execute at once`() throws {
    let sums = (1...12).map { AsyncSumOperation($0, 100, on: held.queue) }
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = sums.count
    queue.addOperations(sums, waitUntilFinished: false)
    eventually(
      """
      Twelve operations may run at once, and the queue that adds is held. All of them must be \
      executing: each submits its work and returns its thread. \(sums.count { $0.isExecuting }) \
      execute, \(sums.count { $0.isFinished }) are finished.
      """
    ) { sums.allSatisfy { $0.isExecuting } }
    held.letGo()
    for sum in sums { expectEnd(of: sum) }
  }

  @Test func `while they wait for their queue no thread is held`() throws {
    let count = 160 + 4 * ProcessInfo.processInfo.activeProcessorCount
    let sums = (0..<count).map { AsyncSumOperation($0, 1, on: held.queue) }
    let starters = sums.map { sum in TestThread("start()") { sum.start() } }
    let allHaveReturned = eventually(
      "The queue that adds is held, and start() waits for it: use `async` and return."
    ) { starters.allSatisfy(\.hasReturned) }
    guard allHaveReturned else { return }
    runUntilQuiet()
    #expect(
      processThreadCount().map { $0 < count } ?? true,
      """
      \(count) operations wait for a queue that is held, and the process has \
      \(processThreadCount() ?? 0) threads: one waits for each. Submit the work with `async`.
      """)
    held.letGo()
    for sum in sums { expectEnd(of: sum) }
  }

  // another block     the sum, on the same concurrent queue
  // waits there
  //                   must not wait
  @Test func `it adds beside other blocks on its queue`() throws {
    let parked = Gate("another block on the queue")
    held.letGo()
    held.queue.async { parked.wait() }
    eventually("The queue never runs the other block.") { parked.waiting == 1 }
    let sum = AsyncSumOperation(2, 3, on: held.queue)
    start(sum)
    expectEnd(
      of: sum,
      """
      Another block is running on its concurrent queue, and the sum waits for it. It must run \
      beside other blocks: a plain `async` does, a barrier doesn't.
      """)
    parked.open()
  }

  @Test func `many at once keep their results apart`() throws {
    let sums = (0..<200).map { AsyncSumOperation($0, 1000) }
    let queue = OperationQueue()
    queue.addOperations(sums, waitUntilFinished: false)
    try mustReturn("waitUntilAllOperationsAreFinished()", "An operation never finishes.") {
      queue.waitUntilAllOperationsAreFinished()
    }
    let wrong = sums.indices.filter { sums[$0].result != $0 + 1000 }
    #expect(
      wrong.isEmpty,
      """
      200 sums ran on one queue; each must have a result of its own. \(wrong.count) are wrong: for \
      example, \(wrong.first ?? 0) + 1000 gave \(text(wrong.first.map { sums[$0].result })).
      """)
  }

  // reading thread        the queue that adds
  //                       has added, is suspended
  // reads: must return
  @Test func `reading its result doesn't wait for its queue`() throws {
    let queue = DispatchQueue(label: "katas.spec.serial")
    let sum = AsyncSumOperation(2, 3, on: queue)
    start(sum)
    expectEnd(of: sum)
    queue.suspend()
    let reader = TestThread("result") { sum.result }
    let hasAnswer = eventually(
      """
      It is finished and its queue is suspended, but a thread that reads the result waits for that \
      queue; on the queue itself that would be a deadlock. Guard the result with a lock of your own.
      """
    ) { reader.hasReturned }
    queue.resume()
    guard hasAnswer else { return }
    #expect(try reader.result() == 5, "2 + 3 must be 5.")
  }

  @Test func `it ends even if nothing else retains it`() throws {
    let ends = SharedCounter()
    _ = TestThread("start()") { [queue = held.queue] in
      let sum = AsyncSumOperation(2, 3, on: queue)
      sum.completionBlock = { ends.increment() }
      sum.start()
    }
    runUntilQuiet()
    held.letGo()
    eventually(
      """
      It was started, and nothing else retained it while it waited for its queue: it never called \
      finish(). The block on the queue must retain the operation.
      """
    ) { ends.value > 0 }
    runUntilQuiet()
  }
}
