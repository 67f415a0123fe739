import Foundation
import KataTesting
import Testing

extension TurnstileTests {
  // MARK: - Rounds don't mix

  @Test func `a thread that arrives while a round turns belongs to the next`() throws {
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
      Ada and Ben made round 1, which was turning when Cy arrived, and now a thread has gone on. \
      Until round 1 has turned no thread may go on, and Cy must not be counted for it.
      """)
    turnEnds.open()
    runUntilQuiet()
    try #require(
      !first.contains { !$0.hasReturned },
      crossing.timeline.showing(
        """
        Round 1 has turned, and not both of Ada and Ben have gone on: before they could check, Cy \
        had arrived. A thread must not wait for a count, which changes again, but for the number \
        of its round.
        """))
    try #require(
      !late.hasReturned,
      crossing.timeline.showing("Cy went on with round 1, which was full without Cy."))

    let last = crossing.comes("Dot")
    try #require(
      late.hasReturned && last.hasReturned,
      crossing.timeline.showing(
        """
        Cy waited and Dot arrived: that makes two, so round 2 must turn. Was Cy woken when round 1 \
        had turned, and counted for round 2? Threads that wait to be counted have to be woken as \
        well.
        """))
    let rounds = try (first + [late, last]).map { try $0.result() }
    #expect(
      rounds == [1, 1, 2, 2],
      "Ada and Ben made round 1, Cy and Dot round 2; arrive returned \(rounds).")
  }

  @Test func `three late arrivals make one round of two, and one waits`() throws {
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
      "Round 1 is turning. Three more have arrived, enough for another round; it must turn later."
    )
    turnEnds[1]?.open()
    for visitor in first { try visitor.result("Round 1 has turned.") }
    runUntilQuiet()
    #expect(
      crossing.turned == [1, 2] && !crossing.turnsOverlapped
        && !late.contains { $0.hasReturned },
      crossing.timeline.showing(
        "Round 1 has turned; now two of the three must make round 2 and wait for its turn."))
    turnEnds[2]?.open()
    runUntilQuiet()
    let gone = late.filter(\.hasReturned)
    try #require(
      gone.count == 2,
      crossing.timeline.showing(
        """
        Three threads arrived while round 1 was turning, and round 2 has turned. Two of the three \
        must have gone on and the third must wait, but \(gone.count) have gone on. A woken thread \
        has to check again whether it may be counted now.
        """))
    let last = crossing.comes("Fay")
    let rounds = try (late + [last]).map { try $0.result("Fay has arrived: that makes round 3.") }
    #expect(
      rounds.sorted() == [2, 2, 3, 3],
      "Four threads arrived after round 1, which makes rounds 2 and 3; arrive returned \(rounds).")
  }

  // MARK: - Many threads

  @Test func `a round of three hundred threads turns when all have arrived`() throws {
    let parties = 300
    let turnstile = Turnstile(parties: parties)
    let returned = LockedValue<[Int]>([])
    func comes() {
      let thread = Thread { returned.append(turnstile.arrive()) }
      // So many threads need little stack each.
      thread.stackSize = 512 * 1024
      thread.start()
    }
    for _ in 1..<parties { comes() }
    runUntilQuiet()
    try #require(
      returned.value.isEmpty,
      """
      Of a round of \(parties) threads all but one have arrived, and \(returned.value.count) have \
      gone on. No thread may go on before all have arrived.
      """)
    comes()
    eventually(
      """
      All \(parties) threads of a round have arrived, and only \(returned.value.count) have gone \
      on: all must go on, however many make a round.
      """
    ) { returned.value.count == parties }
    #expect(
      Set(returned.value).isSubset(of: [1]),
      "This was the first round: arrive must return 1 to each of the \(parties) threads.")
  }

  @Test func `two turnstiles don't wait for each other`() throws {
    let goOn = Gate("the first one's turn goes on")
    let crossing = Crossing(parties: 1, held: [1: goOn])
    let first = crossing.comes("Ada")
    #expect(goOn.waiting == 1, "One has arrived, which is enough here, and onTurn wasn't called.")
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
      While one turnstile was turning, which took long, a thread arrived at another one, where one \
      thread is enough, and had to wait. Turnstiles are independent: keep all state in properties.
      """)
    goOn.open()
    try first.result()
  }

  // Only a lock of the answer orders the two accesses.
  @Test(arguments: ["rounds", "arrive"]) func `two threads may use it without a data race`(
    call: String
  ) throws {
    let turnstile = Turnstile(parties: 1)
    let (first, second) = (LockedValue(0), LockedValue(0))
    try RelaxedRendezvous.meet(
      "\(call), beside arrive,", { first.set(turnstile.arrive()) },
      { second.set(call == "rounds" ? turnstile.rounds : turnstile.arrive()) })
    // The two nearly always run in this order, but nothing is broken if they don't.
    let (round, answer) = (first.value, second.value)
    let rounds = try mustReturn("rounds") { turnstile.rounds }
    if call == "arrive" {
      #expect(
        Set([round, answer]) == [1, 2] && rounds == 2,
        """
        A round needs one thread here, and two arrived at the same time. For them arrive returned \
        \([round, answer]), and rounds is \(rounds).
        """)
    } else {
      #expect(
        round == 1 && answer <= 1 && rounds == 1,
        """
        A round needs one thread here, and one arrived; arrive returned \(round). Meanwhile rounds \
        was \(answer), and now it is \(rounds).
        """)
    }
  }

  @Test func `rounds don't mix in any order`() {
    playScripts(of: TurnstileScript.self, scripts: 8, moves: 14)
  }
}
