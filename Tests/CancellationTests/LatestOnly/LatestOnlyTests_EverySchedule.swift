import Dispatch
import KataTesting
import Testing

extension LatestOnlyTests {
  // MARK: - Every schedule

  @Test func `in every schedule only the newest request's answer is delivered`() {
    explore(
      CallList(
        FirstSearch.subject, calls: [ask("cat"), cancel, reply(to: "first"), reply(to: "cat")]))
  }

  @Test func `in every schedule requests may be replaced while others begin`() {
    explore([
      Scenario(FirstSearch.subject, threads: [[ask("cat")], [ask("cow"), reply(to: "cow")]]),
      Scenario(FirstSearch.subject, threads: [[ask("cat"), reply(to: "cat")], [cancel]]),
      Scenario(FirstSearch.subject, threads: [[ask("cat")], [ask("cow")], [reply(to: "first")]]),
    ])
  }

  private typealias Call = ModelledCall<FirstSearch, SearchModel>

  /// Once: requests are recognized by their queries.
  private func ask(_ query: String) -> Call {
    Call("ask(\(query))") {
      $0.ask(query)
    } model: {
      $0.ask(query)
    }.onlyOnce
  }

  private var cancel: Call {
    Call("cancel()") {
      $0.latest.cancel()
    } model: {
      $0.replaceNewest(by: nil)
    }
  }

  /// Once: while the first reply is under way, a second one has no effect.
  private func reply(to query: String) -> Call {
    Call("\(query) replies") {
      $0.reply(to: query)
    } model: {
      $0.reply(to: query)
    }.onlyOnce
  }
}

/// A `LatestOnly` that has asked "first", which hasn't replied.
private final class FirstSearch: Sendable, OpaqueMirror {
  /// A request that was begun.
  struct Search: Sendable {
    let reply: LatestOnly<String, String>.Reply
    var hasReplied = false
    var cancellations = 0
  }

  let latest: LatestOnly<String, String>
  private let searches: LockedValue<[String: Search]>
  private let delivered: LockedValue<[String]>
  private let answers = DispatchQueue(label: "katas.spec.latest-only.answers")

  init() {
    let searches = LockedValue<[String: Search]>([:])
    let delivered = LockedValue<[String]>([])
    (self.searches, self.delivered) = (searches, delivered)
    latest = LatestOnly(answerQueue: answers) { query, reply in
      searches.withLock { $0[query] = Search(reply: reply) }
      return { searches.withLock { $0[query]?.cancellations += 1 } }
    } onAnswer: { query, answer in
      delivered.append("\(query): \(answer)")
    }
    latest.ask("first")
  }

  static var subject: ModelledSubject<FirstSearch, SearchModel> {
    ModelledSubject(
      model: SearchModel(), { FirstSearch() }, end: { $0.summary }, modelEnd: { $0.summary })
  }

  func ask(_ query: String) { latest.ask(query) }

  /// Lets a request reply if it has begun, and waits until the answer has been delivered or dropped.
  func reply(to query: String) {
    let search = searches.withLock { searches in
      searches[query]?.hasReplied = true
      return searches[query]
    }
    guard let search else { return }
    search.reply("hits")
    answers.sync {}
  }

  /// What was delivered, and what has become of each request.
  ///
  /// A request that replies while it's replaced may be cancelled or not.
  var summary: String {
    let states = searches.value.mapValues { search in
      switch search.cancellations {
      case 0: search.hasReplied ? "over" : "in flight"
      case 1: "over"
      default: "cancelled \(times(search.cancellations))"
      }
    }
    return SearchModel.summary(delivered.value, states)
  }
}

private struct SearchModel: Sendable {
  private var newest: String? = "first"
  /// For each request whether it's over, by a reply or a cancellation.
  private var isOver = ["first": false]
  private var delivered: [String] = []

  static func summary(_ delivered: [String], _ states: [String: String]) -> String {
    let states = states.sorted { $0.key < $1.key }.map { "\($0.key) is \($0.value)" }
    return "delivered: \(delivered), \(states.joined(separator: ", "))"
  }

  var summary: String {
    Self.summary(delivered, isOver.mapValues { $0 ? "over" : "in flight" })
  }

  mutating func ask(_ query: String) {
    replaceNewest(by: query)
    isOver[query] = false
  }

  mutating func replaceNewest(by query: String?) {
    if let newest { isOver[newest] = true }
    newest = query
  }

  mutating func reply(to query: String) {
    if isOver[query] == false, newest == query { delivered.append("\(query): hits") }
    if isOver[query] != nil { isOver[query] = true }
  }
}
