// Page: make page KATA=CallbackBridge (Docs/ConcurrencyKatas.docc/CallbackBridge.md)

import Dispatch
import Foundation

/// Makes a blocking call out of an API that answers by a callback.
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
/// The callback doesn't bring a value but a closure that returns it, or throws. So an error on the
/// callback's side reaches the waiting caller.
///
/// - Calls on several threads run side by side; none waits for another one, even if that one is
///   still inside `start`.
/// - Each call waits for its own callback: the callback of an earlier call has no effect on it.
///
/// ``value(for:within:)`` blocks its caller. If the callback needs the caller's thread, or the
/// serial queue on which the caller runs, every call times out: for example a callback on the main
/// queue, if the main thread waits.
///
/// Source: Apple's documentation of `DispatchSemaphore`.
///
/// Your turn: write `value(for:within:)`. With a `DispatchSemaphore` one thread waits until another
/// signals it, and `wait(timeout:)` limits the wait. Store the result somewhere in between, before
/// you signal. And mind the callbacks that aren't expected: one that comes when the time is up, one
/// that comes twice. They must change nothing, for this call and for later ones.
public final class CallbackBridge<Request, Value: Sendable>: Sendable {
  /// The callback, called with a closure that makes the value.
  ///
  /// A callback is late if its closure `value` hasn't returned before
  /// ``CallbackBridge/value(for:within:)`` throws ``CallbackBridgeError/timedOut``. If callbacks
  /// overlap, any one of them may count as the first. A callback that comes after that error, or a
  /// second one, may call `value`, but needn't.
  ///
  /// - A callback may come on any thread, during `start` or later, while another callback runs or
  ///   inside that one's closure, without a data race or a deadlock.
  /// - If the first callback comes before ``CallbackBridge/value(for:within:)`` has timed out, it
  ///   calls `value` once, before it returns.
  /// - A late callback and a second callback have no effect: the first result stays, be it a value
  ///   or an error.
  public typealias Reply = @Sendable (_ value: () throws -> Value) -> Void

  /// Starts the asynchronous work for a request, and arranges for `reply` to be called.
  public typealias Start = @Sendable (_ request: Request, _ reply: @escaping Reply) -> Void

  private let start: Start

  /// Creates a bridge over `start`.
  public init(_ start: @escaping Start) {
    self.start = start
  }

  /// Starts the work for `request` and waits for its callback.
  ///
  /// The caller must pass no negative `seconds`. The value is there when the callback's closure has
  /// returned it; an error counts as a value here.
  ///
  /// - `start` is called once, on the calling thread.
  /// - The call blocks until the value is there or the time is up, whichever comes first.
  /// - `seconds` are counted from the return of `start`, and needn't be a whole number.
  /// - If the value isn't there when the time is up, ``CallbackBridgeError/timedOut`` is thrown,
  ///   even if the callback is still making the value.
  /// - If the callback has brought its value before `start` returns, the call returns it, even if
  ///   `seconds` is 0.
  /// - If `seconds` is infinite, or as large as a `Double` can be, only the callback ends the wait.
  /// - If the closure of the first callback throws, its error is thrown to the caller.
  /// - The blocked thread sleeps until the callback or the time wakes it; it doesn't poll.
  ///
  /// - Parameters:
  ///   - request: The argument for `start`.
  ///   - seconds: How long to wait, in seconds.
  /// - Returns: The value of the first callback.
  /// - Throws: What the closure of the first callback throws, or ``CallbackBridgeError/timedOut``.
  public func value(for request: Request, within seconds: TimeInterval) throws -> Value {
    precondition(seconds >= 0, "nobody can wait for \(seconds) seconds")
    // TODO: Start the work with a closure that stores the result, and wait for it. A @Sendable
    // closure can't change a captured `var`; store it in a small private class with a lock. Create
    // one for each call.
    throw CallbackBridgeError.timedOut
  }
}

/// Why there is no value.
public enum CallbackBridgeError: Error, Equatable, Sendable {
  /// The callback hadn't brought its value when the time was up.
  case timedOut
}
