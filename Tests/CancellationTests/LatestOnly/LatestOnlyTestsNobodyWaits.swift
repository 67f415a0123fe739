import Dispatch
import Foundation
import KataTesting
import Testing

extension LatestOnlyTests {
  // MARK: - No thread has to wait

  // one thread             another thread      a third one
  // asks "ca"
  //   is held in begin     asks "cat"
  //   begin returns
  //   cancels "ca", which replies, and takes its time
  //                                            asks, and must return
  @Test func `no thread has to wait for a cancel that follows begin`() throws {
    let goOn = Gate("begin returns")
    let end = Gate("the request's cancel returns")
    let searches = HandSearches(
      inBegin: { _, number in if number == 1 { goOn.wait() } },
      inCancel: { searches, number in
        guard number == 1 else { return }
        searches.reply(1)
        end.wait()
      })
    let asking = TestThread("ask") { searches.ask("ca") }
    eventually("ask was called, and begin wasn't.") { goOn.waiting == 1 }
    try ask("cat", searches)
    goOn.open()
    eventually(
      """
      "ca" was being begun when "cat" was asked, so it must be cancelled when its begin has \
      returned; and it replies there, as many do. Call the closure that cancels it, and hold no \
      lock meanwhile.
      """
    ) { end.waiting == 1 }
    let other = TestThread("another thread") {
      searches.ask("cats")
      searches.reply(3)
    }
    eventually(
      """
      "ca" was replaced while it was being begun, and is cancelled now, which takes its time. \
      Meanwhile another thread asks; it must not block, and it did. Decide under the lock, and \
      cancel without it.
      """
    ) { other.hasReturned }
    end.open()
    try asking.result()
    expectCancellations([1, 1, 0], searches, "Each but the last must be cancelled, once.")
    expectHeard(["cats: hits"], searches, "\"cats\" was asked last, and its request replied.")
  }

