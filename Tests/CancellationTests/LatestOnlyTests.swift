import Dispatch
import Foundation
import KataTesting
import Testing

@Suite(.serialized, .kata) struct LatestOnlyTests {
  // MARK: - An answer

  @Test func `the answer of the only request is delivered`() throws {
    let desk = SearchDesk()
    let request = try ask("swift", at: desk)
    runUntilQuiet()
    try reply(request)
    expectAnswers(
      ["answer 1 to 'swift'"], at: desk,
      """
      'swift' was asked, and its request replied: onAnswer must be called, once, on the queue, with \
      the answer and the query. Begin with the reply that ask gives to request: it calls \
      queue.async { onAnswer(answer, query) }.
      """)
  }

  @Test func `a reply inside the request is delivered too`() throws {
    let desk = SearchDesk(inRequest: { $0.reply() })
    try ask("swift", at: desk)
    expectAnswers(
      ["answer 1 to 'swift'"], at: desk,
      "The request had its answer at hand and replied before it returned: deliver that too.")
  }

  @Test func `the second reply of a request has no effect`() throws {
    let desk = SearchDesk()
    let request = try ask("swift", at: desk)
    try reply(request)
    runUntilQuiet()
    try reply(request, "answer 1 again")
    expectAnswers(
      ["answer 1 to 'swift'"], at: desk, "A request replied twice: its first reply counts.")
  }

  @Test func `nobody waits for the queue`() throws {
    let desk = SearchDesk()
    desk.queue.suspend()
    defer { desk.queue.resume() }
    try reply(try ask("swift", at: desk))
    try ask("swift queue", at: desk)
    try mustReturn("cancel()", "The queue of the answers is busy.") { desk.latest.cancel() }
  }

  // MARK: - The newest

  // request 1     request 2
  // is begun
  //               is begun
  //               replies
  // replies, and must not be heard of
  @Test(arguments: [false, true])
  func `an older answer is never delivered`(comesLast: Bool) throws {
    let desk = SearchDesk()
    let older = try ask("s", at: desk)
    let newer = try ask("sw", at: desk)
    if !comesLast { try reply(older) }
    runUntilQuiet()
    try reply(newer)
    runUntilQuiet()
    if comesLast { try reply(older) }
    expectAnswers(
      ["answer 2 to 'sw'"], at: desk,
      """
      's' was asked, then 'sw'. Only the second may answer, whichever replies first; and it must.
      """)
  }

  @Test(arguments: [1, 2, 3])
  func `the same query asked again is another request`(replying: Int) throws {
    let desk = SearchDesk()
    let requests = try ["sw", "s", "sw"].map { try ask($0, at: desk) }
    try reply(requests[replying - 1])
    expectAnswers(
      replying == 3 ? ["answer 3 to 'sw'"] : [], at: desk,
      """
      'sw' was asked, then 's', then 'sw' again; and request \(replying) replied. The first and the \
      third ask for the same, and still only the third is the newest: tell requests apart by an \
      object or a number of their own.
      """)
  }

  // the queue      request 1     somebody
  // is busy
  //                replies
  //                              asks again
  // is free; the first answer is stale by now
  @Test(arguments: Replacement.allCases)
  func `an answer that waits in the queue may be replaced`(by replacement: Replacement) throws {
    let desk = SearchDesk()
    desk.queue.suspend()
    do {
      defer { desk.queue.resume() }
      try reply(try ask("swift", at: desk))
      try replace(replacement, at: desk)
    }
    expectAnswers(
      [], at: desk,
      """
      A request had replied, and its answer waited for its turn on the busy queue. Then it was \
      replaced (\(replacement.rawValue)), and its answer was delivered all the same. Whether it's \
      still the newest has to be asked on the queue, just before onAnswer is called.
      """)
  }

  // MARK: - The older ones are cancelled

