import KataTesting
import Testing

extension TurnstileTests {
  // MARK: - Rounds don't mix

  @Test func `whoever comes while a round turns belongs to the next`() throws {
    let turnEnds = Gate("onTurn returns")
    let crossing = Crossing(parties: 2, held: [1: turnEnds])
    let first = try fillRound(of: crossing)
    let late = crossing.comes("Cy")
    crossing.timeline.expect(
      """
      Ada     ├───────────────────…
      Ben          ├──────────────…
      onTurn            ├─────────…
      Cy                     ├────…
      """,
      """
      Ada and Ben make round 1, which is just turning. Cy came then, and somebody has gone on: the \
      count of round 1 must let in nobody else.
      """)
    turnEnds.open()
    runUntilQuiet()
    try #require(
      !first.contains { !$0.hasReturned },
      crossing.timeline.showing(
        """
        Round 1 has turned, and not both of Ada and Ben have gone on. Before they could look, Cy had \
        come: whoever waits must not wait for a count, which changes again, but for the number of \
        the round.
        """))
    try #require(
      !late.hasReturned,
      crossing.timeline.showing("Cy went on with round 1, which had two without Cy."))

    let last = crossing.comes("Dot")
    try #require(
      late.hasReturned && last.hasReturned,
      crossing.timeline.showing(
        """
        Cy waited and Dot came: that makes two, and round 2 must turn. Was Cy woken when round 1 had \
        turned, and counted for round 2? Those who were held off have to be woken as well.
        """))
    let rounds = try (first + [late, last]).map { try $0.result() }
    #expect(
      rounds == [1, 1, 2, 2],
      "Ada and Ben made round 1, Cy and Dot round 2; they were told \(rounds).")
  }

  @Test func `three who come while a round of two turns make one round, and wait`() throws {
    let turnEnds = [1: Gate("turn 1 ends"), 2: Gate("turn 2 ends")]
    let crossing = Crossing(parties: 2, held: turnEnds)
    let first = try fillRound(of: crossing)
    let late = ["Cy", "Dot", "Eve"].map { crossing.comes($0) }
    crossing.timeline.expect(
      """
      Ada     ├─────────────────────────────…
      Ben          ├────────────────────────…
      onTurn            ├───────────────────…
      Cy                     ├──────────────…
      Dot                         ├─────────…
      Eve                              ├────…
      """,
      "Round 1 is turning. Three more have come, enough for another; that has to wait for its turn."
    )
    turnEnds[1]?.open()
    for visitor in first { try visitor.result("Round 1 has turned.") }
    runUntilQuiet()
    #expect(
      crossing.turned == [1, 2] && !crossing.turnsOverlapped
        && !late.contains { $0.hasReturned },
      crossing.timeline.showing("Round 1 has turned; now two of the three make round 2."))
    turnEnds[2]?.open()
    runUntilQuiet()
    let gone = late.filter(\.hasReturned)
    try #require(
      gone.count == 2,
      crossing.timeline.showing(
        """
        Three came while round 1 was turning. Two of them made round 2, which has turned: these two \
        must have gone on and the third must wait. But \(gone.count) have gone on. Who is woken has to \
        look again, whether it may come in now.
        """))
    let last = crossing.comes("Fay")
    let rounds = try (late + [last]).map { try $0.result("Fay has come: that makes round 3.") }
    #expect(
      rounds.sorted() == [2, 2, 3, 3],
      "Four came after round 1, which makes rounds 2 and 3 of two each; they were told \(rounds).")
  }

  // MARK: - Many threads

  @Test func `two turnstiles don't wait for each other`() throws {
    let goOn = Gate("the first one's turn goes on")
    let crossing = Crossing(parties: 1, held: [1: goOn])
    let first = crossing.comes("Ada")
    #expect(goOn.waiting == 1, "One has come, where one is enough, and onTurn wasn't called.")
    _ = TestThread("arrive, at another turnstile") {
      crossing.timeline.visit("Ben, elsewhere") { _ = Turnstile(parties: 1).arrive() }
    }
    crossing.timeline.expect(
      """
      Ada             ├───────────────────…
      onTurn               ├──────────────…
      Ben, elsewhere            ├────┤
      """,
      """
      While one turnstile turns, which takes long, somebody comes to another one, where one is enough, \
      and has to wait. What a turnstile remembers must be its own: keep it in properties.
      """)
    goOn.open()
    try first.result()
  }

  // Nothing but a lock of the answer's orders the two.
  @Test(arguments: ["rounds", "arrive"]) func `threads needn't know of each other`(
    call: String
  ) throws {
    let turnstile = Turnstile(parties: 1)
    let (first, second) = (LockedValue(0), LockedValue(0))
    try RelaxedRendezvous.meet(
      "\(call), beside arrive,", { first.set(turnstile.arrive()) },
      { second.set(call == "rounds" ? turnstile.rounds : turnstile.arrive()) })
    // The two nearly always come in this order, but nothing is broken where they don't.
    let (round, answer) = (first.value, second.value)
    let rounds = try mustReturn("rounds") { turnstile.rounds }
    if call == "arrive" {
      #expect(
        Set([round, answer]) == [1, 2] && rounds == 2,
        """
        One makes a round here, and two came, each on a thread of its own. They were told \
        \([round, answer]), and rounds is \(rounds).
        """)
    } else {
      #expect(
        round == 1 && answer <= 1 && rounds == 1,
        """
        One makes a round here, and one came, who was told \(round). Meanwhile rounds was \(answer), \
        and now it is \(rounds).
        """)
    }
  }

  @Test func `rounds don't mix in any order`() {
    playScripts(of: TurnstileScript.self, scripts: 8, moves: 14)
  }
}
