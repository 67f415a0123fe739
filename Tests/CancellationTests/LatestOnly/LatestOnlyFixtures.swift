import Dispatch
import Foundation
import KataTesting
import Testing

/// What replaces a request.
enum Replacement: String, CaseIterable, Sendable {
  case ask = "another ask"
  case cancel = "cancel()"
  case letGo = "the release by its owner"
}

/// Requests that reply when the spec says so, and a record of what was delivered.
///
/// Requests are numbered from 1 in the order in which they begin; each is inside while it's being
/// begun.
final class HandSearches: Sendable, OpaqueMirror {
  typealias Latest = LatestOnly<String, String>
  /// What happens during something else; the number is the request's.
  typealias Inside = @Sendable (_ searches: HandSearches, _ number: Int) -> Void

  /// One request that was begun.
  private struct Search {
    let query: String
    let reply: Latest.Reply
    let row: String
    var cancellations = 0
  }

  let timeline = Timeline()
  let answers = DispatchQueue(label: "katas.spec.latest-only.answers")
  private let searches = LockedValue<[Search]>([])
  private let heardSoFar = LockedValue<[String]>([])
  private let subject = LockedValue<Latest?>(nil)
  private let watched: WeakReference<Latest>

  init(
    inBegin: @escaping Inside = { _, _ in }, inCancel: @escaping Inside = { _, _ in },
    inAnswer: @escaping @Sendable (HandSearches, String) -> Void = { _, _ in }
  ) {
    let places = Places(["the answer queue": answers])
    // Weak: that its own requests retain it for ever is another mistake, with a test of its own.
    let own = LockedValue<WeakReference<HandSearches>?>(nil)
    let latest = Latest(answerQueue: answers) { query, reply in
      let number = own.value?.value?.begin(query, reply, inBegin) ?? 0
      return {
        guard let searches = own.value?.value else { return }
        searches.wasCancelled(number)
        inCancel(searches, number)
      }
    } onAnswer: { query, answer in
      guard let searches = own.value?.value else { return }
      searches.hear("\(query): \(answer)", at: places.current)
      inAnswer(searches, query)
    }
    subject.set(latest)
    watched = WeakReference(latest)
    own.set(WeakReference(self))
  }

  // MARK: - Moves

  /// Asks on the calling thread.
  func ask(_ query: String) {
    timeline.mark("asks", query)
    subject.value?.ask(query)
  }

  /// Cancels on the calling thread.
  func cancel() {
    timeline.mark("asks", "cancel()")
    subject.value?.cancel()
  }

  func replace(by replacement: Replacement) {
    switch replacement {
    case .ask: ask("newer")
    case .cancel: cancel()
    case .letGo:
      timeline.mark("asks", "is gone")
      subject.set(nil)
    }
  }

  /// Request `number` replies on the calling thread; does nothing if there is none.
  func reply(_ number: Int, _ answer: String = "hits") {
    guard let search = searches.value.dropFirst(number - 1).first else { return }
    timeline.mark(search.row, "replies")
    search.reply(answer)
  }

  // MARK: - The record

  /// What was delivered so far, as "query: answer".
  var heard: [String] { heardSoFar.value }
  /// The queries of the requests so far.
  var queries: [String] { searches.value.map(\.query) }
  /// How often each request was cancelled.
  var cancellations: [Int] { searches.value.map(\.cancellations) }
  /// Whether the `LatestOnly` still exists.
  var isAlive: Bool { !watched.isGone }

  private func begin(_ query: String, _ reply: @escaping Latest.Reply, _ inBegin: Inside) -> Int {
    let (number, row) = searches.withLock { searches in
      let row = "\(searches.count + 1) (\(query))"
      searches.append(Search(query: query, reply: reply, row: row))
      return (searches.count, row)
    }
    timeline.visit(row) { inBegin(self, number) }
    return number
  }

  private func wasCancelled(_ number: Int) {
    let row = searches.withLock { searches in
      searches[number - 1].cancellations += 1
      return searches[number - 1].row
    }
    timeline.mark(row, "is cancelled")
  }

  private func hear(_ text: String, at place: String) {
    let text = place == "elsewhere" ? "\(text), on another queue" : text
    heardSoFar.append(text)
    timeline.mark("hears", text)
  }
}
