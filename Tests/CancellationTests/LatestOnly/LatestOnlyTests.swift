import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that only the newest request is heard, that a request replaced, given up or let go of is
/// cancelled once and stays silent, unless it has replied, and that nobody waits for what is called.
@Suite(.serialized, .kata) struct LatestOnlyTests {
  // MARK: - One request

  @Test func `an answer is heard, on the answer queue`() throws {
    let searches = HandSearches()
    try ask("ca", searches)
    try reply(1, searches)
    expectHeard(
      ["ca: hits"], searches,
      """
      "ca" was asked, and its request replied; no other was asked. Begin there: what begin gives you \
      calls onAnswer with query and answer, once, on the answer queue.
      """)
    expectCancellations([0], searches, "Its request was cancelled, and nobody has asked for that.")
  }

  @Test func `a reply inside begin is heard, after ask has returned`() throws {
    let searches = HandSearches(inBegin: { searches, number in searches.reply(number) })
    try mustReturn(
      "ask",
      """
      The answer was at hand, and the request replied before begin returned; and who asked was on \
      the answer queue. Hold no lock there, and don't wait for the answer queue: it waits for you.
      """
    ) {
      searches.answers.sync {
        searches.ask("ca")
        searches.timeline.mark("asks", "returned")
      }
    }
    expectHeard(["ca: hits"], searches, "The request replied inside begin.")
    searches.timeline.expect(
      """
      asks    ●                   ●  ca, returned
      1 (ca)       ├────●────┤  replies
      hears                            ●  ca: hits
      """,
      """
      The answer was at hand, and was delivered inside ask. Who asks isn't ready for it there: \
      deliver it by answerQueue.async.
      """)
    expectCancellations([0], searches, "It replied inside begin, and was cancelled all the same.")
    try ask("cat", searches)
    #expect(
      searches.cancellations.first == 0,
      searches.timeline.showing(
        """
        The first request replied inside begin, so it's over; and it was cancelled when another was \
        asked.
        """))
  }

  @Test func `a second reply of a request isn't heard`() throws {
    let searches = HandSearches()
    try ask("ca", searches)
    try reply(1, searches, "hits")
    try reply(1, searches, "more hits")
    expectHeard(["ca: hits"], searches, "A request replied twice; its first reply is its answer.")
    try ask("cat", searches)
    let busy = Gate("the answer queue is free")
    searches.answers.async { busy.wait() }
    try mustReturn("replies") {
      searches.reply(2, "hits")
      searches.reply(2, "more hits")
    }
    busy.open()
    expectHeard(
      ["ca: hits", "cat: hits"], searches,
      "A request replied twice while the answer queue was busy; its first reply is its answer.")
  }

  @Test func `a request is begun by whoever asks`() throws {
    let asker = ThreadMark()
    let begunByAsker = Locked<[Bool]>([])
    let searches = HandSearches(inBegin: { _, _ in begunByAsker.append(asker.isCurrent) })
    for query in ["ca", "cat"] {
      try mustReturn("ask") {
        asker.note()
        searches.ask(query)
      }
      runUntilQuiet()
      #expect(
        begunByAsker.value.last == true,
        searches.timeline.showing(
          """
          "\(query)" was asked, and its request wasn't begun on the thread that asked. Call begin \
          inside ask: who asks relies on it that the request is on its way.
          """))
    }
  }

  // MARK: - Older requests

  @Test func `an older request is cancelled`() throws {
    let searches = HandSearches()
    for query in ["c", "ca", "cat"] { try ask(query, searches) }
    expectCancellations(
      [1, 1, 0], searches,
      """
      Three were asked, one after the other. Those before the last must be cancelled, once each, and \
      the last must not: until then they run on, for nobody.
      """)
  }

  @Test(arguments: [[1, 2], [2, 1]]) func `a stale answer is never heard`(order: [Int]) throws {
    let searches = HandSearches()
    try ask("ca", searches)
    try ask("cat", searches)
    for number in order { try reply(number, searches) }
    expectHeard(
      ["cat: hits"], searches,
      """
      "ca" was asked, then "cat"; the replies came for \
      \(order == [1, 2] ? "\"ca\", then \"cat\"" : "\"cat\", then \"ca\""). Only the newest request \
      may be heard, whichever replies last.
      """)
  }

  @Test func `the same query asked again is another request`() throws {
    let searches = HandSearches()
    for query in ["ca", "cat", "ca", "ca"] { try ask(query, searches) }
    expectCancellations(
      [1, 1, 1, 0], searches, "Each but the last must be cancelled once, whatever it asked for.")
    for (number, answer) in [(1, "old"), (3, "older than the last"), (4, "new"), (2, "old")] {
      try reply(number, searches, answer)
    }
    expectHeard(
      ["ca: new"], searches,
      """
      "ca" was asked, then "cat", then "ca" twice. What the first of them finds is stale, though its \
      query is the newest one's: tell requests apart, not what they ask for.
      """)
  }

  // answer queue      caller
  // is busy
  // "ca: hits" waits
  //                   replaces it; nobody may hear "ca" from now on
  // is free
  @Test(arguments: Replacement.allCases)
  func `an answer that waits in the answer queue may still go stale`(
    replacement: Replacement
  ) throws {
    let searches = HandSearches()
    try ask("ca", searches)
    let busy = Gate("the answer queue is free")
    searches.answers.async { busy.wait() }
    // No look for quiet here: the replacement comes while the answer waits, however fast.
    try mustReturn("reply") { searches.reply(1) }
    try mustReturn(replacement.rawValue) { searches.replace(by: replacement) }
    runUntilQuiet()
    busy.open()
    expectHeard(
      [], searches,
      """
      The answer came while the answer queue was busy; then \(replacement.rawValue), and then the \
      queue was free. Ask on the answer queue, just before you deliver, whether it's still wanted.
      """)
  }

  @Test(arguments: Replacement.allCases)
  func `a request that has replied isn't cancelled`(replacement: Replacement) throws {
    let searches = HandSearches()
    try ask("ca", searches)
    try reply(1, searches)
    try mustReturn(replacement.rawValue) { searches.replace(by: replacement) }
    runUntilQuiet()
    #expect(
      searches.cancellations.first == 0,
      searches.timeline.showing(
        """
        Its request had replied, then \(replacement.rawValue), and it was cancelled. It's over: there \
        is nothing to cancel.
        """))
  }

  @Test func `two of them don't make each other's requests stale`() throws {
    let (one, other) = (HandSearches(), HandSearches())
    try ask("ca", one)
    try ask("do", other)
    try reply(1, one)
    expectHeard(
      ["ca: hits"], one,
      """
      There are two that ask: one asked "ca", then the other one asked "do", and then the request for \
      "ca" replied. It's the newest request of the first one, and must be heard: which one is the newest \
      belongs to each of them.
      """)
    try ask("cat", one)
    try mustReturn("cancel()") { other.cancel() }
    expectCancellations(
      [0, 0], one, "cancel() was called on another one, and cancelled a request here.")
    expectCancellations([1], other, "cancel() was called, so the request must be cancelled, once.")
    try reply(2, one)
    expectHeard(["ca: hits", "cat: hits"], one, "cancel() was called on another one.")
  }

  // MARK: - Cancel and let go

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
    expectHeard(["cat: hits"], searches, "It was asked again after cancel(), and must be heard.")
  }

  @Test func `let go of, it cancels and is silent`() throws {
    let searches = HandSearches()
    try ask("ca", searches)
    try mustReturn("letting go") { searches.replace(by: .letGo) }
    runUntilQuiet()
    try #require(
      !searches.isAlive,
      """
      Its owner let go of it, and it's still there: the request in flight holds its reply, and the \
      reply holds it. Capture it weakly.
      """)
    expectCancellations(
      [1], searches,
      "Its owner let go of it, and its request runs on for nobody: cancel it in deinit.")
    try reply(1, searches)
    expectHeard([], searches, "Its owner let go of it, and then the request replied.")
  }

  // The request holds what it replies to, which may hold what cancels the request.
  @Test(
    arguments: ["reply", "reply inside begin", "ask inside begin", "cancel() inside begin"]
      + Replacement.allCases.map(\.rawValue))
  func `of a request that is over nothing is kept`(life: String) throws {
    let (watched, latest) = try mustReturn("a request's life") {
      let watched = WatchedRequest()
      let begun = Counter()
      let latest = WatchedRequest.Latest(answerQueue: DispatchQueue(label: "katas.spec")) {
        query, reply in
        guard begun.increment() == 1 else { return {} }
        let request = WatchedRequest.Request(reply)
        watched.requests.append(WeakReference(request))
        watched.queries.append(WeakReference(query))
        if life == "reply inside begin" { watched.reply() }
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
      After this: \(life), the request is over and nobody else holds it; but it's still there. It \
      holds its reply, and that holds what cancels it: let go of that when the request is over.
      """)
    #expect(
      watched.queries.value.allSatisfy { $0.isGone },
      """
      After this: \(life), the request is over, and what it asked for is still there; a query may be \
      a whole picture. Keep it no longer than the request, or only in the closures that need it.
      """)
    #expect(
      watched.answers.value.allSatisfy { $0.isGone },
      """
      After this: \(life), the answer was heard or is stale, and it's still there; who heard it keeps \
      it, if anybody does. Let go of it, and of the closure or work item that delivers it.
      """)
    withExtendedLifetime(latest) {}
  }

  // MARK: - In the midst

  @Test(arguments: ["by another thread", "by what begins it"])
  func `replaced while it's being begun, it's cancelled then`(how: String) throws {
    let goOn = Gate("begin returns")
    let searches = HandSearches(inBegin: { searches, number in
      guard number == 1 else { return }
      if how == "by what begins it" { searches.ask("cat") }
      goOn.wait()
    })
    let asking = TestThread("ask") { searches.ask("ca") }
    eventually("ask never calls begin; or begin asked for something else, and never came back.") {
      goOn.waiting == 1
    }
    if how == "by another thread" { try ask("cat", searches) }
    goOn.open()
    try asking.result()
    searches.timeline.expect(
      """
      asks     ●         ●  ca, cat
      1 (ca)        ├───────────────────┤    ●  is cancelled
      2 (cat)                 ├────┤
      """,
      """
      "ca" was being begun when "cat" was asked. There was nothing to cancel "ca" with then; there is \
      since begin has returned. It must be cancelled once, and "cat" not.
      """)
    try ask("cats", searches)
    expectCancellations(
      [1, 1, 0], searches,
      """
      "ca" was being begun when "cat" was asked, and its begin returned last. Then "cats" was asked, \
      and must cancel "cat": what cancels "ca" mustn't take its place.
      """)
    for number in [1, 2, 3] { try reply(number, searches) }
    expectHeard(["cats: hits"], searches, "All three replied; the newest alone must be heard.")
  }

  @Test func `cancelled while it's being begun, the request is cancelled then`() throws {
    let goOn = Gate("begin returns")
    let searches = HandSearches(inBegin: { _, number in if number == 1 { goOn.wait() } })
    let asking = TestThread("ask") { searches.ask("ca") }
    eventually("ask was called, and begin wasn't.") { goOn.waiting == 1 }
    try mustReturn("cancel()") { searches.cancel() }
    goOn.open()
    try asking.result()
    expectCancellations(
      [1], searches,
      """
      Its request was being begun when cancel() came, and there was nothing to cancel it with; there \
      is since begin has returned: cancel it then, once.
      """)
    try reply(1, searches)
    expectHeard(
      [], searches, "Its request was being begun when cancel() came, and then it replied.")
  }

  // one thread             another thread
  // asks "ca"
  //   is held in begin     replaces it, and its request replies
  //   begin returns        it's over: nothing to cancel
  @Test(arguments: [Replacement.ask, .cancel])
  func `replaced while it's being begun, it may reply before that ends`(
    replacement: Replacement
  ) throws {
    let goOn = Gate("begin returns")
    let searches = HandSearches(inBegin: { _, number in if number == 1 { goOn.wait() } })
    let asking = TestThread("ask") { searches.ask("ca") }
    eventually("ask was called, and begin wasn't.") { goOn.waiting == 1 }
    try mustReturn(replacement.rawValue) { searches.replace(by: replacement) }
    try reply(1, searches)
    goOn.open()
    try asking.result()
    runUntilQuiet()
    #expect(
      searches.cancellations.first == 0,
      searches.timeline.showing(
        """
        Its request was being begun when \(replacement.rawValue); then it replied, and then begin \
        returned. It's over by its reply, and was cancelled all the same: note the reply of a request \
        that nobody wants, too.
        """))
    expectHeard(
      [], searches, "Its request was replaced while it was being begun, and then it replied.")
  }

  @Test func `a reply inside a request's cancel isn't heard`() throws {
    let searches = HandSearches(inCancel: { searches, number in searches.reply(number) })
    try ask("ca", searches)
    try mustReturn(
      "ask", "The older request replied before its cancel returned, as many do: hold no lock there."
    ) { searches.ask("cat") }
    try mustReturn("cancel()") { searches.cancel() }
    expectCancellations([1, 1], searches, "Both must be cancelled once: by ask and by cancel().")
    expectHeard([], searches, "The requests replied, each to its own cancellation.")
  }

  // one thread
  // asks "ca", then "cat"
  //   cancels "ca", which asks "cats"
  // "cats" was asked last
  @Test func `asked inside a request's cancel, the last one is heard`() throws {
    let searches = HandSearches(inCancel: { searches, number in
      if number == 1, searches.queries.count < 4 { searches.ask("cats") }
    })
    try ask("ca", searches)
    try mustReturn(
      "ask", "The older request asked for something else when it was cancelled: hold no lock there."
    ) { searches.ask("cat") }
    runUntilQuiet()
    let numbers = ["ca", "cat", "cats"].map { (searches.queries.firstIndex(of: $0) ?? 0) + 1 }
    for number in numbers { try reply(number, searches) }
    let cancelled = numbers.map {
      searches.cancellations.indices.contains($0 - 1) ? searches.cancellations[$0 - 1] : 0
    }
    #expect(
      searches.queries.count == 3 && cancelled[0] == 1 && cancelled[2] == 0
        && searches.heard == ["cats: hits"],
      searches.timeline.showing(
        """
        "cat" was asked, which cancelled "ca", and that asked "cats" there and then: the newest of all. \
        All three replied; only "cats" may be heard. Put the new request in place before you cancel the \
        one before it.
        """))
  }

  @Test func `asked inside a request's cancel by cancel(), it's heard`() throws {
    let searches = HandSearches(inCancel: { searches, number in
      if number == 1, searches.queries.count == 1 { searches.ask("cat") }
    })
    try ask("ca", searches)
    try mustReturn(
      "cancel()", "The request asked for something else when it was cancelled: hold no lock there."
    ) { searches.cancel() }
    searches.timeline.expect(
      """
      asks     ●              ●         ●  ca, cancel(), cat
      1 (ca)        ├────┤         ●  is cancelled
      2 (cat)                                ├────┤
      """,
      """
      cancel() cancelled "ca", and that asked "cat" there and then. "ca" must be cancelled once, and "cat" \
      not.
      """)
    try reply(2, searches)
    expectHeard(
      ["cat: hits"], searches,
      """
      cancel() cancelled "ca", and that asked "cat" there and then, which nobody has given up. Take the \
      request out of its place first, and cancel it then.
      """)
  }

  // one thread             another thread      a third one
  // asks "ca"
  //   is held in begin     asks "cat"
  //   begin returns
  //   cancels "ca", which replies, and takes its time
  //                                            asks, and must return
  @Test func `nobody has to wait for what is cancelled when its begin returns`() throws {
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
      "ca" was being begun when "cat" was asked, so it must be cancelled when its begin has returned; and \
      it replies there, as many do. Call what cancels it, and hold no lock while you do.
      """
    ) { end.waiting == 1 }
    let other = TestThread("another thread") {
      searches.ask("cats")
      searches.reply(3)
    }
    eventually(
      """
      "ca" was replaced while it was being begun, and is cancelled now, which takes its time; meanwhile \
      another thread asks, and was held up. Decide under the lock, and cancel without it.
      """
    ) { other.hasReturned }
    end.open()
    try asking.result()
    expectCancellations([1, 1, 0], searches, "Each but the last must be cancelled, once.")
    expectHeard(["cats: hits"], searches, "\"cats\" was asked last, and its request replied.")
  }

  @Test func `whoever hears an answer may ask and cancel`() throws {
    let searches = HandSearches(inAnswer: { searches, query in
      if query == "ca" { searches.ask("cat") } else { searches.cancel() }
    })
    try ask("ca", searches)
    try reply(1, searches)
    #expect(
      searches.queries == ["ca", "cat"],
      searches.timeline.showing(
        """
        Who heard the answer to "ca" asked "cat" there and then, and that must begin a request. Hold no \
        lock while onAnswer is called.
        """))
    try reply(2, searches)
    expectHeard(
      ["ca: hits", "cat: hits"], searches,
      "Who heard the first answer asked for the second, and who heard that called cancel().")
    try ask("cats", searches)
    try reply(3, searches)
    #expect(
      searches.heard.last == "cats: hits",
      searches.timeline.showing("Later it was asked again, and nobody hears the answer."))
  }

  // one thread             another thread
  // is held in `place`     asks, cancels, asks "cat", its request replies
  //                        must return
  @Test(arguments: ["begin", "a request's cancel", "onAnswer"])
  func `nobody has to wait for what is called`(place: String) throws {
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
      \(place) takes its time; meanwhile another thread asks, cancels, and its request replies. It \
      was held up: a lock is held, or a queue occupied, while that is called.
      """
    ) { other.hasReturned }
    goOn.open()
    try first.result()
    runUntilQuiet()
    #expect(
      searches.heard.last == "cat: hits",
      searches.timeline.showing(
        "\(place) took its time; meanwhile \"cat\" was asked and replied, and must be heard."))
    expectCancellations(
      [place == "onAnswer" ? 0 : 1, 1, 0], searches,
      """
      \(place) took its time, for "ca"; meanwhile "c" was asked, then cancel() called, then "cat" asked. \
      "c" must be cancelled once, and so must "ca", unless it has replied; "cat" mustn't. Note that a \
      request is over before you call what cancels it.
      """)
  }

  // MARK: - Many threads

  @Test func `asked by many threads, the last one is heard`() throws {
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
      Four threads asked, and their begins returned in the order 2, 4, 1, 3. The last to ask is the \
      newest, whoever comes back last: the other three must be cancelled once each, and that one not.
      """)
    for number in [4, 1, 2, 3] { try reply(number, searches) }
    expectHeard(
      ["d: hits"], searches, "Four threads asked, and all replied. The last to ask is heard.")
  }

  // one thread    another thread
  // the first
  //               the second: nothing but a lock of the answer's orders the two
  @Test(arguments: LatestCall.allCases, LatestCall.allCases)
  func `two calls may come from two threads`(first: LatestCall, second: LatestCall) throws {
    var stale: [UnorderedSearch] = []
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...6 {
      let search = try UnorderedSearch()
      try meet("\(first.rawValue), then \(second.rawValue)") {
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
      One thread made its request stale (\(first.rawValue)), then another came with \
      \(second.rawValue), and its answer was heard.
      """)
  }

  // answer queue              another thread
  // is it the newest? yes
  // onAnswer
  //                           asks: nothing but a lock of the answer's orders the two
  @Test(arguments: [LatestCall.ask, .cancel])
  func `while an answer is delivered, another thread may make it stale`(call: LatestCall) throws {
    for _ in 1...6 {
      let meeting = RelaxedRendezvous()
      let search = try UnorderedSearch(inAnswer: { meeting.changed() })
      let other = meeting.looker(call.rawValue) { search.make(call) }
      try mustReturn("reply", timersInPlay: true) { search.make(.reply) }
      try other.result(timersInPlay: true)
      eventually("The request replied, and its answer was never heard.", timersInPlay: true) {
        search.heard.value == 1
      }
    }
  }

  @Test func `random scripts end as they must`() {
    playScripts(of: LatestOnlyScript.self, scripts: 10, moves: 10)
  }
}

extension LatestOnly: OpaqueMirror {}
