import Dispatch
import KataTesting
import Testing

/// A request, its query and its answer, which exist as long as something else retains them.
final class WatchedRequest: Sendable, OpaqueMirror {
  typealias Latest = LatestOnly<Part, Part>

  /// A query or an answer; `Hashable` because some answers compare their queries.
  final class Part: Sendable, Hashable {
    static func == (one: Part, other: Part) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// Retains what it replies to.
  final class Request: Sendable {
    let reply: Latest.Reply

    init(_ reply: @escaping Latest.Reply) { self.reply = reply }
  }

  /// The `LatestOnly` that the request belongs to.
  let latest = LockedValue<WeakReference<Latest>?>(nil)
  let requests = LockedValue<[WeakReference<Request>]>([])
  let queries = LockedValue<[WeakReference<Part>]>([])
  let answers = LockedValue<[WeakReference<Part>]>([])

  /// The request replies, if it still exists, with an answer that nothing else retains.
  func reply() {
    let answer = Part()
    answers.append(WeakReference(answer))
    requests.value.first?.value?.reply(answer)
  }
}

/// A call that changes what is delivered.
enum LatestCall: String, CaseIterable, Sendable {
  case ask = "ask", cancel = "cancel()", reply = "the reply"
}

/// A request in flight whose record orders no threads.
final class UnorderedSearch: Sendable, OpaqueMirror {
  let latest: LatestOnly<String, String>
  let heard = SharedCounter()
  private let begun = Begun()

  /// The reply that begin received.
  private final class Begun: Sendable {
    // Safe: set by a thread that has done its part before another one reads it.
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
