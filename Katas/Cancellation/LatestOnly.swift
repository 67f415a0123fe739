import Dispatch
import Foundation

/// Asks again and again, and lets only the newest request answer.
///
/// A search field asks with every letter; a reused cell asks for one picture and, half a second
/// later, for another. Requests answer when they like, and in any order: the answer to the first
/// letter may come last, and would replace the one that somebody is looking at.
///
/// ```swift
/// let search = LatestOnly(answersOn: .main) { text, reply in
///   let task = session.dataTask(with: url(for: text)) { data, _, _ in reply(data ?? Data()) }
///   task.resume()
///   return { task.cancel() }
/// } onAnswer: { data, text in
///   show(data, for: text)
/// }
/// search.ask("s")
/// search.ask("sw")  // cancels the first; its answer never comes
/// ```
///
/// **A request is replaced** by the next ``ask(_:)``, and by ``cancel()``. It's cancelled then, once,
/// before the next one is begun, unless it has replied; and its answer is never delivered, whenever it
/// comes. That holds for an answer too that has come and waits for its turn on the queue. Which one is
/// the newest is asked there and then, so **whoever asks on that queue never hears of an older one
/// again**. Asked on another thread, an older answer may be just being delivered.
///
/// The same query asked twice is two requests, and the second replaces the first.
///
/// **Replaced while it's being begun**, there is nothing yet to cancel a request with: it's cancelled
/// as soon as it has been begun.
///
/// Nobody keeps a request that's over. When this object goes away, the request under way is cancelled,
/// and no answer comes any more.
///
/// Safe to use from every thread, also from inside a request, its cancellation and `onAnswer`: no lock
/// is held while one of them is called. Nothing here waits.
///
/// Source: `prepareForReuse()` in Apple's documentation of `UITableViewCell`.
///
/// Your turn: write `ask`, `cancel`, `deinit` and what becomes of a reply.
///
/// - Each request needs something of its own to be told by, for two of them may ask for the same: an
///   object, compared by `===`, or a number that is counted up.
/// - What cancels a request is known only when `request` has returned. Before that it may reply, and it
///   may be replaced.
/// - Whether an answer is still the newest has to be asked on `queue`, where it is delivered, and not
///   when it comes: it may wait in line there while somebody asks again.
/// - What changes belongs under `lock`. Decide while you hold it, and call out when you don't.
/// - The request keeps your reply: let that keep `self` weakly, or nobody will ever go.
public final class LatestOnly<Query: Sendable, Answer: Sendable>: Sendable {
  /// What a request calls when it has its answer, on any thread.
  public typealias Reply = @Sendable (_ answer: Answer) -> Void

  /// What cancels a request that is under way; returns soon.
  public typealias CancelRequest = @Sendable () -> Void

  /// Begins a request, and returns what cancels it.
  public typealias Request = @Sendable (_ query: Query, _ reply: @escaping Reply) -> CancelRequest

  private let queue: DispatchQueue
  private let request: Request
  private let onAnswer: @Sendable (_ answer: Answer, _ query: Query) -> Void
  private let lock = NSLock()

  /// Prepares to ask; nothing is asked yet.
  ///
  /// - Parameters:
  ///   - queue: The serial queue that `onAnswer` is called on, such as the main queue.
  ///   - request: Called once for each query, on the thread that asks. It may reply at once or
  ///     later, on any thread; its first reply counts.
  ///   - onAnswer: Called with the answer of the newest request, and its query.
  public init(
    answersOn queue: DispatchQueue, request: @escaping Request,
    onAnswer: @escaping @Sendable (_ answer: Answer, _ query: Query) -> Void
  ) {
    self.queue = queue
    self.request = request
    self.onAnswer = onAnswer
  }

  deinit {
    // TODO: Cancel the request under way.
  }

  /// Cancels the request under way, and begins one for `query`.
  ///
  /// Doesn't wait for an answer.
  public func ask(_ query: Query) {
    // TODO: Cancel the request before this one.
    _ = request(query) { _ in
      // TODO: On `queue`: onAnswer, if nobody has asked since.
    }
    // TODO: Keep what cancels this one.
  }

  /// Cancels the request under way; what was asked so far is never answered.
  public func cancel() {
    // TODO: As `ask`, without a new request.
  }
}
