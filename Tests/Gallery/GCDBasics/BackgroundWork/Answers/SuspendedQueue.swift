import Dispatch

/// For each result a queue that targets the callback queue, suspended until the work is done.
public struct BackgroundWork: Sendable {
  private let worker: DispatchQueue
  private let callback: DispatchQueue

  public init(worker: DispatchQueue, callback: DispatchQueue) {
    self.worker = worker
    self.callback = callback
  }

  public func run<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result,
    completion: @escaping @Sendable (Result) -> Void
  ) {
    let box = Box<Result>()
    let delivery = DispatchQueue(label: "katas.gcd-basics.delivery", target: callback)
    delivery.suspend()
    delivery.async { box.value.map(completion) }
    worker.async {
      box.value = work()
      delivery.resume()
    }
  }
}

private final class Box<Value>: @unchecked Sendable {  // Safe: written before the queue is resumed.
  var value: Value?
}
