import Dispatch

/// A work item that notifies on the callback queue when it's done.
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
    let item = DispatchWorkItem { box.value = work() }
    item.notify(queue: callback) { if let result = box.value { completion(result) } }
    worker.async(execute: item)
  }
}

private final class Box<Value>: @unchecked Sendable {  // Safe: written before the notification.
  var value: Value?
}
