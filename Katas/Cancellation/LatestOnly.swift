// Page: make page KATA=LatestOnly (Docs/ConcurrencyKatas.docc/LatestOnly.md)

import Dispatch
import Foundation

/// Asks again and again, and passes on the answer to the newest question alone.
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
/// - A request that is replaced is cancelled once, unless it has replied.
/// - If a request is replaced while `begin` is being called, it is cancelled when `begin` has
///   returned, unless it has replied by then.
/// - Only the first reply of a request is delivered.
/// - Answers are delivered on the answer queue, never inside `ask`.
/// - While a request is begun or cancelled or an answer delivered, every thread may ask, cancel and
///   reply without blocking.
/// - Neither requests in flight nor answers that wait in the answer queue retain the `LatestOnly`.
/// - When the `LatestOnly` is deinitialised, its request is cancelled, and no answer is delivered
///   any more.
/// - Of a request that is over neither the query nor the answer is retained, nor what cancels it.
/// - Several threads may ask, cancel and reply at once, without a data race.
///
/// If a thread asks while the answer queue is delivering an answer, that one is delivered to its
/// end.
///
/// Source: Apple's documentation of `prepareForReuse()`; the operator `switchToLatest` of Combine.
///
/// Your turn: write `ask(_:)` and `cancel()`, and a `deinit`.
///
/// - How do you tell the newest request from the others? Not by its query, for the same may be asked
///   twice. A number or an object for each would do.
/// - When do you ask whether a request is still the newest? An answer that waits in the answer queue can
///   be replaced there.
/// - `begin` gives you what cancels its request only when it returns. Before that the request may reply,
///   and another thread may ask for something else: then somebody has to cancel it when it's there.
/// - What changes belongs under `lock`, and is `private nonisolated(unsafe) var` with a line that says
///   what makes it safe. Decide while you hold the lock; call `begin`, what cancels a request, and
///   `onAnswer` when you don't.
/// - A request in flight holds the `reply` that you gave it, and whatever that holds.
public final class LatestOnly<Query: Sendable, Answer: Sendable>: Sendable {
  /// What a request calls with its answer, on any thread.
  public typealias Reply = @Sendable (Answer) -> Void

  /// What cancels a request that is under way; returns soon.
  public typealias CancelRequest = @Sendable () -> Void

  private let answerQueue: DispatchQueue
  private let begin: @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest
  private let onAnswer: @Sendable (_ query: Query, _ answer: Answer) -> Void
  private let lock = NSLock()

  /// Creates one that hasn't asked for anything.
  ///
  /// - Parameters:
  ///   - answerQueue: The queue for answers; a serial one, such as the main queue.
  ///   - begin: Begins a request and returns what cancels it.
  ///   - onAnswer: Takes the query and the answer of the newest request.
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
  /// - `cancel()` cancels the newest request and makes its answer stale: none is delivered until
  ///   the next `ask`, whose answer is.
  public func cancel() {
    // TODO: From now on no request is the newest.
  }
}