  @Test(arguments: Replacement.allCases)
  func `a request that is replaced is cancelled`(by replacement: Replacement) throws {
    let desk = SearchDesk()
    let older = try ask("s", at: desk)
    #expect(older.cancellations == 0, "Nobody has asked again, and the request was cancelled.")
    try replace(replacement, at: desk)
    try mustReturn("cancel()") { desk.latest.cancel() }
    runUntilQuiet()
    #expect(
      older.cancellations == 1,
      """
      A request was under way when it was replaced (\(replacement.rawValue)); it must be cancelled \
      once, and was \(older.cancellations) times. Until then it runs on, for nobody.
      """)
    try reply(older)
    expectAnswers([], at: desk, "A request was cancelled, and then it replied.")
  }

  @Test func `it is cancelled before the next one is begun`() throws {
    let desk = SearchDesk()
    try ask("s", at: desk)
    try ask("sw", at: desk)
    runUntilQuiet()
    let order = desk.timeline.events.map { "\($0.who) \($0.kind)" }
    let cancelled = desk.timeline.events.firstIndex {
      $0.who == "request 1" && $0.kind == .mark("is cancelled")
    }
    let begun = desk.timeline.events.firstIndex {
      $0.who == "request 2" && $0.kind == .mark("begins")
    }
    #expect(
      cancelled != nil && begun != nil && cancelled! < begun!,
      desk.timeline.showing(
        """
        The older request must be cancelled first, and then the newer one begun: there may be room \
        for one only. Here: \(order.joined(separator: ", ")).
        """))
  }

  @Test(arguments: [false, true])
  func `a request that has replied isn't cancelled`(isDelivered: Bool) throws {
    let desk = SearchDesk()
    let older = try ask("s", at: desk)
    if !isDelivered { desk.queue.suspend() }
    do {
      defer { if !isDelivered { desk.queue.resume() } }
      try reply(older)
      runUntilQuiet()
      try ask("sw", at: desk)
      try mustReturn("cancel()") { desk.latest.cancel() }
    }
    runUntilQuiet()
    #expect(
      older.cancellations == 0,
      """
      A request had replied\(isDelivered ? "" : " (its answer waited in the queue)") and was \
      cancelled when somebody asked again. It's over: there is nothing to cancel.
      """)
  }

  @Test func `asked after cancel, it answers`() throws {
    let desk = SearchDesk()
    try ask("s", at: desk)
    try mustReturn("cancel()") { desk.latest.cancel() }
    try reply(try ask("sw", at: desk))
    expectAnswers(
      ["answer 2 to 'sw'"], at: desk, "cancel() silences what was asked before it, and no more.")
  }

  // one thread      another thread
  // asks, and its request is being begun
  //                 asks again, and must return
  // has begun it, and must cancel it now
  @Test(arguments: Replacement.allCases)
  func `replaced while it is begun, it is cancelled then`(by replacement: Replacement) throws {
    let goOn = Gate("the first request is begun")
    let desk = SearchDesk(inRequest: { if $0.name == "request 1" { goOn.wait() } })
    let asking = Participant("the first ask") { desk.latest.ask("s") }
    eventually("ask must begin a request.") { goOn.waiting == 1 }
    try replace(replacement, at: desk)
    goOn.open()
    try asking.result()
    runUntilQuiet()
    let older = desk.record.requests[0]
    #expect(
      older.cancellations == 1,
      """
      A request was replaced (\(replacement.rawValue)) while it was being begun, and there was \
      nothing yet to cancel it with. It must be cancelled once, when it has been begun; it was \
      \(older.cancellations) times.
      """)
    try reply(older)
    expectAnswers(
      [], at: desk, "A request was replaced while it was being begun. It replied later.")
  }

  @Test func `a request that replied while it was begun isn't cancelled`() throws {
    let goOn = Gate("the first request is begun")
    let desk = SearchDesk(inRequest: { request in
      guard request.name == "request 1" else { return }
      request.reply()
      goOn.wait()
    })
    let asking = Participant("the first ask") { desk.latest.ask("s") }
    eventually("ask must begin a request.") { goOn.waiting == 1 }
    try ask("sw", at: desk)
    goOn.open()
    try asking.result()
    runUntilQuiet()
    #expect(
      desk.record.requests[0].cancellations == 0,
      """
      A request replied while it was being begun; then somebody asked again, and it was cancelled. \
      It's over: there is nothing to cancel.
      """)
  }

  // MARK: - Calls from inside

  @Test func `a reply inside the cancellation is ignored`() throws {
    let desk = SearchDesk(inCancel: { $0.reply("an error") })
    try ask("s", at: desk)
    try mustReturn(
      "ask", "The older request replied before its cancellation returned: call it without a lock."
    ) { desk.latest.ask("sw") }
    expectAnswers(
      [], at: desk, "The older request answered its cancellation, as many do: ignore that.")
  }

  @Test(arguments: ["a request", "an answer", "a cancellation"])
  func `who is called may ask`(from place: String) throws {
    let asker = LateAsker()
    let desk = SearchDesk(
      inRequest: { if place == "a request", $0.query == "s" { asker.ask("sw") } },
      inCancel: { if place == "a cancellation", $0.query == "s" { asker.ask("swi") } },
      inAnswer: { if place == "an answer", $0 == "answer 1" { asker.ask("sw") } })
    asker.set(desk)
    try mustReturn("ask", "\(place) asks in turn, and waits: call it without a lock.") {
      desk.latest.ask("s")
    }
    switch place {
    case "an answer": try reply(desk.record.requests[0])
    case "a cancellation":
      try mustReturn("cancel()", "The cancellation asks in turn: call it without a lock.") {
        desk.latest.cancel()
      }
    default: break
    }
    eventually(
      desk.timeline.showing("\(place) has asked in turn, and it never came to a request.")
    ) { desk.record.requests.count == 2 }
    try #require(desk.record.requests.count == 2)
    runUntilQuiet()
    try reply(desk.record.requests[1])
    runUntilQuiet()
    #expect(
      desk.record.answers.last?.hasPrefix("answer 2") == true,
      desk.timeline.showing(
        "\(place) has asked in turn, which is the newest request; its answer must come."))
  }

  // MARK: - The end

  @Test(arguments: SearchEnding.allCases)
  func `of a request that is over nothing is kept`(ending: SearchEnding) throws {
    let kept = KeptToken()
    let record = SearchRecord()
    let latest = SearchDesk.Latest(
      answersOn: DispatchQueue(label: "katas.spec.latest-only.answers")
    ) { query, reply in
      let request = record.begin(query, reply)
      guard query == "s" else { return {} }
      let token = RequestToken()
      kept.token = token
      if ending == .repliedAtOnce { request.reply() }
      return { withExtendedLifetime(token) { request.cancel() } }
    } onAnswer: { _, _ in
    }
    try mustReturn("ask") { latest.ask("s") }
    switch ending {
    case .answered: try mustReturn("the reply") { record.requests.first?.reply() }
    case .repliedAtOnce: break
    case .replaced: try mustReturn("ask") { latest.ask("sw") }
    case .cancelled: try mustReturn("cancel()") { latest.cancel() }
    }
    runUntilQuiet()
    #expect(
      kept.token == nil,
      """
      A request is over (\(ending.rawValue)), and what cancels it is still kept, with all that it \
      holds: the session, the data.
      """)
    record.forget()
    withExtendedLifetime(latest) {}
  }

  @Test(arguments: [false, true])
  func `when nobody keeps it, nobody hears of it`(hasReplied: Bool) throws {
    let record = SearchRecord()
    let queue = DispatchQueue(label: "katas.spec.latest-only.answers")
    queue.suspend()
    weak var gone: SearchDesk.Latest?
    do {
      defer { queue.resume() }
      try {
        let latest = SearchDesk.latest(answersOn: queue, for: record)
        gone = latest
        try mustReturn("ask") { latest.ask("s") }
        if hasReplied { try mustReturn("the reply") { record.requests.first?.reply() } }
      }()
      runUntilQuiet()
    }
    runUntilQuiet()
    #expect(
      gone == nil,
      """
      Nobody keeps it any more, and it is still in memory: whoever asked is gone, and its request \
      lives on. Let the reply keep self weakly.
      """)
    let cancellations = record.requests.first?.cancellations
    #expect(
      cancellations == (hasReplied ? 0 : 1),
      """
      It went away, and its request \(hasReplied ? "had replied" : "was under way"): that must be \
      cancelled \(hasReplied ? 0 : 1) times, and was \(cancellations ?? 0) times.
      """)
    try mustReturn("the reply") { record.requests.first?.reply() }
    runUntilQuiet()
    #expect(
      record.answers.isEmpty,
      "It went away, and an answer came all the same: nobody is there to hear."
    )
    record.forget()
  }

  // MARK: - Many threads

  // one thread    another thread
  // the first
  //               the second: nothing but a lock of the answer's orders the two
  @Test(arguments: [false, true])
  func `one thread asks, and another replies`(repliesFirst: Bool) throws {
    for _ in 1...6 {
      let kept = UnorderedReply()
      let latest = kept.latest(answersOn: DispatchQueue(label: "katas.spec.latest-only.answers"))
      try mustReturn("ask") { latest.ask("s") }
      try #require(kept.reply != nil, "ask must begin a request.")
      let reply: @Sendable () -> Void = { kept.reply?("answer") }
      let ask: @Sendable () -> Void = { latest.ask("sw") }
      let meeting = UnorderedMeeting()
      let late = Participant("the second") { meeting.look(repliesFirst ? ask : reply) }
      let early = Participant("the first") {
        (repliesFirst ? reply : ask)()
        meeting.changed()
      }
      try early.result(timersInPlay: true)
      try late.result(timersInPlay: true)
      kept.forget()
    }
  }

  // one thread    the queue
  //               is busy; an answer waits
  // asks
  //               looks which is the newest
  @Test func `one thread asks, and the queue delivers`() throws {
    for _ in 1...6 {
      let kept = UnorderedReply()
      let queue = DispatchQueue(label: "katas.spec.latest-only.answers")
      let latest = kept.latest(answersOn: queue)
      try mustReturn("ask") { latest.ask("s") }
      try #require(kept.reply != nil, "ask must begin a request.")
      let meeting = UnorderedMeeting()
      let end = Gate("the answer has been looked at")
      queue.async { meeting.look {} }
      try mustReturn("the reply", timersInPlay: true) { kept.reply?("answer") }
      queue.async { end.open() }
      let asking = Participant("ask") {
        latest.ask("sw")
        meeting.changed()
        end.wait()
      }
      try asking.result(timersInPlay: true)
      #expect(
        kept.answers.value == 0,
        "Somebody asked again while an answer waited in the queue; it was delivered all the same.")
      kept.forget()
    }
  }
}
