import KataTesting
import Testing

/// Proves that nobody goes on before all of a round have come and onTurn has returned, that turns come one
/// after the other, and that rounds don't mix.
@Suite(.serialized, .kata) struct TurnstileTests {
  // MARK: - A round

  @Test(arguments: [2, 3, 4]) func `nobody goes on before all have come`(parties: Int) throws {
    let crossing = Crossing(parties: parties)
    var visitors: [TestThread<Int>] = []
    for number in 1..<parties {
      visitors.append(crossing.comes("visitor \(number)"))
      try #require(
        !visitors.contains { $0.hasReturned },
        crossing.timeline.showing(
          """
          \(number) of \(parties) have come, and somebody has gone on already. Count those who arrive, \
          and let arrive wait until the last one is there.
          """))
    }
    visitors.append(crossing.comes("visitor \(parties)"))
    for visitor in visitors {
      let round = try visitor.result(
        "All \(parties) have come, so all must go on: every one of those who wait has to be woken.")
      #expect(round == 1, "This was the first round, and arrive must return 1 to everybody.")
    }
    #expect(
      crossing.turnstile.parties == parties,
      "\(parties) make a round here, and that is what parties must say.")
  }

  @Test func `where one is enough nobody waits`() throws {
    let crossing = Crossing(parties: 1)
    for number in 1...3 {
      let round = try crossing.comes("visitor").result("One makes a round here; who is missing?")
      #expect(round == number, "Round \(number): one visitor came, and was told another number.")
    }
    #expect(crossing.turned == [1, 2, 3], "onTurn must be called for each of the three rounds.")
  }

  // round 1                 round 2
  // one comes, and waits
  // two comes: both go on
  //                         one comes, and waits
  //                         two comes: both go on
  @Test func `it closes behind every round`() throws {
    let crossing = Crossing(parties: 2)
    for round in 1...3 {
      let first = crossing.comes("first of \(round)")
      try #require(
        !first.hasReturned,
        crossing.timeline.showing(
          """
          The first one of round \(round) went on alone. After \(round - 1) rounds the turnstile must be \
          closed again.
          """))
      let second = crossing.comes("second of \(round)")
      let rounds = try [first, second].map { visitor in
        try visitor.result("Both have come for round \(round). Does the count begin anew?")
      }
      #expect(
        rounds == [round, round],
        "Both went on together in round \(round); arrive must return that number to both.")
    }
  }

  // slow                    others
  // comes, and waits
  //                         Ben comes: round 1 turns
  // (gets no core)          Cy and Dot come: round 2 turns
  // wakes up, goes on with round 1
  @Test func `whoever is slow to wake up goes on with its own round`() throws {
    let crossing = Crossing(parties: 2)
    let slow = crossing.comes("slow")
    try #require(
      !slow.hasReturned,
      crossing.timeline.showing("One of two has come, and has gone on already: it must wait."))
    var others: [TestThread<Int>] = []
    crossing.whileAsleep("slow") {
      others = ["Ben", "Cy", "Dot"].map { crossing.comes($0) }
    }
    runUntilQuiet()
    try #require(
      slow.hasReturned,
      crossing.timeline.showing(
        """
        One who made round 1 was slow to wake up. By then round 2 had turned as well, and it waits on: \
        what it waits for must stay true once round 1 has turned.
        """))
    try #require(
      !others.contains { !$0.hasReturned },
      crossing.timeline.showing(
        "Four have come, which makes two rounds, and not all of them have gone on."))
    let round = try slow.result()
    #expect(
      round == 1,
      crossing.timeline.showing(
        """
        One who made round 1 was slow to wake up; by then round 2 had turned as well, and arrive returned \
        \(round). Remember the number of the round where you come in, and return that.
        """))
    let rounds = try others.map { try $0.result() }
    #expect(rounds == [1, 2, 2], "Ben made round 1, Cy and Dot round 2; they were told \(rounds).")
  }

  // MARK: - onTurn

  @Test func `onTurn is called when all have come and before anybody goes on`() throws {
    let turnEnds = Gate("onTurn returns")
    let crossing = Crossing(parties: 3, held: [1: turnEnds])
    var visitors = (1...2).map { crossing.comes("visitor \($0)") }
    #expect(crossing.turned.isEmpty, "Two of three have come, and onTurn was called already.")
    visitors.append(crossing.comes("last"))
    #expect(
      crossing.turned == [1],
      crossing.timeline.showing(
        "All have come: onTurn must be called once, by one of them, with the number of the round, 1."
      ))
    crossing.timeline.expect(
      """
      visitor 1  ├───────────────────…
      visitor 2       ├──────────────…
      last                 ├─────────…
      onTurn                    ├────…
      """, "Somebody went on while onTurn was still running. Call it first, then let them go on.")
    turnEnds.open()
    for visitor in visitors { try visitor.result("All have come, and onTurn has returned.") }
    #expect(crossing.turned == [1], "There was one round, and onTurn was called again.")
    #expect(
      crossing.turners == ["last"], "onTurn must be called on the thread of whoever came last.")
  }

  @Test func `where one is enough, turns still come one after the other`() throws {
    let turnEnds = Gate("onTurn returns")
    let crossing = Crossing(parties: 1, held: [1: turnEnds])
    let first = crossing.comes("first")
    try #require(crossing.turning == 1, "One of one has come, and onTurn is never called.")
    let second = crossing.comes("second")
    crossing.timeline.expect(
      """
      first   ├──────────────…
      onTurn       ├─────────…
      second            ├────…
      """,
      """
      One makes a round here, and round 1 was just turning when the next one came: onTurn was called \
      beside itself, or for nothing. One call at a time, however few make a round.
      """)
    turnEnds.open()
    runUntilQuiet()
    let rounds = try [first, second].filter(\.hasReturned).map { try $0.result() }
    #expect(
      rounds == [1, 2] && crossing.turned == [1, 2],
      crossing.timeline.showing(
        """
        Two came where one makes a round, so both go on, with rounds 1 and 2. Those who have gone on \
        were told \(rounds).
        """))
  }

  @Test(arguments: [1, 2]) func `rounds may be asked for at any time`(parties: Int) throws {
    let turnEnds = Gate("onTurn returns")
    let crossing = Crossing(parties: parties, held: [1: turnEnds])
    func rounds(_ when: String) throws -> Int {
      try mustReturn("rounds", "\(when). Hold no lock while others wait, or while onTurn runs.") {
        crossing.turnstile.rounds
      }
    }
    #expect(try rounds("Nobody has come yet") == 0, "No round has turned yet.")
    var visitors: [TestThread<Int>] = []
    if parties == 2 {
      visitors.append(crossing.comes("first"))
      #expect(try rounds("One of two waits") == 0, "One of two has come; no round has turned yet.")
    }
    visitors.append(crossing.comes("last"))
    #expect(
      try rounds("onTurn is running") == 0,
      parties == 1
        ? "One makes a round here, and onTurn is still running: it counts when that has returned."
        : "onTurn is still running, and the round counts when it has returned.")
    turnEnds.open()
    for visitor in visitors { try visitor.result() }
    #expect(try rounds("A round has turned") == 1, "One round has turned.")
  }

  // MARK: - Fixtures

  /// Ada and Ben make the first round, whose turn is held.
  func fillRound(of crossing: Crossing) throws -> [TestThread<Int>] {
    let both = ["Ada", "Ben"].map { crossing.comes($0) }
    try #require(crossing.turning == 1, "Two of two have come, and onTurn is never called.")
    return both
  }
}

extension Turnstile: OpaqueMirror {}
