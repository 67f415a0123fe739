// Page: make page KATA=CallbackBridge (Docs/ConcurrencyKatas.docc/CallbackBridge.md)

import Dispatch
import Foundation

/// Makes a blocking call out of one that answers by a callback.
///
/// ```swift
/// let photos = CallbackBridge<URL, Photo> { url, reply in
///   session.dataTask(with: url) { data, _, error in
///     reply { try Photo(decoding: data, error) }
///   }.resume()
/// }
/// let photo = try photos.value(for: url, within: 5)
/// ```
///
/// The callback doesn't bring a value but a closure that makes it, or throws: so whatever goes wrong on
/// the callback's side is thrown where somebody waits for it.
///
/// Safe to use from every thread, by several at once; each call waits for its own callback.
///
/// - Warning: ``value(for:within:)`` holds the calling thread. Where the callback needs that very
///   thread, or the queue that it serves (a callback on the main queue, waited for on the main thread),
///   every call times out.
///
/// Source: "Semaphores" in Apple's documentation of Dispatch.
///
/// Your turn: write `value(for:within:)`. A semaphore lets one thread wait for another, and it can do
/// so for a limited time. The result has to be kept somewhere in between, and be there before the one
/// who waits is woken. And mind the callbacks that nobody asked for: the one that comes when the time
/// is up, the one that comes twice. They must find nothing to spoil.
public final class CallbackBridge<Request, Value: Sendable>: Sendable {
  /// What's called when the value is there, from any thread, at once or later.
  ///
  /// It calls `value` once before it returns, unless it comes too late, and keeps what `value` returns
  /// or throws. A late call and a second call have no effect; `value` may be called all the same. Of
  /// calls that overlap any one may be the first.
  public typealias Reply = @Sendable (_ value: () throws -> Value) -> Void

  /// Starts the asynchronous work for a request, and sees to it that `reply` is called.
  public typealias Start = @Sendable (_ request: Request, _ reply: @escaping Reply) -> Void

  private let start: Start

  /// Creates a bridge over `start`.
  public init(_ start: @escaping Start) {
    self.start = start
  }

  /// Starts the work for `request` and waits for its callback.
  ///
  /// `start` is called once, on the calling thread. When it has returned, this blocks for at most
  /// `seconds`, and no longer than until the value is there. A callback that has come by then is
  /// never too late, also where `seconds` is 0 and it has come before `start` returned. The caller
  /// sleeps until the callback or the time wakes it; it doesn't look every so often.
  ///
  /// - Parameters:
  ///   - request: What `start` is called with.
  ///   - seconds: How long to wait, in seconds. Where it's infinite, only the callback ends the wait.
  /// - Returns: The value of the first callback.
  /// - Throws: What the first callback's closure throws; ``CallbackBridgeError/timedOut`` where its
  ///   value isn't there in time.
  /// - Precondition: `seconds` isn't negative.
  public func value(for request: Request, within seconds: TimeInterval) throws -> Value {
    precondition(seconds >= 0, "nobody can wait for \(seconds) seconds")
    // TODO: Start the work with a closure that keeps the result, and wait for it. A @Sendable closure
    // can't change a `var`; a small private class with a lock can keep it. One for each call.
    throw CallbackBridgeError.timedOut
  }
}

/// Why there's no value.
public enum CallbackBridgeError: Error, Equatable, Sendable {
  /// The callback hadn't brought its value when the time was up.
  case timedOut
}
