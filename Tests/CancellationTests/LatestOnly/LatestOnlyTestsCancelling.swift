import Dispatch
import Foundation
import KataTesting
import Testing

extension LatestOnlyTests {
  // MARK: - Cancel and release

  @Test func `cancel silences until the next ask`() throws {
    let searches = HandSearches()
    try mustReturn("cancel()") { searches.cancel() }
    try ask("ca", searches)
    for _ in 1...2 { try mustReturn("cancel()") { searches.cancel() } }
    expectCancellations(
      [1], searches, "cancel() was called twice; the request must be cancelled, once.")
    try reply(1, searches)
    expectHeard([], searches, "cancel() was called, and then the request replied.")
    try ask("cat", searches)
    expectCancellations(
      [1, 0], searches, "The new request must run, and the old one be left alone.")
    try reply(1, searches)
    try reply(2, searches)
    expectHeard(["cat: hits"], searches, "It was asked again after cancel(): deliver the answer.")
  }

  @Test func `released, it cancels its request and is silent`() throws {
    let searches = HandSearches()
    try ask("ca", searches)
    try mustReturn("the release") { searches.replace(by: .letGo) }
    runUntilQuiet()
    try #require(
      !searches.isAlive,
      """
      Its owner released it, and it still exists: the request in flight retains its reply, and the \
      reply retains it. Capture it weakly.
      """)
    expectCancellations(
      [1], searches,
      "Its owner released it, and its request runs on: cancel the request in deinit.")
    try reply(1, searches)
    expectHeard([], searches, "Its owner released it, and then the request replied.")
  }

  // The request retains what it replies to, which may retain the closure that cancels the request.
  @Test(
    arguments: [
      "reply", "reply inside begin", "delivery inside begin", "ask inside begin",
      "cancel() inside begin",
    ]
      + Replacement.allCases.map { $0.rawValue })
  func `nothing of a request that is over is retained`(life: String) throws {
    let (watched, latest) = try mustReturn("a request's life") {
      let watched = WatchedRequest()
      let begun = SharedCounter()
      let answers = DispatchQueue(label: "katas.spec")
      let latest = WatchedRequest.Latest(answerQueue: answers) { query, reply in
        guard begun.increment() == 1 else { return {} }
        let request = WatchedRequest.Request(reply)
        watched.requests.append(WeakReference(request))
        watched.queries.append(WeakReference(query))
        if life.hasPrefix("reply inside") || life.hasPrefix("delivery") { watched.reply() }
        if life.hasPrefix("delivery") { answers.sync {} }
        if life == "ask inside begin" { watched.latest.value?.value?.ask(WatchedRequest.Part()) }
        if life == "cancel() inside begin" { watched.latest.value?.value?.cancel() }
        return { withExtendedLifetime(request) {} }
      } onAnswer: { _, _ in
      }
      watched.latest.set(WeakReference(latest))
      latest.ask(WatchedRequest.Part())
      if life == "reply" { watched.reply() }
      if life == Replacement.ask.rawValue { latest.ask(WatchedRequest.Part()) }
      if life == Replacement.cancel.rawValue { latest.cancel() }
      return (watched, life == Replacement.letGo.rawValue ? nil : latest)
    }
    runUntilQuiet()
    #expect(
      watched.requests.value.allSatisfy { $0.isGone },
      """
      After this: \(life), the request is over and nothing else retains it; but it still exists. \
      It retains its reply, and the reply retains what cancels it: release that when the request \
      is over.
      """)
    #expect(
      watched.queries.value.allSatisfy { $0.isGone },
      """
      After this: \(life), the request is over, and its query still exists; a query may be a whole \
      picture. Keep it no longer than the request, or only in the closures that need it.
      """)
    #expect(
      watched.answers.value.allSatisfy { $0.isGone },
      """
      After this: \(life), the answer was delivered or is stale, and it still exists. Only \
      onAnswer may keep it. Release the answer, and the closure or work item that delivers it.
      """)
    withExtendedLifetime(latest) {}
  }
}
