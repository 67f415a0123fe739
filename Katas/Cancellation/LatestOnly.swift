// Page: make page KATA=LatestOnly (Docs/ConcurrencyKatas.docc/LatestOnly.md)

import Dispatch
import Foundation

/// Asks again and again, and passes on the answer to the newest question alone.
///
/// A field in which somebody types sends a request for each letter; a cell that is reused sends one for
/// each picture. Replies come in any order, and the one for "ca" may come after the one for "cat".
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
/// **The newest request alone is heard.** Once ``ask(_:)`` has returned, no answer to an older request is
/// delivered any more: not one that comes late, nor one that came in time and still waits in the answer
/// queue. (Whoever asks while the answer queue is delivering an answer hears that one to its end.) It's
/// the request that counts, not what it asks for: the same query asked again is another request.
///
/// **Older requests are cancelled**, once each, unless they have replied. A request that is replaced
/// while `begin` is being called is cancelled as soon as `begin` has returned, unless it has replied by
/// then: before that there is nothing to cancel it with.
///
/// **Answers come on the answer queue**, never inside ``ask(_:)``; once for each request, however often
/// it replies.
///
/// Safe to use from every thread. No lock is held while a request is begun or cancelled, or an answer
/// delivered, so each may call ``ask(_:)`` and ``cancel()``. Requests in flight don't keep it alive:
/// when its last owner lets go of it, it's as if it had been cancelled. Of a request that is over
/// nothing is kept.
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
  ///   - answerQueue: The queue to deliver answers on; a serial one, such as the main queue.
  ///   - begin: Begins a request and returns what cancels it. Called inside ``ask(_:)``.
  ///   - onAnswer: Called with the query and the answer of the newest request.
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
  /// Doesn't wait for an answer.
  public func ask(_ query: Query) {
    _ = begin(query) { _ in
      // TODO: Deliver the answer on the answer queue, if this is the newest request there.
    }
    // TODO: Keep what begin has returned; cancel the request before this one.
  }

  /// Gives up the newest request: cancels it, and nothing is heard until the next ``ask(_:)``.
  public func cancel() {
    // TODO: From now on no request is the newest.
  }
}
