// Page: make page KATA=CallbackGatherer (Docs/ConcurrencyKatas.docc/CallbackGatherer.md)

import Dispatch
import Foundation

/// Calls an API that calls back for many requests, and delivers all results together, in order.
///
/// A call of `gather` begins a gather, which is under way until its results are delivered.
///
/// - Gathers run side by side; none waits for another one, even if that one is still inside the
///   API.
/// - While a gather waits for its callbacks, it blocks no thread.
/// - A gather goes on even if the gatherer is released.
/// - Threads may call `gather` and callbacks at the same time, without a data race.
///
/// ```swift
/// let thumbnails = CallbackGatherer<URL, Image> { url, callback in
///   loader.load(url) { callback($0) }
/// }
/// thumbnails.gather(urls, deliverOn: .main) { results in show(results) }
/// ```
///
/// If the API may forget to call back, pass a closure that adds a timeout to it: otherwise a gather
/// may never end.
///
/// Source: `enter()` and `leave()` in Apple's documentation of `DispatchGroup`.
///
/// Your turn: write `gather`. The API may return long before a result comes, so a group can't see
/// when a request is done. Count by hand: call the group's `enter()` before the API and `leave()`
/// when the result is stored, once for each request. If a `leave` is missing, the results are never
/// delivered; if there is one too many, they are delivered too early, or Dispatch traps.
/// `notify(queue:)` delivers.
public struct CallbackGatherer<Request: Sendable, Value: Sendable>: Sendable {
  /// The closure that the API calls with the result of a request.
  public typealias Callback = @Sendable (Result<Value, any Error>) -> Void

  /// Begins to work on a request, and usually returns soon.
  ///
  /// It should call back once, or throw if it can't even begin. But APIs have bugs: some do both,
  /// and some call back again.
  ///
  /// - The API may call back on any thread, even on the delivery queue, before it returns or later.
  public typealias API = @Sendable (Request, _ callback: @escaping Callback) throws -> Void

  private let api: API

  /// Creates a gatherer that calls `api`.
  public init(_ api: @escaping API) {
    self.api = api
  }

  /// Calls the API for every request, and delivers the results all together when all are there.
  ///
  /// - Before `gather` returns it calls the API for all requests, in their order, on the calling
  ///   thread, even if one call throws.
  /// - No lock is held while the API is called, so the API may block until another thread has
  ///   called its callback.
  /// - `gather` returns when the API has returned for each request, and waits for no callback
  ///   itself.
  /// - `completion` is called once, when every request has its result, and not before.
  /// - `completion` gets a result for each request, failures too, in the order of the requests.
  /// - `completion` is always called on `queue`.
  /// - If there are no requests, `completion` is called with no results.
  /// - The result of a request is what its callback was called with first, or the error that the
  ///   API threw before that.
  /// - A callback or an error that comes after a request has its result is ignored, both before and
  ///   after the delivery.
  /// - If the API neither calls back nor throws for a request, `completion` isn't called, even if
  ///   the API releases the callback.
  ///
  /// - Parameters:
  ///   - requests: The requests that the API is called with.
  ///   - queue: The delivery queue, on which `completion` is called.
  ///   - completion: Called with the results.
  public func gather(
    _ requests: [Request], deliverOn queue: DispatchQueue,
    completion: @escaping @Sendable ([Result<Value, any Error>]) -> Void
  ) {
    // TODO: Call `api` for each request. A result may come on any thread, before `api` returns or
    // later, as an error that it throws, or twice. When each request has its first result, call
    // `completion` on `queue`. Don't wait here.
  }
}
