import Dispatch
import Foundation
import KataTesting
import Testing

/// A request that replies when the spec says so.
final class SearchRequest: Sendable {
  let query: String
  /// What it is called in pictures: "request 1".
  let name: String
  private let timeline: Timeline
  private let cancelled = Counter()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var keptReply: (@Sendable (String) -> Void)?
  private let lock = NSLock()

  init(
    _ query: String, number: Int, on timeline: Timeline,
    reply: @escaping @Sendable (String) -> Void
  ) {
    self.query = query
    self.timeline = timeline
    name = "request \(number)"
    keptReply = reply
  }

  /// How often it was cancelled.
  var cancellations: Int { cancelled.value }

  /// Replies: "answer 1" is the answer of request 1.
  func reply(_ answer: String? = nil) {
    timeline.mark(name, "replies")
    let reply = lock.withLock { keptReply }
    reply?(answer ?? name.replacing("request", with: "answer"))
  }

  func cancel() {
    timeline.mark(name, "is cancelled")
    cancelled.increment()
  }

  /// Lets go of what it would reply with.
  func forget() {
    let reply = lock.withLock {
      defer { keptReply = nil }
      return keptReply
    }
    withExtendedLifetime(reply) {}
  }
}

/// What was asked, and what was answered.
final class SearchRecord: Sendable {
  let timeline = Timeline()
  /// What happens in the midst of beginning a request, of cancelling it, and of an answer.
  let inRequest, inCancel: @Sendable (SearchRequest) -> Void
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var asked: [SearchRequest] = []
  private nonisolated(unsafe) var told: [String] = []  // Safe: as above.
  private let lock = NSLock()

  init(
    inRequest: @escaping @Sendable (SearchRequest) -> Void = { _ in },
    inCancel: @escaping @Sendable (SearchRequest) -> Void = { _ in }
  ) {
    self.inRequest = inRequest
    self.inCancel = inCancel
  }

  var requests: [SearchRequest] { lock.withLock { asked } }
  var answers: [String] { lock.withLock { told } }

  func begin(_ query: String, _ reply: @escaping @Sendable (String) -> Void) -> SearchRequest {
    let request = lock.withLock {
      let request = SearchRequest(
        query, number: asked.count + 1, on: timeline, reply: reply)
      asked.append(request)
      return request
    }
    timeline.mark(request.name, "begins")
    inRequest(request)
    return request
  }

  /// Lets go of all replies, which may hold the answer under test.
  func forget() { for request in requests { request.forget() } }

  func tell(_ answer: String, _ query: String, isOnQueue: Bool) {
    let text = "\(answer) to '\(query)'" + (isOnQueue ? "" : ", on another queue")
    lock.withLock { told.append(text) }
    timeline.mark("answers", text)
  }
}

/// A search field whose requests and answers the spec holds in its hands.
final class SearchDesk: Sendable {
  typealias Latest = LatestOnly<String, String>

  let record: SearchRecord
  let latest: Latest
  /// The queue that answers are to come on.
  let queue = DispatchQueue(label: "katas.spec.latest-only.answers")

  /// Makes a desk; the closures are what happens in the midst of beginning and cancelling a request,
  /// and of an answer.
  init(
    inRequest: @escaping @Sendable (SearchRequest) -> Void = { _ in },
    inCancel: @escaping @Sendable (SearchRequest) -> Void = { _ in },
    inAnswer: @escaping @Sendable (_ answer: String) -> Void = { _ in }
  ) {
    record = SearchRecord(inRequest: inRequest, inCancel: inCancel)
    latest = Self.latest(answersOn: queue, for: record, inAnswer)
  }

  deinit { record.forget() }

  var timeline: Timeline { record.timeline }

  /// One to ask, whose requests and answers go to `record`.
  static func latest(
    answersOn queue: DispatchQueue, for record: SearchRecord,
    _ inAnswer: @escaping @Sendable (_ answer: String) -> Void = { _ in }
  ) -> Latest {
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    return Latest(answersOn: queue) { query, reply in
      let request = record.begin(query, reply)
      return {
        request.cancel()
        record.inCancel(request)
      }
    } onAnswer: { answer, query in
      record.tell(answer, query, isOnQueue: DispatchQueue.getSpecific(key: key) == true)
      inAnswer(answer)
    }
  }
}

/// Somebody who asks from inside a callback; it's set once there is something to ask.
final class LateAsker: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) weak var desk: SearchDesk?
  private let lock = NSLock()

  func set(_ desk: SearchDesk) { lock.withLock { self.desk = desk } }
  func ask(_ query: String) { lock.withLock { desk }?.latest.ask(query) }
}

/// What a request has cost, as long as somebody keeps it.
final class RequestToken: Sendable {}

/// A token, as long as somebody else keeps it.
final class KeptToken: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) weak var held: RequestToken?
  private let lock = NSLock()

  var token: RequestToken? {
    get { lock.withLock { held } }
    set { lock.withLock { held = newValue } }
  }
}

/// The reply of a first request, kept in a way that orders no threads.
final class UnorderedReply: Sendable {
  let answers = Counter()
  // Safe: set by a thread that has ended its part before another one reads it, and cleared when all
  // have.
  private(set) nonisolated(unsafe) var reply: (@Sendable (String) -> Void)?

  func latest(answersOn queue: DispatchQueue) -> SearchDesk.Latest {
    SearchDesk.Latest(answersOn: queue) { [self] query, reply in
      if query == "s" { self.reply = reply }
      return {}
    } onAnswer: { [answers] _, _ in
      answers.increment()
    }
  }

  func forget() { reply = nil }
}

/// How a request comes to its end.
enum SearchEnding: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case answered = "its answer was delivered"
  case repliedAtOnce = "it replied while it was begun"
  case replaced = "it was replaced"
  case cancelled = "it was cancelled"

  /// The name in words.
  var testDescription: String { rawValue }
}

/// What replaces a request.
enum Replacement: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case ask = "somebody asks again"
  case cancel = "cancel()"

  /// The name in words.
  var testDescription: String { rawValue }
}

// MARK: - Moves

extension LatestOnlyTests {
  /// Asks on a thread of its own, and returns the request that was begun for it.
  @discardableResult
  func ask(
    _ query: String, at desk: SearchDesk, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SearchRequest {
    let before = desk.record.requests.count
    try mustReturn("ask", sourceLocation: sourceLocation) { desk.latest.ask(query) }
    let requests = desk.record.requests
    try #require(
      requests.count == before + 1 && requests.last?.query == query,
      "'\(query)' was asked: one request must have been begun, with that query.",
      sourceLocation: sourceLocation)
    return requests[before]
  }

  /// Replaces the request under way, on a thread of its own.
  func replace(
    _ replacement: Replacement, at desk: SearchDesk,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    switch replacement {
    case .ask: try ask("another", at: desk, sourceLocation: sourceLocation)
    case .cancel:
      try mustReturn("cancel()", sourceLocation: sourceLocation) { desk.latest.cancel() }
    }
  }

  /// Lets a request reply, on a thread of its own.
  func reply(
    _ request: SearchRequest, _ answer: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(
      "The reply", "Hand the answer to the queue with async; nobody has to wait for it.",
      sourceLocation: sourceLocation
    ) { request.reply(answer) }
  }

  /// Expects that these answers have come, and no others.
  func expectAnswers(
    _ expected: [String], at desk: SearchDesk, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      desk.record.answers == expected, desk.timeline.showing(sentence),
      sourceLocation: sourceLocation)
  }
}
