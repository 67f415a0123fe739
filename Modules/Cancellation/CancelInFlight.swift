import AsyncOperations
import Foundation

/// An operation that sends a request and, when it's cancelled, passes that on to the request.
///
/// `cancel()` only raises a flag. Whatever the operation has set going goes on: the download runs to
/// its end, over a connection that others wait for. So the operation keeps what its request can be
/// cancelled with, for as long as there is something to cancel.
///
/// ```swift
/// let load = RequestOperation { reply in
///   let task = session.dataTask(with: url) { data, _, error in
///     reply(data.map { .success($0) } ?? .failure(error ?? URLError(.unknown)))
///   }
///   task.resume()
///   return { task.cancel() }
/// }
/// queue.addOperation(load)
/// load.cancel()  // at any time, on any thread; cancels the task
/// ```
///
/// **Whatever comes first is the ``result``**, for good: the first reply or ``cancel()``. It's there
/// before the operation is announced as finished, which happens once. Replies that come later are
/// ignored, also the one with which many a request answers its own cancellation.
///
/// **Cancelled in flight**, the operation cancels its request, once, and is finished then: it doesn't
/// wait for a reply, which may never come. In that order, so that a queue that is one wide never has
/// two requests under way. **Cancelled while `begin` is being called**, there is nothing yet to cancel
/// the request with: ``cancel()`` returns, and the request is cancelled and the operation finished as
/// soon as `begin` has returned. **Cancelled earlier**, it never begins a request; cancelled before its
/// start, it's finished by its start, as its queue expects. A request that has replied isn't cancelled.
///
/// Safe to use from every thread. No lock is held while a request is begun or cancelled, so both may
/// reply, or call the operation, before they return. Once it's over the operation keeps nothing of the
/// request.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
public final class RequestOperation: AsyncOperation, @unchecked Sendable {  // Safe: `lock`.
  /// Why an operation has no data.
  public enum Failure: Error {
    /// It was cancelled before the request had replied.
    case cancelled
    /// The request replied with this error.
    case request(any Error)
  }

  /// What a request calls when it has ended, on any thread.
  public typealias Reply = @Sendable (Result<Data, any Error>) -> Void

  /// What cancels a request that is under way; returns soon.
  public typealias CancelRequest = @Sendable () -> Void

  /// How far the request is.
  private enum Phase {
    case notBegun
    /// `begin` is being called: perhaps there is a request, but nothing to cancel it with.
    case beginning
    case inFlight(CancelRequest)
    /// It has replied, or the operation was cancelled, and Foundation knows.
    case over
  }

  private let begin: @Sendable (_ reply: @escaping Reply) -> CancelRequest
  private let lock = NSLock()
  private var phase = Phase.notBegun
  private var settled: Result<Data, Failure>?

  /// Creates an operation that waits to be started; nothing is sent yet.
  ///
  /// - Parameter begin: Called once when the operation starts, unless it's cancelled by then. It
  ///   begins the request and returns what cancels it.
  public init(begin: @escaping @Sendable (_ reply: @escaping Reply) -> CancelRequest) {
    self.begin = begin
    super.init()
  }

  /// The data, or why there is none; nil until that is settled.
  ///
  /// Doesn't wait.
  public var result: Result<Data, Failure>? { lock.withLock { settled } }

  /// Settles the result as cancelled, and cancels the request; or has no effect where the result is
  /// settled.
  ///
  /// Where it settles the result, `isCancelled` is true before it calls anything else.
  public override func cancel() {
    guard settle(.failure(.cancelled)) else { return }
    // Before anybody may finish it: Foundation ignores the cancellation of what is finished.
    super.cancel()
    switch leave() {
    case .inFlight(let cancelRequest):
      cancelRequest()
      finish()
    case .beginning: break  // main() does both, when it has something to cancel.
    case .notBegun, .over: finish()
    }
  }

  /// Begins the request.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    let isWanted = lock.withLock {
      guard settled == nil else { return false }
      phase = .beginning
      return true
    }
    guard isWanted else {
      // Cancelled since start() has looked: that cancel() may have found nothing to finish yet.
      if isCancelled { finish() }
      return
    }

    let cancelRequest = begin { [self] reply in
      guard settle(reply.mapError(Failure.request)) else { return }
      _ = leave()
      finish()
    }
    let isKept = lock.withLock {
      guard case .beginning = phase else { return false }
      phase = .inFlight(cancelRequest)
      return true
    }
    // Over by now: by a reply; or by cancel(), which had nothing to cancel the request with.
    guard !isKept, isCancelled else { return }
    cancelRequest()
    finish()
  }

  /// Settles the result, unless it is settled.
  ///
  /// - Returns: Whether this call has settled it.
  private func settle(_ result: Result<Data, Failure>) -> Bool {
    lock.withLock {
      guard settled == nil else { return false }
      settled = result
      return true
    }
  }

  /// Leaves the request; called by the thread that has settled the result.
  ///
  /// - Returns: How far the request was. Its `cancelRequest` goes away with it, and not under the
  ///   lock: whose last reference that is, nobody knows.
  private func leave() -> Phase {
    lock.withLock {
      defer { phase = .over }
      return phase
    }
  }
}
