// Page: make page KATA=CallbackGatherer (Docs/ConcurrencyKatas.docc/CallbackGatherer.md)

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
///
/// Your turn: write `gather`. A call of the API returns long before its result comes, so a group can't
/// see when it is done: tell it, with `enter` before the call and `leave` when the result is in. A
/// `leave` too few and the results are never delivered, one too many and Dispatch traps.
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
    // TODO: Call `api` for each request. Its result comes from any thread, perhaps before `api`
    // returns, perhaps as an error that it throws, perhaps twice. When each request has its first
    // result, call `completion` on `queue`. Don't wait here.
  }
}
