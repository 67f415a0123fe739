import AsyncOperations
import Foundation

/// An operation that sends a request and, when it is cancelled, also cancels the request.
///
/// The inherited `cancel()` only sets a flag. What the operation has begun goes on: the download
/// runs to its end, over a connection that other requests wait for. So the operation keeps the
/// closure that cancels its request, as long as there is something to cancel.
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
/// - The first reply or `cancel()` settles the result for good. `cancel()` settles it as
///   `.failure(.cancelled)`.
/// - A later reply, like the one with which a request answers its cancellation, neither changes the
///   result nor finishes the operation.
/// - The operation is announced as finished once, and its result is there by then.
/// - An operation that is cancelled in flight cancels its own request, once.
/// - An operation cancelled in flight is finished when its request has been cancelled, not before,
///   and doesn't wait for a reply.
/// - If the operation is cancelled while `begin` is being called, it cancels the request and then
///   finishes, both when `begin` has returned.
/// - If the operation is cancelled before `main()` is called, it begins no request, and finishes
///   once it has been started, not before.
/// - A request whose reply has settled the result isn't cancelled.
/// - While a request is begun or cancelled, every thread may reply, call the operation and read its
///   result, without blocking.
/// - A finished operation doesn't retain the closure that cancels its request.
/// - Several threads may use the operation and reply at once, without a data race.
///
/// Safe to use from every thread.
///
/// If a request replies after the operation was cancelled, but before `main()` has received what
/// `begin` returned, it is left open whether that request is cancelled.
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

  /// Cancels a request that is in flight; returns soon.
  public typealias CancelRequest = @Sendable () -> Void

  /// The phase of the request.
  private enum Phase {
    case notBegun
    /// `begin` is being called: the request may be on its way, but there's nothing to cancel it
    /// with.
    case beginning
    case inFlight(CancelRequest)
    /// The request has replied, or the operation was cancelled; `isCancelled` is true by then.
    case over
  }

  private let begin: @Sendable (_ reply: @escaping Reply) -> CancelRequest
  private let lock = NSLock()
  private var phase = Phase.notBegun
  private var settled: Result<Data, Failure>?

  /// Creates an operation that waits to be started; no request is sent yet.
  ///
  /// - `begin` is called once at most, when the operation starts and not before.
  ///
  /// - Parameter begin: Begins the request and returns what cancels it.
  public init(begin: @escaping @Sendable (_ reply: @escaping Reply) -> CancelRequest) {
    self.begin = begin
    super.init()
  }

  /// The data, or the reason why there is none; nil until the result is settled.
  ///
  /// - `result` is there as soon as it is settled, even before the operation starts or finishes.
  /// - If the request replies with an error, of whatever type, the operation finishes, with
  ///   `.failure(.request(error))`.
  public var result: Result<Data, Failure>? { lock.withLock { settled } }

  /// Asks the operation to stop, and cancels its request.
  ///
  /// - If `cancel()` settles the result, it does so before it returns. Then `isCancelled` is true
  ///   before the request is cancelled or the operation finished.
  /// - If the result is settled, `cancel()` has no effect: it neither finishes the operation nor
  ///   changes `isCancelled`.
  public override func cancel() {
    guard settle(.failure(.cancelled)) else { return }
    // Before anything can finish it: Foundation ignores the cancellation of a finished operation.
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
  /// Only `start()` may call it.
  public override func main() {
    let isWanted = lock.withLock {
      guard settled == nil else { return false }
      phase = .beginning
      return true
    }
    guard isWanted else {
      // Cancelled after start() had checked. That cancel() may have called finish() too early.
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
    // The request is over: by a reply, or by cancel(), which had nothing to cancel it with.
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

  /// Sets the phase to over; called by the thread that has settled the result.
  ///
  /// - Returns: The phase until now. Release its `cancelRequest` without the lock: this may be the
  ///   last reference to it, and then a `deinit` may run.
  private func leave() -> Phase {
    lock.withLock {
      defer { phase = .over }
      return phase
    }
  }
}
