// Page: make page KATA=LatestOnly (Docs/ConcurrencyKatas.docc/LatestOnly.md)

import Dispatch
import Foundation

/// Sends requests one after another, and delivers only the answer to the newest.
///
/// A search field sends a request for each letter typed; a cell that is reused sends one for each
/// picture. Replies come in any order, and the one for "ca" may come after the one for "cat".
///
/// ```swift
/// let search = LatestOnly<String, [Hit]>(answerQueue: .main) { text, reply in
///   let task = index.find(text) { hits in reply(hits) }
///   return { task.cancel() }
/// } onAnswer: { text, hits in
///   // … show the hits …
/// }
/// search.ask("ca")
/// search.ask("cat")  // cancels the request for "ca"
/// ```
///
/// - When `ask` has returned, no answer to an older request is delivered any more, not even one
///   that waits in the answer queue.
/// - The request that was asked last is the newest, even if it was asked while an older one was
///   being begun or cancelled.
/// - If the same query is asked again, that is another request.
/// - A `LatestOnly` has no effect on the requests of another one.
/// - A request that is replaced is cancelled once, unless it has replied by then.
/// - If `ask` or `cancel()` is called while `begin` is being called, that request is cancelled when
///   `begin` has returned, unless it has replied by then.
/// - Only the first reply of a request is delivered.
/// - Answers are delivered on the answer queue, never inside `ask`.
/// - While a request is begun or cancelled or an answer delivered, every thread may ask, cancel and
///   reply without blocking.
/// - Neither requests in flight nor answers that wait in the answer queue retain the `LatestOnly`.
/// - When the `LatestOnly` is deinitialised, its request is cancelled unless it has replied, and no
///   answer is delivered any more.
/// - When a request is cancelled, or its answer delivered or dropped, the `LatestOnly` releases its
///   query and answer. After that, neither it nor `reply` retains the closure that cancels the
///   request.
/// - Several threads may ask, cancel and reply at once, without a data race.
///
/// If `ask` or `cancel()` is called when the answer queue has already found that an answer is the
/// newest request's, that answer is still delivered.
///
/// Source: Apple's documentation of `prepareForReuse()`; the operator `switchToLatest` of Combine.
///
/// Your turn: write `ask(_:)` and `cancel()`, and a `deinit`.
///
/// - How do you tell the newest request from the others? Not by its query, because the same query
///   may be asked twice. Give each request a number or an object.
/// - When do you check whether a request is still the newest? A newer one may be made while the
///   answer waits in the answer queue.
/// - You get the closure that cancels a request only when `begin` returns. Before that the request
///   may reply, and another thread may call `ask` or `cancel`. Then the request has to be cancelled
///   as soon as `begin` has returned, unless it has replied.
/// - Guard what changes with `lock`, and declare it as `private nonisolated(unsafe) var` with a
///   comment that says what makes it safe. Decide in a critical section, but release the lock
///   before you call `begin`, `onAnswer` or the closure that cancels a request.
/// - A request in flight retains the `reply` that you passed to it, and all that the reply
///   captures.
public final class LatestOnly<Query: Sendable, Answer: Sendable>: Sendable {
  /// What a request calls with its answer, on any thread.
  ///
  /// When it returns, the answer is in the answer queue, unless it isn't the newest request's.
  public typealias Reply = @Sendable (Answer) -> Void

  /// Cancels a request that is in flight; returns soon.
  public typealias CancelRequest = @Sendable () -> Void

  private let answerQueue: DispatchQueue
  private let begin: @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest
  private let onAnswer: @Sendable (_ query: Query, _ answer: Answer) -> Void
  private let lock = NSLock()

  /// Creates a `LatestOnly` that hasn't asked for anything yet.
  ///
  /// - Parameters:
  ///   - answerQueue: The queue for answers; a serial one, such as the main queue.
  ///   - begin: Begins a request and returns what cancels it.
  ///   - onAnswer: Receives the query and the answer of the newest request.
  public init(
    answerQueue: DispatchQueue,
    begin: @escaping @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest,
    onAnswer: @escaping @Sendable (_ query: Query, _ answer: Answer) -> Void
  ) {
    self.answerQueue = answerQueue
    self.begin = begin
    self.onAnswer = onAnswer
  }

  /// Begins a request, which is the newest from now on, and cancels the one before it.
  ///
  /// - `begin` is called inside `ask`, on the calling thread.
  /// - `ask` returns without waiting for an answer.
  public func ask(_ query: Query) {
    _ = begin(query) { _ in
      // TODO: Deliver the answer on the answer queue, if this is the newest request there.
    }
    // TODO: Keep what begin has returned; cancel the request before this one.
  }

  /// Gives up the newest request.
  ///
  /// - `cancel()` cancels the newest request, unless that has replied, and its answer isn't
  ///   delivered any more. The answer to the next `ask` is delivered.
  public func cancel() {
    // TODO: From now on no request is the newest.
  }
}
