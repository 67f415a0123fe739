import KataTesting
import Testing

/// Proves that no thread goes on before all of its round have arrived and onTurn has returned, that
/// rounds turn one at a time, and that rounds don't mix.
@Suite(.serialized, .kata) struct TurnstileTests {
  // MARK: - A round

  @Test(arguments: [2, 3, 4]) func `no thread goes on before all have arrived`(parties: Int) throws
  {
    let crossing = Crossing(parties: parties)
    var visitors: [TestThread<Int>] = []
    for number in 1..<parties {
      visitors.append(crossing.comes("visitor \(number)"))
      try #require(
        !visitors.contains { $0.hasReturned },
        crossing.timeline.showing(
          """
          \(number) of \(parties) threads have arrived, and one has gone on already. Count the \
          arrivals, and let arrive wait until the last thread is there.
          """))
    }
    visitors.append(crossing.comes("visitor \(parties)"))
    for visitor in visitors {
      let round = try visitor.result(
        "All \(parties) have arrived, so all must go on: every waiting thread has to be woken.")
      #expect(round == 1, "This was the first round: arrive must return 1 to every thread.")
    }
    #expect(
      crossing.turnstile.parties == parties,
      "The turnstile was created with \(parties) parties, so parties must be that number.")
  }

  @Test func `if parties is 1, no thread waits`() throws {
    let crossing = Crossing(parties: 1)
    for number in 1...3 {
      let round = try crossing.comes("visitor").result(
        "One thread is enough here, so arrive mustn't wait.")
      #expect(round == number, "Round \(number): arrive returned another number.")
    }
    #expect(crossing.turned == [1, 2, 3], "onTurn must be called for each of the three rounds.")
  }

  // round 1                     round 2
  // first arrives, waits
  // second arrives: both go on
  //                             first arrives, waits
  //                             second arrives: both go on
  @Test func `the turnstile closes behind every round`() throws {
    let crossing = Crossing(parties: 2)
    for round in 1...3 {
      let first = crossing.comes("first of \(round)")
      try #require(
        !first.hasReturned,
        crossing.timeline.showing(
          """
          The first thread of round \(round) went on alone. After \(round - 1) rounds the \
          turnstile must be closed again.
          """))
      let second = crossing.comes("second of \(round)")
      let rounds = try [first, second].map { visitor in
        try visitor.result("Both threads of round \(round) are there. Is the count reset?")
      }
      #expect(
        rounds == [round, round],
        "Both threads made round \(round): arrive must return that number to both.")
    }
  }

  // slow                    others
  // arrives, and waits
  //                         Ben arrives: round 1 turns
  // (isn't scheduled)       Cy and Dot arrive: round 2 turns
  // wakes up, goes on with round 1
  @Test func `a thread that is slow to wake up goes on with its own round`() throws {
    let crossing = Crossing(parties: 2)
    let slow = crossing.comes("slow")
    try #require(
      !slow.hasReturned,
      crossing.timeline.showing("One of two has arrived, and has gone on already: it must wait."))
    var others: [TestThread<Int>] = []
    crossing.whileAsleep("slow") {
      others = ["Ben", "Cy", "Dot"].map { crossing.comes($0) }
    }
    runUntilQuiet()
    try #require(
      slow.hasReturned,
      crossing.timeline.showing(
        """
        A thread of round 1 was slow to wake up; by then round 2 had turned as well, and the \
        thread still waits. It must wait for something that stays true once round 1 has turned.
        """))
    try #require(
      !others.contains { !$0.hasReturned },
      crossing.timeline.showing(
        "Four threads have arrived, enough for two rounds, and not all of them have gone on."))
    let round = try slow.result()
    #expect(
      round == 1,
      crossing.timeline.showing(
        """
        A thread of round 1 was slow to wake up; by then round 2 had turned as well, and arrive \
        returned \(round). Remember the number of the round on arrival, and return that.
        """))
    let rounds = try others.map { try $0.result() }
    #expect(
      rounds == [1, 2, 2], "Ben made round 1, Cy and Dot round 2; arrive returned \(rounds).")
  }

  // MARK: - onTurn

  @Test func `onTurn is called when all have arrived and before any goes on`() throws {
    let turnEnds = Gate("onTurn returns")
    let crossing = Crossing(parties: 3, held: [1: turnEnds])
    var visitors = (1...2).map { crossing.comes("visitor \($0)") }
    #expect(crossing.turned.isEmpty, "Two of three have arrived, and onTurn was called already.")
    visitors.append(crossing.comes("last"))
    #expect(
      crossing.turned == [1],
      crossing.timeline.showing(
        "All have arrived: onTurn must be called once, by one of them, with the round's number, 1."
      ))
    crossing.timeline.expect(
      """
      visitor 1  ├───────────────────…
      visitor 2       ├──────────────…
      last                 ├─────────…
      onTurn                    ├────…
      """, "A thread went on while onTurn was still running. Call it before any of them goes on.")
    turnEnds.open()
    for visitor in visitors { try visitor.result("All have arrived, and onTurn has returned.") }
    #expect(crossing.turned == [1], "There was one round, and onTurn was called again.")
    #expect(
      crossing.turners == ["last"], "onTurn must be called on the thread that arrived last.")
  }

  @Test func `if parties is 1, rounds still turn one at a time`() throws {
    let turnEnds = Gate("onTurn returns")
    let crossing = Crossing(parties: 1, held: [1: turnEnds])
    let first = crossing.comes("first")
    try #require(crossing.turning == 1, "One of one has arrived, and onTurn is never called.")
    let second = crossing.comes("second")
    crossing.timeline.expect(
      """
      first   ├──────────────…
      onTurn       ├─────────…
      second            ├────…
      """,
      """
      A round needs one thread here, and the next one arrived while round 1 was turning: it went \
      on, or onTurn was called again. Rounds must turn one at a time, even if parties is 1.
      """)
    turnEnds.open()
    runUntilQuiet()
    let rounds = try [first, second].filter(\.hasReturned).map { try $0.result() }
    #expect(
      rounds == [1, 2] && crossing.turned == [1, 2],
      crossing.timeline.showing(
        """
        Two threads arrived where a round needs one, so both must go on, with rounds 1 and 2. For \
        those that have gone on arrive returned \(rounds).
        """))
  }

  @Test(arguments: [1, 2]) func `rounds may be read at any time`(parties: Int) throws {
    let turnEnds = Gate("onTurn returns")
    let crossing = Crossing(parties: parties, held: [1: turnEnds])
    func rounds(_ when: String) throws -> Int {
      try mustReturn("rounds", "\(when). Hold no lock while threads wait, or while onTurn runs.") {
        crossing.turnstile.rounds
      }
    }
    #expect(try rounds("No thread has arrived yet") == 0, "No round has turned yet.")
    var visitors: [TestThread<Int>] = []
    if parties == 2 {
      visitors.append(crossing.comes("first"))
      #expect(try rounds("One of two waits") == 0, "One of two has arrived; no round has turned.")
    }
    visitors.append(crossing.comes("last"))
    #expect(
      try rounds("onTurn is running") == 0,
      parties == 1
        ? "A round needs one thread here, and onTurn is running: the round counts when it returns."
        : "onTurn is running: the round counts when it returns.")
    turnEnds.open()
    for visitor in visitors { try visitor.result() }
    #expect(try rounds("A round has turned") == 1, "One round has turned.")
  }

  // MARK: - Fixtures

  /// Ada and Ben make the first round; its turn is held.
  func fillRound(of crossing: Crossing) throws -> [TestThread<Int>] {
    let both = ["Ada", "Ben"].map { crossing.comes($0) }
    try #require(crossing.turning == 1, "Two of two have arrived, and onTurn is never called.")
    return both
  }
}

extension Turnstile: OpaqueMirror {}
