import Dispatch
import Foundation

/// Asks an API that calls back for many requests, and delivers all results together, in order.
///
/// Safe to use from every thread; several gathers may be under way, and none knows of the others.
///
/// ```swift
/// let thumbnails = CallbackGatherer<URL, Image> { url, callback in
///   loader.load(url) { callback($0) }
/// }
/// thumbnails.gather(urls, deliverOn: .main) { results in show(results) }
/// ```
///
/// No thread waits for the callbacks, and a gather goes on even if nobody keeps the gatherer. An API
/// that neither calls back nor throws keeps its gather under way for ever; give it a timeout.
///
/// Source: `enter()` and `leave()` in Apple's documentation of `DispatchGroup`.
public struct CallbackGatherer<Request: Sendable, Value: Sendable>: Sendable {
  /// Tells the result of a request.
  public typealias Callback = @Sendable (Result<Value, any Error>) -> Void

  /// Begins to work on a request and returns soon.
  ///
  /// It calls back once, from any thread, at once or later; or it throws where it can't even begin.
  /// APIs have bugs: a callback that comes again must do no harm.
  public typealias API = @Sendable (Request, _ callback: @escaping Callback) throws -> Void

  private let api: API

  /// Creates a gatherer that asks `api`.
  public init(_ api: @escaping API) {
    self.api = api
  }

  /// Asks for every request and returns; the results are delivered when the last has come.
  ///
  /// The API is called for all requests, in their order, on this thread, before this returns. It is
  /// called without a lock held, so that it may call back at once.
  ///
  /// - Parameters:
  ///   - requests: What to ask for; may be empty.
  ///   - queue: The queue that `completion` is called on.
  ///   - completion: Called once, with a result for each request, in the order of the requests,
  ///     whatever order they came in. A request's result is what its callback was called with the
  ///     first time, or the error that the API threw before that; whatever comes later is ignored.
  public func gather(
    _ requests: [Request], deliverOn queue: DispatchQueue,
    completion: @escaping @Sendable ([Result<Value, any Error>]) -> Void
  ) {
    let results = ResultSlots<Value>(count: requests.count)
    let group = DispatchGroup()
    for (index, request) in requests.enumerated() {
      group.enter()
      let callback: Callback = { result in
        if results.fill(index, with: result) { group.leave() }
      }
      do {
        try api(request, callback)
      } catch {
        callback(.failure(error))
      }
    }
    group.notify(queue: queue) { completion(results.all) }
  }
}

/// A place for the result of each request; each is filled once.
private final class ResultSlots<Value: Sendable>: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var slots: [Result<Value, any Error>?]
  private let lock = NSLock()

  init(count: Int) {
    slots = Array(repeating: nil, count: count)
  }

  /// Fills a slot, unless it is filled, and says whether it did.
  func fill(_ index: Int, with result: Result<Value, any Error>) -> Bool {
    lock.withLock {
      guard slots[index] == nil else { return false }
      slots[index] = result
      return true
    }
  }

  /// What the slots hold, in their order.
  var all: [Result<Value, any Error>] { lock.withLock { slots.compactMap(\.self) } }
}
