// Page: make page KATA=CancelInFlight (Docs/ConcurrencyKatas.docc/CancelInFlight.md)

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
///
/// Your turn: write `result`, `cancel()` and `main()`. The superclass does the rest.
///
/// - `start()` is the superclass's. It calls `main()` while the operation executes; or, where
///   `isCancelled` is true, it finishes the operation without.
/// - `finish()` is the superclass's too. It ends an operation that executes, and sends the notices. It
///   has no effect before the start and after the end.
/// - `begin` gives you what cancels the request only when it returns. Before that the request may
///   reply, and somebody may cancel: the operation has to know how far its request is.
/// - A `cancel()` may come between the look of `start()` at `isCancelled` and `main()`.
/// - What changes belongs under `lock`, in the getter too. Decide while you hold it; call `begin`, what
///   cancels the request, and `finish()` when you don't.
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

  private let begin: @Sendable (_ reply: @escaping Reply) -> CancelRequest
  private let lock = NSLock()

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
  public var result: Result<Data, Failure>? {
    // TODO: The result, once it's settled.
    nil
  }

  /// Settles the result as cancelled, and cancels the request; or has no effect where the result is
  /// settled.
  ///
  /// Where it settles the result, `isCancelled` is true before it calls anything else.
  public override func cancel() {
    // TODO: Settle it; tell Foundation (super.cancel()); cancel the request; finish.
  }

  /// Begins the request.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    _ = begin { _ in
      // TODO: Settle the result, and finish; only if it's still open.
    }
    // TODO: Keep what begin has returned, for cancel().
  }
}
