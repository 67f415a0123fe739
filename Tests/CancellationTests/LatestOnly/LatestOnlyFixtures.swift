import Dispatch
import Foundation
import KataTesting
import Testing

/// What replaces a request.
enum Replacement: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case ask = "another was asked"
  case cancel = "cancel() was called"
  case letGo = "its owner let go of it"

  /// The name in words.
  var testDescription: String { rawValue }
}

/// Requests that reply when the spec says so, and a record of what was heard.
///
/// Requests are numbered from 1 in the order of their beginning.
final class HandSearches: Sendable, OpaqueMirror {
  /// One request that was begun.
  private struct Search {
    let query: String
    let reply: LatestOnly<String, String>.Reply
    let thread = ObjectIdentifier(Thread.current)
    var cancellations = 0
    var row: String
  }

  /// What happens in the midst of something; the number is the request's.
  typealias Inside = @Sendable (_ searches: HandSearches, _ number: Int) -> Void

  let timeline = Timeline()
  let answers = DispatchQueue(label: "katas.spec.latest-only.answers")

  private let key = DispatchSpecificKey<Bool>()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var searches: [Search] = []
  private nonisolated(unsafe) var heardSoFar: [String] = []
  private nonisolated(unsafe) var subject: LatestOnly<String, String>?  // Safe: as above.
  private nonisolated(unsafe) weak var weakSubject: LatestOnly<String, String>?  // Safe: as above.
  private let lock = NSLock()

  init(
    inBegin: @escaping Inside = { _, _ in }, inCancel: @escaping Inside = { _, _ in },
    inAnswer: @escaping @Sendable (HandSearches, String) -> Void = { _, _ in }
  ) {
    answers.setSpecific(key: key, value: true)
    // Weak: who is held for ever by its own requests is a mistake, and not this one's.
    let subject = LatestOnly<String, String>(answerQueue: answers) { [weak self] query, reply in
      let number = self?.begin(query, reply) ?? 0
      if let self { inBegin(self, number) }
      return { [weak self] in
        guard let self else { return }
        wasCancelled(number)
        inCancel(self, number)
      }
    } onAnswer: { [weak self] query, answer in
      guard let self else { return }
      hear("\(query): \(answer)")
      inAnswer(self, query)
    }
    lock.withLock {
      self.subject = subject
      weakSubject = subject
    }
  }

  // MARK: - Moves

  /// Asks on the calling thread.
  func ask(_ query: String) {
    timeline.mark("asks", query)
    lock.withLock { subject }?.ask(query)
  }

  /// Cancels on the calling thread.
  func cancel() {
    timeline.mark("asks", "cancel()")
    lock.withLock { subject }?.cancel()
  }

  /// Lets go of what asks.
  func letGo() {
    timeline.mark("asks", "is gone")
    let last = lock.withLock {
      defer { subject = nil }
      return subject
    }
    withExtendedLifetime(last) {}
  }

  func replace(by replacement: Replacement) {
    switch replacement {
    case .ask: ask("newer")
    case .cancel: cancel()
    case .letGo: letGo()
    }
  }

  /// Request `number` replies on the calling thread; nothing where there is none.
  func reply(_ number: Int, _ answer: String = "hits") {
    let search = lock.withLock {
      searches.indices.contains(number - 1) ? searches[number - 1] : nil
    }
    guard let search else { return }
    timeline.mark(search.row, "replies")
    search.reply(answer)
  }

  /// Keeps the answer queue busy until the gate opens.
  func holdAnswers(until gate: Gate) {
    answers.async { gate.wait() }
  }

  // MARK: - The record

  /// What was heard so far, as "query: answer".
  var heard: [String] { lock.withLock { heardSoFar } }
  /// The queries of the requests so far.
  var queries: [String] { lock.withLock { searches.map(\.query) } }
  /// The threads on which the requests so far were begun.
  var threads: [ObjectIdentifier] { lock.withLock { searches.map(\.thread) } }
  /// How often each request was cancelled.
  var cancellations: [Int] { lock.withLock { searches.map(\.cancellations) } }
  /// Whether what asks is still there.
  var isAlive: Bool { lock.withLock { weakSubject } != nil }

  private func begin(_ query: String, _ reply: @escaping LatestOnly<String, String>.Reply) -> Int {
    let (number, row) = lock.withLock {
      let row = "\(searches.count + 1) (\(query))"
      searches.append(Search(query: query, reply: reply, row: row))
      return (searches.count, row)
    }
    timeline.mark(row, "begins")
    return number
  }

  private func wasCancelled(_ number: Int) {
    let row = lock.withLock {
      searches[number - 1].cancellations += 1
      return searches[number - 1].row
    }
    timeline.mark(row, "is cancelled")
  }