  @Test func `onAnswer may ask and cancel`() throws {
    let searches = HandSearches(inAnswer: { searches, query in
      if query == "ca" { searches.ask("cat") } else { searches.cancel() }
    })
    try ask("ca", searches)
    try reply(1, searches)
    #expect(
      searches.queries == ["ca", "cat"],
      searches.timeline.showing(
        """
        onAnswer received the answer to "ca" and asked "cat", which must begin a request. Hold no \
        lock while onAnswer is called.
        """))
    try reply(2, searches)
    expectHeard(
      ["ca: hits", "cat: hits"], searches,
      "onAnswer asked again when it received the first answer, and called cancel() at the second.")
    try ask("cats", searches)
    try reply(3, searches)
    #expect(
      searches.heard.last == "cats: hits",
      searches.timeline.showing("Later it was asked again, and the answer isn't delivered."))
  }

  // one thread             another thread
  // is held in `place`     asks, cancels, asks "cat", its request replies
  //                        must return
  @Test(arguments: ["begin", "a request's cancel", "onAnswer"])
  func `no thread has to wait for a closure that is called`(place: String) throws {
    let goOn = Gate("\(place) returns")
    let hold: @Sendable (String) -> Void = { here in
      if here == place, !goOn.isOpen, goOn.waiting == 0 { goOn.wait() }
    }
    let searches = HandSearches(
      inBegin: { _, number in if number == 1 { hold("begin") } },
      inCancel: { _, number in if number == 1 { hold("a request's cancel") } },
      inAnswer: { _, _ in hold("onAnswer") })
    let first = TestThread("the first call") {
      searches.ask("ca")
      if place == "a request's cancel" { searches.cancel() }
      if place == "onAnswer" { searches.reply(1) }
    }
    eventually("It never came as far as \(place).") { goOn.waiting == 1 }
    let other = TestThread("another thread") {
      searches.ask("c")
      searches.cancel()
      searches.ask("cat")
      searches.reply(3)
    }
    eventually(
      """
      \(place) takes its time, and meanwhile another thread asks, cancels, and its request \
      replies. It must not block, and it did: \(place) was called while a lock was held or a queue \
      occupied.
      """
    ) { other.hasReturned }
    goOn.open()
    try first.result()
    runUntilQuiet()
    #expect(
      searches.heard.last == "cat: hits",
      searches.timeline.showing(
        "\(place) took its time; meanwhile \"cat\" was asked and replied: deliver that."))
    expectCancellations(
      [place == "onAnswer" ? 0 : 1, 1, 0], searches,
      """
      \(place) took its time, for "ca"; meanwhile "c" was asked, then cancel() called, then "cat" \
      asked. "c" must be cancelled once, and so must "ca", unless it has replied; "cat" must not. \
      Mark a request as over before you call the closure that cancels it.
      """)
  }

  // MARK: - Many threads

  @Test func `asked by many threads, the last one is delivered`() throws {
    let gates = (1...4).map { Gate("begin \($0) returns") }
    let searches = HandSearches(inBegin: { _, number in gates[number - 1].wait() })
    var asking: [TestThread<Void>] = []
    for (number, query) in zip(1...4, ["a", "b", "c", "d"]) {
      asking.append(TestThread("ask") { searches.ask(query) })
      try #require(
        eventually(
          searches.timeline.showing(
            "\(number) threads have asked, and the request of the last of them never begins.")
        ) { gates[number - 1].waiting == 1 })
    }
    for number in [2, 4, 1, 3] {
      gates[number - 1].open()
      try asking[number - 1].result()
      runUntilQuiet()
    }
    searches.timeline.expect(
      """
      asks   ●         ●         ●         ●  a, b, c, d
      1 (a)       ├─────────────────────────────────────────────────┤    ●  is cancelled
      2 (b)                 ├────────────────────────┤    ●  is cancelled
      3 (c)                           ├───────────────────────────────────────┤    ●  is cancelled
      4 (d)                                     ├──────────────┤
      """,
      """
      Four threads asked, and their begins returned in the order 2, 4, 1, 3. The last to ask is \
      the newest, whichever returns last: the other three must be cancelled once each, and that \
      one not.
      """)
    for number in [4, 1, 2, 3] { try reply(number, searches) }
    expectHeard(
      ["d: hits"], searches, "Four threads asked, and all replied; deliver the answer to the last.")
  }

  // one thread    another thread
  // the first
  //               the second: only a lock of the answer orders the two
  @Test(arguments: LatestCall.allCases, LatestCall.allCases)
  func `two calls may come from two threads`(first: LatestCall, second: LatestCall) throws {
    var stale: [UnorderedSearch] = []
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...6 {
      let search = try UnorderedSearch()
      try RelaxedRendezvous.meet("\(first.rawValue), then \(second.rawValue)") {
        search.make(first)
      } _: {
        search.make(second)
      }
      stale.append(search)
    }
    guard first != .reply else { return }
    runUntilQuiet()
    try #require(
      stale.allSatisfy { $0.heard.value == 0 },
      """
      One thread made its request stale (\(first.rawValue)), then another made the call \
      \(second.rawValue), and its answer was delivered.
      """)
  }

  // answer queue              another thread
  // is it the newest? yes
  // onAnswer
  //                           asks: only a lock of the answer orders the two
  @Test(arguments: [LatestCall.ask, .cancel])
  func `while an answer is delivered, another thread may make it stale`(call: LatestCall) throws {
    for _ in 1...6 {
      let meeting = RelaxedRendezvous()
      let search = try UnorderedSearch(inAnswer: { meeting.changed() })
      let other = meeting.looker(call.rawValue) { search.make(call) }
      try mustReturn("reply", timersInPlay: true) { search.make(.reply) }
      try other.result(timersInPlay: true)
      eventually("The request replied, and its answer was never delivered.", timersInPlay: true) {
        search.heard.value == 1
      }
    }
  }

  @Test func `random scripts end as they must`() {
    playScripts(of: LatestOnlyScript.self, scripts: 10, moves: 10)
  }
}
