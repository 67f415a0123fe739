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
    // One for each call: a late callback must have nothing to do with the calls after its own.
    let answer = Answer<Value>()
    start(request) { value in
      answer.settle(Result { try value() })
    }
    return try answer.value(within: seconds)
  }
}

/// Why there's no value.
public enum CallbackBridgeError: Error, Equatable, Sendable {
  /// The callback hadn't brought its value when the time was up.
  case timedOut
}

/// What becomes of one call: the first result that is settled.
private final class Answer<Value: Sendable>: Sendable {
  private let isThere = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var result: Result<Value, any Error>?

  func settle(_ newResult: Result<Value, any Error>) {
    let isFirst = lock.withLock {
      guard result == nil else { return false }
      result = newResult
      return true
    }
    if isFirst { isThere.signal() }
  }

  func value(within seconds: TimeInterval) throws -> Value {
    // Whatever this returns: a callback that came at the very last moment has come.
    _ = isThere.wait(timeout: .now() + seconds)
    let outcome = lock.withLock {
      // From now on every callback is late, and what it brings isn't kept.
      let outcome = result ?? .failure(CallbackBridgeError.timedOut)
      result = outcome
      return outcome
    }
    return try outcome.get()
  }
}