  private func hear(_ text: String) {
    let isThere = DispatchQueue.getSpecific(key: key) == true
    let text = isThere ? text : "\(text), on another queue"
    lock.withLock { heardSoFar.append(text) }
    timeline.mark("hears", text)
  }
}

/// A request, its query and its answer, which are there as long as somebody else holds them.
final class WatchedRequest: Sendable, OpaqueMirror {
  typealias Latest = LatestOnly<Part, Part>

  /// A query or an answer; some answers compare their queries.
  final class Part: Sendable, Hashable {
    static func == (one: Part, other: Part) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// Holds what it replies to.
  final class Request: Sendable {
    let reply: Latest.Reply

    init(_ reply: @escaping Latest.Reply) { self.reply = reply }
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) weak var weakRequest: Request?
  private nonisolated(unsafe) weak var weakQuery: Part?  // Safe: as above.
  private nonisolated(unsafe) weak var weakAnswer: Part?  // Safe: as above.
  private nonisolated(unsafe) weak var weakLatest: Latest?  // Safe: as above.
  private let lock = NSLock()

  var request: Request? { lock.withLock { weakRequest } }
  var query: Part? { lock.withLock { weakQuery } }
  var answer: Part? { lock.withLock { weakAnswer } }

  func set(_ request: Request, query: Part) {
    lock.withLock {
      weakRequest = request
      weakQuery = query
    }
  }

  /// What the request belongs to; not held.
  var latest: Latest? { lock.withLock { weakLatest } }

  func set(_ latest: Latest) { lock.withLock { weakLatest = latest } }

  /// The request replies, if it's there, with an answer that nobody else holds.
  func reply() {
    let answer = Part()
    lock.withLock { weakAnswer = answer }
    request?.reply(answer)
  }
}

// MARK: - Moves that must return

extension LatestOnlyTests {
  /// Asks on a thread of its own, and expects that a request is begun.
  func ask(
    _ query: String, _ searches: HandSearches, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = searches.queries.count
    try mustReturn("ask", sourceLocation: sourceLocation) { searches.ask(query) }
    runUntilQuiet(sourceLocation: sourceLocation)
    try #require(
      searches.queries.dropFirst(before) == [query],
      searches.timeline.showing(
        """
        "\(query)" was asked, so one request must have begun, also where the same was asked before; \
        here \(searches.queries.count - before) began.
        """),
      sourceLocation: sourceLocation)
  }

  func replace(
    by replacement: Replacement, _ searches: HandSearches,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(replacement.rawValue, sourceLocation: sourceLocation) {
      searches.replace(by: replacement)
    }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  func reply(
    _ number: Int, _ searches: HandSearches, _ answer: String = "hits",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn("reply", sourceLocation: sourceLocation) { searches.reply(number, answer) }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Expects that exactly this was heard.
  func expectHeard(
    _ expected: [String], _ searches: HandSearches, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    runUntilQuiet(sourceLocation: sourceLocation)
    let heard = searches.heard.joined(separator: "; ")
    #expect(
      searches.heard == expected,
      searches.timeline.showing(
        "\(sentence) Heard was \(heard.isEmpty ? "nothing" : "\"\(heard)\"")."),
      sourceLocation: sourceLocation)
  }

  /// Expects how often each request was cancelled.
  func expectCancellations(
    _ expected: [Int], _ searches: HandSearches, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      searches.cancellations == expected, searches.timeline.showing(sentence),
      sourceLocation: sourceLocation)
  }
}

// MARK: - Without order

/// A call that changes what is heard.
enum LatestCall: String, CaseIterable, Sendable {
  case ask = "ask", cancel = "cancel()", reply = "the reply"
}

/// A request in flight whose record orders no threads.
final class UnorderedSearch: Sendable, OpaqueMirror {
  let latest: LatestOnly<String, String>
  let heard = Counter()
  private let begun = Begun()

  /// What begin was given.
  private final class Begun: Sendable {
    // Safe: set by a thread that has ended its part before another one reads it.
    nonisolated(unsafe) var reply: LatestOnly<String, String>.Reply?
  }

  init(inAnswer: @escaping @Sendable () -> Void = {}) throws {
    let (begun, heard) = (begun, heard)
    latest = LatestOnly(
      answerQueue: DispatchQueue(label: "katas.spec.latest-only.unordered")
    ) { query, reply in
      if query == "first" { begun.reply = reply }
      return {}
    } onAnswer: { _, _ in
      heard.increment()
      inAnswer()
    }
    let latest = latest
    try mustReturn("ask") { latest.ask("first") }
    try #require(begun.reply != nil, "ask must call begin before it returns.")
  }

  func make(_ call: LatestCall) {
    switch call {
    case .ask: latest.ask("newer")
    case .cancel: latest.cancel()
    case .reply: begun.reply?("hits")
    }
  }
}
