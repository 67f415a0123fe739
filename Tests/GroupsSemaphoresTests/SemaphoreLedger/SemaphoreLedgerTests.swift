import KataTesting
import Testing

/// Proves a semaphore's arithmetic line by line: which visitor goes on, which sleeps, and which is woken.
@Suite(.serialized, .kata) struct SemaphoreLedgerTests {
  // MARK: - The two stories

  @Test func `three kids and one iPad`() {
    var ledger = SemaphoreLedger(value: 1)
    for kid in 1...3 { ledger.wait("Kid \(kid)") }
    for kid in 1...3 { ledger.signal("Kid \(kid)") }
    expect(
      ledger,
      reads: [
        LedgerLine(1, .made),
        LedgerLine(0, .waits("Kid 1", sleeps: false)),
        LedgerLine(-1, .waits("Kid 2", sleeps: true)),
        LedgerLine(-2, .waits("Kid 3", sleeps: true)),
        LedgerLine(-1, .signals("Kid 1", wakes: "Kid 2")),
        LedgerLine(0, .signals("Kid 2", wakes: "Kid 3")),
        LedgerLine(1, .signals("Kid 3", wakes: nil)),
      ],
      """
      There is one iPad: three kids wait for it, one after another, and then each signals. wait \
      counts down first and then checks; signal counts up and wakes the longest sleeper.
      """)
  }

  @Test func `fifteen songs, three at a time`() {
    var ledger = SemaphoreLedger(value: 3)
    var expected = [LedgerLine(3, .made)]
    for song in 1...15 {
      ledger.wait("Song \(song)")
      expected.append(LedgerLine(3 - song, .waits("Song \(song)", sleeps: song > 3)))
    }
    for song in 1...15 {
      ledger.signal("Song \(song)")
      let woken = song <= 12 ? "Song \(song + 3)" : nil
      expected.append(LedgerLine(-12 + song, .signals("Song \(song)", wakes: woken)))
    }
    expect(
      ledger, reads: expected,
      """
      Three songs may be downloaded at a time. Fifteen wait and the first three go on; each song \
      that is done signals, and wakes the next.
      """)
  }

  // MARK: - The counter

