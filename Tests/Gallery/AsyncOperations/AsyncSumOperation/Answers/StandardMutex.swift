import AsyncOperations
import Dispatch
import Foundation
import Synchronization

/// The standard library's mutex, and an operation queue on top of the given one.
public final class AsyncSumOperation: AsyncOperations.AsyncOperation, @unchecked Sendable {
  private let add: @Sendable () -> Int
  private let workers = OperationQueue()
  private let sum = Mutex<Int?>(nil)

  public init(_ lhs: Int, _ rhs: Int, on queue: DispatchQueue = .global()) {
    add = { lhs + rhs }
    workers.underlyingQueue = queue
    super.init()
  }

  public var result: Int? { sum.withLock { $0 } }

  public override func main() {
    workers.addOperation { [self] in
      guard !isCancelled else { return finish() }
      sum.withLock { $0 = add() }
      finish()
    }
  }
}
