import KataTesting
import Testing

extension SemaphoreLedgerTests {
  // MARK: - Giving up

  @Test(arguments: ["Ben", "Cy", "Dot"]) func `who gives up leaves no trace`(impatient: String)
    throws
  {
    var ledger = SemaphoreLedger(value: 1)
    for visitor in ["Ada", "Ben", "Cy", "Dot"] { ledger.wait(visitor) }
    let line = ledger.giveUp(impatient)
    let patient = ["Ben", "Cy", "Dot"].filter { $0 != impatient }
    try #require(
      line == LedgerLine(-2, .givesUp(impatient)),
      """
      Three slept, the counter stood at -3, and \(impatient) gave up: two sleep, so it must stand \
      at -2. Who gives up puts back what its wait took.
      """)
    #expect(
      ledger.sleepers == patient,
      "\(impatient) gave up and leaves the line; the others sleep on, in their order.")
    let woken = [ledger.signal("Ada"), ledger.signal("Ada"), ledger.signal("Ada")]
    #expect(
      woken == [
        LedgerLine(-1, .signals("Ada", wakes: patient.first)),
        LedgerLine(0, .signals("Ada", wakes: patient.last)),
        LedgerLine(1, .signals("Ada", wakes: nil)),
      ],
      """
      \(impatient) gave up; then three signals came. They are for those who still sleep: a signal \
      that wakes somebody who has left is lost.
      """)
  }

  @Test func `who doesn't sleep can't give up`() {
    var ledger = SemaphoreLedger(value: 0)
    ledger.wait("Ada")
    ledger.wait("Ben")
    ledger.signal("somebody")
    let before = ledger.lines
    // Ada was woken just before her time was over, and the other one was never here.
    let lines = [ledger.giveUp("Ada"), ledger.giveUp("Nobody")]
    #expect(
      lines == [nil, nil] && ledger.lines == before,
      "Neither Ada, who was woken, nor Nobody, who never waited, sleeps: there is no line to write."
    )
    #expect(
      ledger.counter == -1 && ledger.sleepers == ["Ben"],
      """
      Ada was woken before her time was over, so she has what she waited for and puts nothing \
      back. The counter must stand at -1, it stands at \(ledger.counter); Ben must sleep, and \
      \(ledger.sleepers) do.
      """)
  }

  @Test func `who has given up may come back, and is last`() {
    var ledger = SemaphoreLedger(value: 0)
    for visitor in ["Ada", "Ben"] { ledger.wait(visitor) }
    ledger.giveUp("Ada")
    let second = ledger.giveUp("Ada")
    #expect(
      second == nil, "Ada has given up and doesn't sleep any more: the second time means nothing.")
    ledger.wait("Ada")
    ledger.signal("somebody")
    expect(
      ledger,
      reads: [
        LedgerLine(0, .made),
        LedgerLine(-1, .waits("Ada", sleeps: true)),
        LedgerLine(-2, .waits("Ben", sleeps: true)),
        LedgerLine(-1, .givesUp("Ada")),
        LedgerLine(-2, .waits("Ada", sleeps: true)),
        LedgerLine(-1, .signals("somebody", wakes: "Ben")),
      ],
      "Ada gave up and came back. By now Ben has slept longest.")
  }

  // MARK: - A value

  @Test func `a copy is a ledger of its own`() {
    var ledger = SemaphoreLedger(value: 1)
    ledger.wait("Ada")
    var copy = ledger
    copy.wait("Ben")
    copy.signal("Ada")
    expect(
      ledger, reads: [LedgerLine(1, .made), LedgerLine(0, .waits("Ada", sleeps: false))],
      "A copy was made and changed. The ledger it was made from must stay as it is.")
    ledger.signal("Ada")
    #expect(
      ledger.lines.last == LedgerLine(1, .signals("Ada", wakes: nil)),
      "Ben waits in the copy only; here there is nobody to wake.")
  }

  @Test func `random scripts end as they must`() {
    playScripts(of: LedgerScript.self)
  }
}