  @Test(arguments: [0, 1, 3]) func `the counter shows how many visitors sleep`(value: Int) {
    var ledger = SemaphoreLedger(value: value)
    for number in 1...6 {
      ledger.wait("visitor \(number)")
      #expect(
        ledger.counter == value - number,
        "Made with \(value), after \(number) waits: each wait must take one from the counter.")
      #expect(
        ledger.sleepers.count == max(0, number - value),
        """
        Made with \(value), after \(number) waits: the first \(value) go on and all others sleep. \
        Below zero, the counter's absolute value is the number of sleepers.
        """)
    }
    for number in 1...6 {
      ledger.signal("visitor \(number)")
      #expect(
        ledger.counter == value - 6 + number,
        "Six have waited and \(number) signalled: each signal adds one, even if it wakes one.")
      #expect(
        ledger.sleepers.count == max(0, 6 - number - value),
        "Six have waited and \(number) signalled: each signal wakes a sleeper if there is one.")
    }
  }

  @Test func `each call returns the line that it adds`() {
    var ledger = SemaphoreLedger(value: 0)
    let returned: [LedgerLine?] = [
      ledger.wait("Ada"), ledger.wait("Ben"), ledger.signal("Cy"), ledger.giveUp("Ben"),
    ]
    #expect(
      returned == [
        LedgerLine(-1, .waits("Ada", sleeps: true)), LedgerLine(-2, .waits("Ben", sleeps: true)),
        LedgerLine(-1, .signals("Cy", wakes: "Ada")), LedgerLine(0, .givesUp("Ben")),
      ],
      "A line must show what happened, and the counter after it.")
    #expect(
      ledger.lines.dropFirst() == returned.compactMap(\.self)[...],
      "What wait, signal and giveUp return must be the lines that they add to the ledger.")
  }

  @Test func `a line reads as on paper`() {
    let lines = [
      LedgerLine(1, .made), LedgerLine(0, .waits("Kid 1", sleeps: false)),
      LedgerLine(-1, .waits("Kid 2", sleeps: true)),
      LedgerLine(0, .signals("Kid 1", wakes: "Kid 2")),
      LedgerLine(1, .signals("Kid 2", wakes: nil)), LedgerLine(0, .givesUp("Kid 3")),
    ]
    #expect(
      lines.map(\.description) == [
        "1  made", "0  Kid 1 waits, and goes on", "-1  Kid 2 waits, and sleeps",
        "0  Kid 1 signals, and wakes Kid 2", "1  Kid 2 signals, and wakes nobody",
        "0  Kid 3 gives up",
      ],
      """
      A line's text is the counter, two spaces, and what happened. The stub already makes it: leave \
      it as it is.
      """
    )
  }

  @Test func `a visitor may take more than one`() {
    var ledger = SemaphoreLedger(value: 2)
    for _ in 1...3 { ledger.wait("Ada") }
    ledger.signal("Ada")
    expect(
      ledger,
      reads: [
        LedgerLine(2, .made),
        LedgerLine(1, .waits("Ada", sleeps: false)),
        LedgerLine(0, .waits("Ada", sleeps: false)),
        LedgerLine(-1, .waits("Ada", sleeps: true)),
        LedgerLine(0, .signals("Ada", wakes: "Ada")),
      ],
      "Ada waits three times, and two can be taken. A semaphore doesn't record who has what.")
  }

  @Test func `a signal is kept if there are no sleepers`() {
    var ledger = SemaphoreLedger(value: 1)
    for _ in 1...2 { ledger.signal("Zoe") }
    for visitor in ["Ada", "Ben", "Cy", "Dot"] { ledger.wait(visitor) }
    expect(
      ledger,
      reads: [
        LedgerLine(1, .made),
        LedgerLine(2, .signals("Zoe", wakes: nil)),
        LedgerLine(3, .signals("Zoe", wakes: nil)),
        LedgerLine(2, .waits("Ada", sleeps: false)),
        LedgerLine(1, .waits("Ben", sleeps: false)),
        LedgerLine(0, .waits("Cy", sleeps: false)),
        LedgerLine(-1, .waits("Dot", sleeps: true)),
      ],
      """
      Two signals came while no visitor slept. They wake none and mustn't be lost: the counter keeps \
      them for later waits, even above the value that the semaphore was made with.
      """)
  }

  // MARK: - Who is woken

  @Test func `a visitor may have an empty name`() {
    var ledger = SemaphoreLedger(value: 0)
    for visitor in ["", "Ada"] { ledger.wait(visitor) }
    for _ in 1...2 { ledger.signal("") }
    expect(
      ledger,
      reads: [
        LedgerLine(0, .made),
        LedgerLine(-1, .waits("", sleeps: true)),
        LedgerLine(-2, .waits("Ada", sleeps: true)),
        LedgerLine(-1, .signals("", wakes: "")),
        LedgerLine(0, .signals("", wakes: "Ada")),
      ],
      "A visitor with an empty name has slept longest. It's a visitor like any other.")
  }

  @Test func `the longest sleeper is woken, whichever visitor signals`() {
    var ledger = SemaphoreLedger(value: 2)
    for visitor in ["Ada", "Ben", "Cy", "Dot", "Eve"] { ledger.wait(visitor) }
    #expect(
      ledger.sleepers == ["Cy", "Dot", "Eve"], "sleepers must list these three, the longest first.")
    // Ben is done before Ada, and then a visitor signals that never waited.
    ledger.signal("Ben")
    #expect(
      ledger.sleepers == ["Dot", "Eve"],
      "Ben signalled. Cy has slept longest, so Cy must be woken, whichever visitor signals.")
    ledger.signal("Zoe")
    #expect(
      ledger.sleepers == ["Eve"],
      "Zoe never waited and signalled, so Dot must be woken: any visitor may signal.")
    // Cy comes back and is last again.
    ledger.wait("Cy")
    ledger.signal("Ada")
    #expect(
      ledger.lines.last == LedgerLine(-1, .signals("Ada", wakes: "Eve")),
      "Cy waited again, after Eve, so Eve has slept longest now and must be woken.")
    #expect(ledger.sleepers == ["Cy"], "Only Cy, who came back, must sleep now.")
  }

  @Test func `a sleeper may signal, too`() {
    var ledger = SemaphoreLedger(value: 0)
    for visitor in ["Ada", "Ben"] { ledger.wait(visitor) }
    for _ in 1...2 { ledger.signal("Ada") }
    expect(
      ledger,
      reads: [
        LedgerLine(0, .made),
        LedgerLine(-1, .waits("Ada", sleeps: true)),
        LedgerLine(-2, .waits("Ben", sleeps: true)),
        LedgerLine(-1, .signals("Ada", wakes: "Ada")),
        LedgerLine(0, .signals("Ada", wakes: "Ben")),
      ],
      """
      Two signals come under Ada's name, while Ada has slept longest. The longest sleeper must be \
      woken, whichever visitor signals, even if it wakes itself.
      """)
  }
}
