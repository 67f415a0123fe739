import Dispatch
import Synchronization

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
/// Safe to use from every thread.
///
/// Source: Apple's documentation of `prepareForReuse()`; the operator `switchToLatest` of Combine.
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
  private let newest = Mutex<Request?>(nil)

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

  deinit { newest.withLock { $0 }?.giveUp() }

  /// Begins a request, which is the newest from now on, and cancels the one before it.
  ///
  /// - `begin` is called inside `ask`, on the calling thread.
  /// - `ask` returns without waiting for an answer.
  public func ask(_ query: Query) {
    let request = Request()
    replaceNewest(by: request)
    let cancelRequest = begin(query) { [weak self, answerQueue] answer in
      guard request.hasReplied() else { return }
      // Check on the answer queue: the request may be replaced while its answer waits there.
      answerQueue.async { [weak self] in self?.deliver(answer, to: query, of: request) }
    }
    request.hasBegun(cancelRequest)
  }

  /// Gives up the newest request.
  ///
  /// - `cancel()` cancels the newest request, unless that has replied, and its answer isn't
  ///   delivered any more. The answer to the next `ask` is delivered.
  public func cancel() {
    replaceNewest(by: nil)
  }

  private func replaceNewest(by request: Request?) {
    let older = newest.withLock { newest in
      defer { newest = request }
      return newest
    }
    older?.giveUp()
  }

  private func deliver(_ answer: Answer, to query: Query, of request: Request) {
    let isNewest = newest.withLock { $0 === request }
    guard isNewest else { return }
    onAnswer(query, answer)
  }
}

/// One request, with the closure that cancels it while it's in flight.
private final class Request: Sendable {
  private enum Phase {
    case beginning
    /// Given up before there was anything to cancel it with.
    case unwanted
    case inFlight(@Sendable () -> Void)
    case over
  }

  private let phase = Mutex(Phase.beginning)

  /// Keeps the closure that cancels the request, or cancels the request if it is given up already.
  func hasBegun(_ cancelRequest: @escaping @Sendable () -> Void) {
    let before = move { phase in
      switch phase {
      case .beginning: .inFlight(cancelRequest)
      case .unwanted, .inFlight, .over: .over
      }
    }
    if case .unwanted = before { cancelRequest() }
  }

  /// Ends the request by its reply.
  ///
  /// - Returns: Whether the reply may be delivered: it's the first, and the request wasn't given
  ///   up.
  func hasReplied() -> Bool {
    let before = move { _ in .over }
    switch before {
    case .beginning, .inFlight: return true
    case .unwanted, .over: return false
    }
  }

  /// Cancels the request, now or when it has begun, unless it's over.
  func giveUp() {
    let before = move { phase in
      switch phase {
      case .beginning, .unwanted: .unwanted
      case .inFlight, .over: .over
      }
    }
    if case .inFlight(let cancelRequest) = before { cancelRequest() }
  }

  /// Changes the phase and returns the old one, so that nothing is released under the lock.
  private func move(_ next: (Phase) -> Phase) -> Phase {
    phase.withLock { phase in
      defer { phase = next(phase) }
      return phase
    }
  }
}
