import AsyncOperations
import Foundation

// A right answer: an asynchronous operation whose chunks are blocks on a serial queue, each of
// which submits the next one. No thread is blocked between two chunks.

public struct LoopResult: Equatable, Sendable {
  public let total: Int
  public let itemCount: Int
  public let isComplete: Bool

  public init(total: Int, itemCount: Int, isComplete: Bool) {
    self.total = total
    self.itemCount = itemCount
    self.isComplete = isComplete
  }
}

// Safe: `kept` is touched on `keeper` alone.
public final class CooperativeLoop: AsyncOperation, @unchecked Sendable {
  private var kept: LoopResult
  private let count: Int
  private let chunkSize: Int
  private let work: @Sendable (Range<Int>) -> Int
  private let worker = DispatchQueue(label: "katas.cancellation.cooperative-loop")
  private let keeper = DispatchQueue(label: "katas.cancellation.cooperative-loop.result")

  public init(count: Int, chunkSize: Int, work: @escaping @Sendable (Range<Int>) -> Int) {
    precondition(count >= 0, "A loop can't have \(count) items.")
    precondition(chunkSize > 0, "A chunk holds at least one item, not \(chunkSize).")
    self.count = count
    self.chunkSize = chunkSize
    self.work = work
    kept = LoopResult(total: 0, itemCount: 0, isComplete: count == 0)
    super.init()
  }

  public var result: LoopResult { keeper.sync { kept } }

  public override func main() {
    step(total: 0, done: 0)
  }

  private func step(total: Int, done: Int) {
    worker.async { [self] in
      guard done < count, !isCancelled else { return finish() }
      let end = done + min(chunkSize, count - done)
      let total = total + work(done..<end)
      keeper.async { [self] in
        kept = LoopResult(total: total, itemCount: end, isComplete: end == count)
      }
      step(total: total, done: end)
    }
  }
}
