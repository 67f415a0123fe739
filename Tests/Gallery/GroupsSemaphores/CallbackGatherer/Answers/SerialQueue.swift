import Dispatch

/// A serial queue for the results of each gather, in place of a lock.
public final class CallbackGatherer<Request: Sendable, Value: Sendable>: Sendable {
  public typealias Callback = @Sendable (Result<Value, any Error>) -> Void
  public typealias API = @Sendable (Request, _ callback: @escaping Callback) throws -> Void

  private let api: API

  public init(_ api: @escaping API) {
    self.api = api
  }

  public func gather(
    _ requests: [Request], deliverOn queue: DispatchQueue,
    completion: @escaping @Sendable ([Result<Value, any Error>]) -> Void
  ) {
    let tray = Tray<Value>()
    let group = DispatchGroup()
    for (index, request) in requests.enumerated() {
      group.enter()
      let callback: Callback = { result in
        tray.queue.async {
          guard tray.results[index] == nil else { return }
          tray.results[index] = result
          group.leave()
        }
      }
      do { try api(request, callback) } catch { callback(.failure(error)) }
    }
    group.notify(queue: tray.queue) {
      let results = requests.indices.compactMap { tray.results[$0] }
      queue.async { completion(results) }
    }
  }
}

private final class Tray<Value: Sendable>: Sendable {
  let queue = DispatchQueue(label: "answer.callback-gatherer")
  // Safe: touched on `queue` only.
  nonisolated(unsafe) var results: [Int: Result<Value, any Error>] = [:]
}
