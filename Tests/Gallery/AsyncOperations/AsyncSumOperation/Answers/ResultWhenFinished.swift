import AsyncOperations
import Dispatch
import Foundation

/// No lock of its own: the sum is written before `finish()` and read after `isFinished`.
public final class AsyncSumOperation: AsyncOperations.AsyncOperation, @unchecked Sendable {
  // Safe: `finish()` and `isFinished` take the base class's lock, in this order.
  private let numbers: (Int, Int)
  private let queue: DispatchQueue
  private var sum: Int?

  public init(_ lhs: Int, _ rhs: Int, on queue: DispatchQueue = .global()) {
    numbers = (lhs, rhs)
    self.queue = queue
    super.init()
  }

  public var result: Int? { isFinished ? sum : nil }

  public override func main() {
    queue.async {
      defer { self.finish() }
      guard !self.isCancelled else { return }
      self.sum = self.numbers.0 + self.numbers.1
    }
  }
}
