import Foundation
import Synchronization

// A right answer: cancel() is overridden to set a flag, and calls super.cancel(); the loop
// strides over its items, and a Mutex guards the total and the count, from which result is made.

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

// Safe: only the mutex and the atomic change.
public final class CooperativeLoop: Operation, @unchecked Sendable {
  private let progress = Mutex((total: 0, done: 0))
  private let isAsked = Atomic(false)
  private let count: Int
  private let chunkSize: Int
  private let work: @Sendable (Range<Int>) -> Int

  public init(count: Int, chunkSize: Int, work: @escaping @Sendable (Range<Int>) -> Int) {
    precondition(count >= 0, "A loop can't have \(count) items.")
    precondition(chunkSize > 0, "A chunk holds at least one item, not \(chunkSize).")
    self.count = count
    self.chunkSize = chunkSize
    self.work = work
    super.init()
  }

  public var result: LoopResult {
    let (total, done) = progress.withLock { $0 }
    return LoopResult(total: total, itemCount: done, isComplete: done == count)
  }

  public override func cancel() {
    isAsked.store(true, ordering: .releasing)
    super.cancel()
  }

  public override func main() {
    for start in stride(from: 0, to: count, by: chunkSize) {
      if isAsked.load(ordering: .acquiring) { return }
      let end = start + min(chunkSize, count - start)
      let worth = work(start..<end)
      progress.withLock { $0 = ($0.total + worth, end) }
    }
  }
}
