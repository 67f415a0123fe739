import KataTesting
import Testing

extension SemaphoreLedgerTests {
  // MARK: - Giving up

  @Test(arguments: ["Ben", "Cy", "Dot"])
  func `a visitor that gives up leaves no trace`(impatient: String) throws {
    var ledger = SemaphoreLedger(value: 1)
    for visitor in ["Ada", "Ben", "Cy", "Dot"] { ledger.wait(visitor) }
    let line = ledger.giveUp(impatient)
    let patient = ["Ben", "Cy", "Dot"].filter { $0 != impatient }
    try #require(
      line == LedgerLine(-2, .givesUp(impatient)),
      """
      Three slept, the counter was at -3, and \(impatient) gave up: two sleep now, so it must be at \
      -2. A visitor that gives up puts back what its wait took.
      """)
    #expect(
      ledger.sleepers == patient,
      "\(impatient) gave up and no longer sleeps; the others sleep on, in their order.")
    let woken = [ledger.signal("Ada"), ledger.signal("Ada"), ledger.signal("Ada")]
    #expect(
      woken == [
        LedgerLine(-1, .signals("Ada", wakes: patient.first)),
        LedgerLine(0, .signals("Ada", wakes: patient.last)),
        LedgerLine(1, .signals("Ada", wakes: nil)),
      ],
      """
      \(impatient) gave up, and then three signals came. They must wake the two that still sleep: a \
      signal that wakes a visitor that has left is lost.
      """)
  }

  @Test func `a visitor that doesn't sleep can't give up`() {
    var ledger = SemaphoreLedger(value: 0)
    ledger.wait("Ada")
    ledger.wait("Ben")
    ledger.signal("Zoe")
    let before = ledger.lines
    // Ada was woken just before her time was up, and Fay was never here.
    let lines = [ledger.giveUp("Ada"), ledger.giveUp("Fay")]
    #expect(
      lines == [nil, nil] && ledger.lines == before,
      "Neither Ada, who was woken, nor Fay, who never waited, sleeps: giveUp must change nothing."
    )
    #expect(
      ledger.counter == -1 && ledger.sleepers == ["Ben"],
      """
      Ada was woken before her time was up, so she has what she waited for and puts nothing back. \
      The counter must be -1, and is \(ledger.counter); only Ben must sleep, and these do: \
      \(ledger.sleepers).
      """)
  }

  @Test func `a visitor that gave up may come back, and is last`() {
    var ledger = SemaphoreLedger(value: 0)
    for visitor in ["Ada", "Ben"] { ledger.wait(visitor) }
    ledger.giveUp("Ada")
    let second = ledger.giveUp("Ada")
    #expect(
      second == nil, "Ada has given up and no longer sleeps, so the second giveUp must return nil.")
    ledger.wait("Ada")
    ledger.signal("Zoe")
    expect(
      ledger,
      reads: [
        LedgerLine(0, .made),
        LedgerLine(-1, .waits("Ada", sleeps: true)),
        LedgerLine(-2, .waits("Ben", sleeps: true)),
        LedgerLine(-1, .givesUp("Ada")),
        LedgerLine(-2, .waits("Ada", sleeps: true)),
        LedgerLine(-1, .signals("Zoe", wakes: "Ben")),
      ],
      "Ada gave up and came back. Ben has slept longest now, so Ben must be woken.")
  }

  // MARK: - A value

  // Each call is the first change of a copy once.
  @Test(arguments: ["wait", "signal", "giveUp"])
  func `a copy is a ledger of its own`(call: String) {
    var ledger = SemaphoreLedger(value: 1)
    for visitor in ["Ada", "Ben"] { ledger.wait(visitor) }
    var copy = ledger
    switch call {
    case "wait": copy.wait("Cy")
    case "signal": copy.signal("Ada")
    default: copy.giveUp("Ben")
    }
    expect(
      ledger,
      reads: [
        LedgerLine(1, .made),
        LedgerLine(0, .waits("Ada", sleeps: false)),
        LedgerLine(-1, .waits("Ben", sleeps: true)),
      ],
      "A copy was made, and changed by \(call). The original must stay as it is.")
    #expect(
      ledger.counter == -1 && ledger.sleepers == ["Ben"],
      """
      A copy was made, and changed by \(call). In the original the counter must still be -1, and \
      is \(ledger.counter); only Ben must sleep, and these do: \(ledger.sleepers).
      """)
    let (lines, sleepers) = (copy.lines, copy.sleepers)
    ledger.signal("Ada")
    #expect(
      ledger.lines.last == LedgerLine(0, .signals("Ada", wakes: "Ben")),
      "Only the copy was changed by \(call), so the signal must wake Ben in the original.")
    #expect(
      copy.lines == lines && copy.sleepers == sleepers,
      "A signal came in the original, after a copy was made. The copy must stay as it is.")
    // Two sleepers in each, if the counters allow it; each has names of its own.
    for number in 1...3 {
      ledger.wait("\(number) of the original")
      copy.wait("\(number) of the copy")
    }
    let strangers =
      ledger.sleepers.filter { $0.hasSuffix("copy") }
      + copy.sleepers.filter { $0.hasSuffix("original") }
    #expect(
      strangers.isEmpty,
      """
      A ledger was copied, and then three visitors waited in each. These appear among the sleepers \
      of the ledger in which they never waited: \(strangers). A copy must share nothing.
      """)
  }

  @Test func `in any sequence of calls each line says what a semaphore does`() {
    typealias Call = ModelledCall<SharedLedger, LedgerModel>
    let newcomer = Call("a new visitor waits") {
      $0.wait()
    } step: {
      $0.wait()
    }
    let waits = ["Ada", "Ben"].map { (who: String) in
      Call("wait(\(who))") {
        $0.wait(who)
      } step: {
        $0.wait(who)
      }
    }
    let signals = Call("signal(Ada)") {
      $0.signal("Ada")
    } model: {
      $0.signal("Ada")
    }
    let givesUp = ["Ada", "Ben", "visitor 1"].map { (who: String) in
      Call("giveUp(\(who))") {
        $0.giveUp(who)
      } model: {
        $0.giveUp(who)
      }
    }
    let subject = ModelledSubject<SharedLedger, LedgerModel>(
      model: LedgerModel(), { SharedLedger() }, end: { $0.summary }, modelEnd: { $0.summary })
    exploreSequences(of: CallList(subject, calls: [newcomer] + waits + [signals] + givesUp))
  }
}
