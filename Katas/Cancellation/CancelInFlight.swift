// Page: make page KATA=CancelInFlight (Docs/ConcurrencyKatas.docc/CancelInFlight.md)

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
/// If a request replies after the operation was cancelled, but before `main()` has received what
/// `begin` returned, it is left open whether that request is cancelled.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
///
/// Your turn: write `result`, `cancel()` and `main()`. The superclass does the rest.
///
/// - `start()` is inherited. It calls `main()` while the operation executes; if `isCancelled` is
///   true, it finishes the operation instead.
/// - `finish()` is inherited too. It ends an executing operation and sends the notifications;
///   before the start and after the end it has no effect.
/// - You get the closure that cancels the request only when `begin` returns. The request may reply
///   before that, and `cancel()` may be called. So keep the phase of the request: not begun,
///   beginning, in flight, over.
/// - `cancel()` may be called between the check of `isCancelled` in `start()` and the call of
///   `main()`. If it calls `finish()` then, that may have no effect: check the result again in
///   `main()`. If it's settled, don't begin the request, and call `finish()` only if `isCancelled`
///   is true. If it's false, `cancel()` hasn't called `super.cancel()` yet, and calls `finish()`
///   after that.
/// - Guard what changes with `lock`, in the getter too. Decide in a critical section, but release
///   the lock before you call `begin`, the closure that cancels the request, or `finish()`.
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

  private let begin: @Sendable (_ reply: @escaping Reply) -> CancelRequest
  private let lock = NSLock()

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
  public var result: Result<Data, Failure>? {
    // TODO: Return the result, once it's settled.
    nil
  }

  /// Asks the operation to stop, and cancels its request.
  ///
  /// - If `cancel()` settles the result, it does so before it returns. Then `isCancelled` is true
  ///   before the request is cancelled or the operation finished.
  /// - If the result is settled, `cancel()` has no effect: it neither finishes the operation nor
  ///   changes `isCancelled`.
  public override func cancel() {
    // TODO: Settle the result; call super.cancel(); cancel the request; finish.
  }

  /// Begins the request.
  ///
  /// Only `start()` may call it.
  public override func main() {
    _ = begin { _ in
      // TODO: If the result is still open, settle it and finish.
    }
    // TODO: Keep what begin has returned, for cancel().
  }
}
