import Foundation

/// Two operations on queues over the given ones; the second depends on the first.
public struct BackgroundWork: Sendable {
  private let worker = OperationQueue()
  private let callback = OperationQueue()

  public init(worker: DispatchQueue, callback: DispatchQueue) {
    self.worker.underlyingQueue = worker
    self.callback.underlyingQueue = callback
  }

  public func run<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result,
    completion: @escaping @Sendable (Result) -> Void
  ) {
    let box = Box<Result>()
    let first = BlockOperation { box.value = work() }
    let second = BlockOperation { box.value.map(completion) }
    second.addDependency(first)
    worker.addOperation(first)
    callback.addOperation(second)
  }
}

private final class Box<Value>: @unchecked Sendable {  // Safe: written before the second operation.
  var value: Value?
}
