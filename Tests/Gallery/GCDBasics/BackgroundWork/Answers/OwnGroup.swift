import Dispatch

/// A group for each piece of work, entered by hand.
public final class BackgroundWork: Sendable {
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
    let group = DispatchGroup()
    let box = Box<Result>()
    group.enter()
    worker.async {
      box.value = work()
      group.leave()
    }
    group.notify(queue: callback) { box.value.map(completion) }
  }
}

private final class Box<Value>: @unchecked Sendable {  // Safe: written before the notification.
  var value: Value?
}
