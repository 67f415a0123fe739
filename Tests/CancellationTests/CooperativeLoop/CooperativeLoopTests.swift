import AsyncOperations
import Foundation
import KataTesting
import Testing

/// Proves that a loop works on all items, chunk by chunk, that a cancelled one begins no other
/// chunk, and that its result says what was done.
@Suite(.serialized, .kata) struct CooperativeLoopTests {
  let timeline = Timeline()
  let queue = OperationQueue()

  // MARK: - Not cancelled

  @Test func `it works on all items, chunk by chunk`() throws {
    let run = CooperativeLoopRun(on: timeline)
    queue.addOperation(run.loop)
    try expectEnd(of: run)
    timeline.expect(
      """
      items 0..<3   ├────┤
      items 3..<6             ├────┤
      items 6..<9                       ├────┤
      items 9..<10                                ├────┤
      """,
      """
      Ten items, three in a chunk: main() must pass the items 0..<3, 3..<6, 6..<9 and 9..<10 to \
      the work, in that order. The last chunk is smaller.
      """)
    let result = try result(of: run)
    #expect(
      result.total == CooperativeLoopRun.result(after: 4).total && result.itemCount == 10,
      """
      All ten items were worked on, so the total must be the sum of what the chunks returned, \
      \(CooperativeLoopRun.result(after: 4).total), and the itemCount 10; here they are \
      \(result.total) and \(result.itemCount).
      """)
    #expect(result.isComplete, "All items are in the result: isComplete must be true.")
  }

  @Test(arguments: [1, 2, 5, 9, 10, 11, Int.max])
  func `chunks are as large as requested`(size: Int) throws {
    let chunks = Timeline()
    let loop = CooperativeLoop(count: 10, chunkSize: size) { items in
      chunks.enter("\(items.lowerBound)..<\(items.upperBound)")
      return items.count
    }
    try mustReturn("start()") { loop.start() }
    eventually(chunks.showing("The loop was started, and never finishes.")) { loop.isFinished }
    let size = min(size, 10)
    let expected = stride(from: 0, to: 10, by: size).map { "\($0)..<\(min($0 + size, 10))" }
    #expect(
      chunks.orderOfEntry == expected,
      chunks.showing(
        """
        Ten items, \(size) in a chunk: the chunks must be \(expected.joined(separator: ", ")). The \
        last may be smaller, and none is empty.
        """))
    let result = try mustReturn("result") { loop.result }
    #expect(
      result == LoopResult(total: 10, itemCount: 10, isComplete: true),
      "Ten items, \(size) in a chunk, came to one each: the result must be 10, 10, complete.")
  }

  @Test func `a chunk that comes to nothing counts too`() throws {
    let own = LockedValue<CooperativeLoop?>(nil)
    let seen = LockedValue<[Int]>([])
    let loop = CooperativeLoop(count: 10, chunkSize: 3) { _ in
      if let loop = own.value { seen.append(loop.result.itemCount) }
      return 0
    }
    own.set(loop)
    defer { own.set(nil) }
    try mustReturn("start()") { loop.start() }
    eventually("The loop was started, and never finishes.") { loop.isFinished }
    #expect(
      seen.value == [0, 3, 6, 9],
      """
      Every chunk returned 0: no pixel is dark. Each chunk read the itemCount of the result so \
      far, which must be 0, 3, 6 and 9, and got \(seen.value).
      """)
    let result = try mustReturn("result") { loop.result }
    #expect(
      result == LoopResult(total: 0, itemCount: 10, isComplete: true),
      """
      All ten items were worked on, and each chunk returned 0: the result must be 0, 10, complete. \
      A chunk that finds nothing has a result too: keep one after each chunk.
      """)
  }

  @Test func `it is finished when its last chunk is, not before`() throws {
    let release = Gate("release the last chunk")
    let run = try parkedRun(inChunk: 4, until: release)
    runUntilQuiet()
    #expect(
      !run.loop.isFinished,
      timeline.showing(
        """
        The last chunk still runs, and the loop is finished already: what depends on it begins \
        without its result. Do the work in main(): the operation is finished when main() returns.
        """))
    release.open()
    try expectEnd(of: run)
  }

  @Test func `a loop over nothing is complete`() throws {
    let run = CooperativeLoopRun(over: 0, on: timeline)
    queue.addOperation(run.loop)
    try expectEnd(of: run)
    #expect(
      try result(of: run) == LoopResult(total: 0, itemCount: 0, isComplete: true),
      "There was nothing to do, and it is done: the result must be 0, 0, complete.")
    #expect(
      timeline.orderOfEntry.isEmpty,
      timeline.showing("The loop has no items, and the work was called all the same."))
  }

  // MARK: - Cancelled while it works

  // chunk         canceller
  // begins
  //               cancels, and goes on
  // ends
  // (no other)
  @Test(arguments: 1...3) func `no chunk begins after the one that was cancelled`(
    chunk: Int
  ) throws {
    let release = Gate("release chunk \(chunk)")
    let run = try parkedRun(inChunk: chunk, until: release)
    try cancel(run)
    #expect(run.loop.isCancelled, "cancel() has returned, and isCancelled is false.")
    release.open()
    try expectEnd(of: run)
    #expect(
      timeline.orderOfEntry == CooperativeLoopRun.names(ofFirst: chunk),
      timeline.showing(
        """
        The loop was cancelled during its chunk \(chunk) of 4, and another chunk began after it. \
        Only the loop itself can stop: check isCancelled before each chunk.
        """))
  }

  @Test(arguments: 1...3) func `what was done is kept, and marked as incomplete`(
    chunk: Int
  ) throws {
    let release = Gate("release chunk \(chunk)")
    let run = try parkedRun(inChunk: chunk, until: release)
    try cancel(run)
    release.open()
    try expectEnd(of: run)
    let expected = CooperativeLoopRun.result(after: chunk)
    let result = try result(of: run)
    #expect(
      result.total == expected.total && result.itemCount == expected.itemCount,
      """
      The loop was cancelled during chunk \(chunk), which has ended. The result must have the \
      total \(expected.total) of the \(expected.itemCount) items that were worked on; here it has \
      \(result.total) and \(result.itemCount).
      """)
    #expect(
      !result.isComplete,
      "Items are missing from the result, so isComplete must be false.")
  }

  @Test func `cancelled during its last chunk, it is complete`() throws {
    let release = Gate("release the last chunk")
    let run = try parkedRun(inChunk: 4, until: release)
    try cancel(run)
    release.open()
    try expectEnd(of: run)
    #expect(
      try result(of: run) == CooperativeLoopRun.result(after: 4),
      """
      The loop was cancelled during its last chunk, which ended all the same. Everything is done, \
      so the result must be whole and isComplete true: it says what was done, not what was \
      requested.
      """)
  }

  @Test func `cancel doesn't wait for the chunk that runs`() throws {
    let release = Gate("release chunk 2")
    let run = try parkedRun(inChunk: 2, until: release)
    try cancel(run)
    runUntilQuiet()
    #expect(
      run.loop.isExecuting && !run.loop.isFinished,
      "The loop was cancelled while a chunk runs: it must execute until that chunk has ended.")
    release.open()
    try expectEnd(of: run)
  }

  @Test func `cancelled after its end, its result stays`() throws {
    let run = CooperativeLoopRun(on: timeline)
    queue.addOperation(run.loop)
    try expectEnd(of: run)
    try cancel(run)
    runUntilQuiet()
    #expect(
      try result(of: run) == CooperativeLoopRun.result(after: 4),
      """
      All items were in the result when the loop was cancelled, too late for any effect. They \
      still are: the result must be whole and isComplete true.
      """)
  }

  // MARK: - Cancelled before it works

  @Test func `a loop over nothing is complete, though cancelled`() throws {
    let run = CooperativeLoopRun(over: 0, on: timeline)
    try cancel(run)
    queue.addOperation(run.loop)
    try expectEnd(of: run)
    #expect(
      try result(of: run) == LoopResult(total: 0, itemCount: 0, isComplete: true),
      """
      There was nothing to do when the loop was cancelled, so nothing is missing: the result must \
      be 0, 0, complete.
      """)
  }

  @Test func `cancelled before its start, it works on nothing`() throws {
    let run = CooperativeLoopRun(on: timeline)
    try cancel(run)
    queue.addOperation(run.loop)
    try expectEnd(of: run)
    #expect(
      timeline.orderOfEntry.isEmpty,
      timeline.showing("It was cancelled before its start, and a chunk began all the same."))
    #expect(
      try result(of: run) == CooperativeLoopRun.result(after: 0),
      "It has worked on nothing: the result must be 0, 0, incomplete.")
  }

  @Test func `cancelled while it waits for a dependency, it leaves its queue`() throws {
    let run = CooperativeLoopRun(on: timeline)
    run.loop.addDependency(BlockOperation {})
    queue.addOperation(run.loop)
    runUntilQuiet()
    try cancel(run)
    eventually(
      """
      It was cancelled while it waited for a dependency, and stays in its queue for ever. \
      Foundation lets a cancelled operation go without its dependencies, but it must know of the \
      cancellation: inherit cancel() and isCancelled, or call super.cancel().
      """
    ) { run.loop.isFinished }
    #expect(
      timeline.orderOfEntry.isEmpty, timeline.showing("It was cancelled, and works all the same."))
  }
}
