import AsyncOperations
import Dispatch
import Foundation

/// Finishes on the queue that guards the result.
public final class AsyncSumOperation: AsyncOperations.AsyncOperation, @unchecked Sendable {
  private let lhs: Int
  private let rhs: Int
  private let worker: DispatchQueue
  // Safe: used on `guardian` alone.
  private var stored: Int?
  private let guardian = DispatchQueue(label: "com.example.async-sum.result")

  public init(_ lhs: Int, _ rhs: Int, on queue: DispatchQueue = .global()) {
    self.lhs = lhs
    self.rhs = rhs
    worker = queue
    super.init()
  }

  public var result: Int? { guardian.sync { stored } }

  public override func main() {
    let item = DispatchWorkItem { [weak self] in
      guard let self, !self.isCancelled else { return }
      let sum = self.lhs + self.rhs
      self.guardian.async { self.stored = sum }
    }
    item.notify(queue: guardian) { self.finish() }
    worker.async(execute: item)
  }
}
