import Foundation
import KataTesting
import Testing

/// Questions, replies and cancellations in any order, while the answer queue is free or busy.
struct LatestOnlyScript: ScriptedModel {
  enum Move: Sendable, CustomStringConvertible {
    case ask(String), reply(Int), cancel, hold, release

    var description: String {
      switch self {
      case .ask(let query): "ask \"\(query)\""
      case .reply(let number): "request \(number) replies"
      case .cancel: "cancel()"
      case .hold: "the answer queue is busy"
      case .release: "the answer queue is free again"
      }
    }
  }

  /// The state that a request should have.
  private struct Search {
    let query: String
    var isOpen = true
    var cancellations = 0
  }

  private let desk = HandSearches()
  private var searches: [Search] = []
  private var newest: Int?
  private var inLine: [(number: Int, answer: String)] = []
  private var heard: [String] = []
  private var busy: Gate?
  private var replies = 0

  init() {}

  var timeline: Timeline { desk.timeline }

  func moves() -> [Move] {
    let numbers = searches.indices.map { Move.reply($0 + 1) }
    return [.ask("ca"), .ask("cat")] + numbers + [.cancel, busy == nil ? .hold : .release]
  }

  mutating func make(_ move: Move) {
    switch move {
    case .ask(let query):
      giveUp()
      searches.append(Search(query: query))
      newest = searches.count
      call("ask") { $0.ask(query) }
    case .cancel:
      giveUp()
      newest = nil
      call("cancel()") { $0.cancel() }
    case .reply(let number):
      // Each reply has a text of its own, which shows which one is delivered.
      replies += 1
      let answer = "answer \(replies)"
      if searches.indices.contains(number - 1), searches[number - 1].isOpen {
        searches[number - 1].isOpen = false
        inLine.append((number, answer))
      }
      call("reply") { $0.reply(number, answer) }
    case .hold:
      let gate = Gate("the answer queue is free")
      busy = gate
      desk.answers.async { gate.wait() }
    case .release:
      busy?.open()
      busy = nil
    }
    deliver()
  }

  private mutating func giveUp() {
    guard let newest, searches[newest - 1].isOpen else { return }
    searches[newest - 1].isOpen = false
    searches[newest - 1].cancellations = 1
  }

  private mutating func deliver() {
    guard busy == nil else { return }
    for (number, answer) in inLine where number == newest {
      heard.append("\(searches[number - 1].query): \(answer)")
    }
    inLine = []
  }

  /// Calls the answer on a thread of its own: it might not return.
  private func call(_ name: String, _ body: @escaping @Sendable (HandSearches) -> Void) {
    let desk = desk
    _ = TestThread(name) { body(desk) }
  }

  func broken() -> String? {
    guard desk.queries == searches.map(\.query) else {
      return "Each ask must begin a request; the queries of those begun are: \(desk.queries)."
    }
    guard desk.cancellations == searches.map(\.cancellations) else {
      return """
        Each request must be cancelled as often as this: \(searches.map(\.cancellations)). They \
        were cancelled as often as this: \(desk.cancellations).
        """
    }
    guard desk.heard == heard else {
      return "Delivered was \(desk.heard), and must be \(heard)."
    }
    return nil
  }
}
