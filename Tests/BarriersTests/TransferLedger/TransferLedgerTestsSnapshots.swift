import KataTesting
import Testing

extension TransferLedgerTests {
  // MARK: - Snapshots

  @Test func `a snapshot doesn't see half a transfer`() throws {
    let goOn = Gate("the other half")
    let bank = Bank([100, 0, 50], afterFirstChange: goOn)
    let transfer = bank.transfer(30, TransferWay(0, 1))
    runUntilQuiet()
    let snapshot = bank.snapshot()
    bank.timeline.expect(
      """
      0 to 1    ├─────────…
      balances       ├────…
      """,
      """
      A transfer had changed one account and not yet the other, and balances has looked already. It must \
      wait until nobody has the lock of any account, and take them all.
      """)
    goOn.open()
    try transfer.result()
    let balances = try snapshot.result("The transfer is over.")
    #expect(
      balances.reduce(0, +) == 150,
      bank.timeline.showing(
        """
        A transfer had changed one account and not yet the other, and balances showed \(balances), \
        \(balances.reduce(0, +)) in all, while there are 150. It must wait until nobody has the lock of \
        any account, and take them all.
        """))
  }

  // somebody else    balances              a transfer
  // has account 1
  //                  waits for account 1
  //                                        moves 60, or waits
  // gives it back
  //                  goes on
  @Test(arguments: [TransferWay(0, 2), TransferWay(2, 0), TransferWay(2, 1), TransferWay(0, 1)])
  func `a snapshot shows one moment`(way: TransferWay) throws {
    let bank = Bank([100, 100, 100])
    let thaw = try bank.freeze(1)
    let snapshot = bank.snapshot()
    runUntilQuiet()
    let transfer = bank.transfer(60, way)
    runUntilQuiet()
    thaw.open()
    let balances = try snapshot.result("All accounts are free again.")
    try transfer.result("All accounts are free again.")
    #expect(
      balances.reduce(0, +) == 300,
      bank.timeline.showing(
        """
        While balances looked, 60 were moved from \(way.from) to \(way.to), and it showed \(balances): \
        \(balances.reduce(0, +)) in all, while there are 300. It has looked at one account before the \
        transfer and at another one after it. And a transfer has to keep both locks until it's done.
        """))
  }

  // An answer that looks twice and compares sees the same both times, and no moment:
  //
  // balances                   0 to 2      2 to 0
  // sees 0; waits for 1
  //                            moves 60
  // sees 1 and 2; waits for 0
  //                                        moves 60 back
  // sees 0; waits for 1
  //                            moves 60
  // sees 1 and 2
  @Test func `a snapshot shows one moment, even if it looks the same twice`() throws {
    let bank = Bank([100, 100, 100])
    var thaw = try bank.freeze(1)
    let snapshot = bank.snapshot()
    runUntilQuiet()
    var transfers = [bank.transfer(60, TransferWay(0, 2))]
    runUntilQuiet()
    let thawFirst = try bank.freeze(0)
    runUntilQuiet()
    transfers.append(bank.transfer(60, TransferWay(2, 0)))
    runUntilQuiet()
    thaw.open()
    runUntilQuiet()
    thaw = try bank.freeze(1)
    runUntilQuiet()
    thawFirst.open()
    runUntilQuiet()
    transfers.append(bank.transfer(60, TransferWay(0, 2)))
    runUntilQuiet()
    thaw.open()
    let balances = try snapshot.result("All accounts are free again.")
    for transfer in transfers { try transfer.result("All accounts are free again.") }
    #expect(
      balances.reduce(0, +) == 300,
      bank.timeline.showing(
        """
        While balances looked, 60 were moved from 0 to 2, back, and there again. It showed \(balances), \
        \(balances.reduce(0, +)) in all, while there are 300. That two looks are alike doesn't mean that \
        nothing happened: hold all locks, and look once.
        """))
  }

  // somebody else   0 to 1                 2 to 0
  // has account 0
  //                 asks for 100
  //                                        gives 100
  // gives it back
  //                 is refused: 40 are there
  //                                        is made
  @Test func `a refusal tells what was there when it was refused`() throws {
    let bank = Bank([40, 0, 100])
    let thaw = try bank.freeze(0)
    let refused = bank.transfer(100, TransferWay(0, 1))
    runUntilQuiet()
    let giving = bank.transfer(100, TransferWay(2, 0))
    runUntilQuiet()
    thaw.open()
    let outcome = try refused.result("All accounts are free again.")
    try giving.result("All accounts are free again.")
    let before = TransferOutcome.refused(Overdraft(account: 0, balance: 40, amount: 100))
    #expect(
      outcome == before || outcome == .done,
      bank.timeline.showing(
        """
        100 were asked for from account 0, where there were 40 and soon 140. The answer was \(outcome): \
        it must be made, or refused with what was there at that moment. Look once, and keep the lock.
        """))
  }

  // somebody else   from → to            from → account 2
  // has 'to'
  //                 asks for all 100
  //                                      asks for all 100
  // gives it back
  //                 one is made, and one is refused
  @Test(arguments: [TransferWay(0, 1), TransferWay(1, 0)])
  func `what was looked at is still true when it's taken`(way: TransferWay) throws {
    var balances = [0, 0, 0]
    balances[way.from] = 100
    let bank = Bank(balances)
    let thaw = try bank.freeze(way.to)
    let first = bank.transfer(100, way)
    runUntilQuiet()
    let second = bank.transfer(100, TransferWay(way.from, 2))
    runUntilQuiet()
    thaw.open()
    let outcomes = try [first, second].map { try $0.result("All accounts are free again.") }
    let refusal = TransferOutcome.refused(Overdraft(account: way.from, balance: 0, amount: 100))
    #expect(
      outcomes.contains(.done) && outcomes.contains(refusal) && !bank.contents.contains { $0 < 0 },
      bank.timeline.showing(
        """
        There were 100 in account \(way.from), and two transfers wanted all of it. One must be made and \
        the other refused; now there are \(bank.contents) in the accounts. Who looks whether there is \
        enough must keep the lock until it's taken.
        """))
  }

  // MARK: - Plain accounts

  @Test func `a plain account keeps others out until its lock is given back`() throws {
    let account = PlainAccount(balance: 7)
    let timeline = Timeline()
    let goOn = Gate("give the lock back")
    let first = TestThread("the first thread") {
      account.lock()
      account.balance += 1
      timeline.visit("the first thread", until: goOn)
      account.unlock()
    }
    runUntilQuiet()
    let second = timeline.asks("the second thread") {
      account.lock()
      defer { account.unlock() }
      return timeline.visit("the second thread") { account.balance }
    }
    timeline.expect(
      """
      the first thread   ├─────────…
      the second thread       ┆┄┄┄┄…
      """,
      """
      A thread has taken the lock of a plain account, and another one got it as well. The lock is held \
      until unlock, not for one access.
      """)
    goOn.open()
    try first.result()
    #expect(
      try second.result("The lock was given back.") == 8,
      "A plain account was opened with 7, and 1 was added.")
  }

  // MARK: - Many threads

  @Test func `many threads may move money at once`() throws {
    let ledger = TransferLedger(balances: [100, 100, 100, 100])
    let wrongSums = SharedCounter()
    try TestThread.race("clerk", threads: 4) { clerk in
      for turn in 0..<25 {
        let (source, target) = ((clerk + turn) % 4, (clerk + turn * 3 + 1) % 4)
        try? ledger.transfer(turn * 3, from: source, to: target)
        let balances = ledger.balances
        if balances.reduce(0, +) != 400 || balances.contains(where: { $0 < 0 }) {
          wrongSums.increment()
        }
      }
    }
    #expect(
      wrongSums.value == 0,
      """
      Four threads moved money between four accounts with 400 in them. \(wrongSums.value) snapshots of a \
      hundred showed another sum, or less than nothing.
      """)
    let refused = Result<Void, any Error> { try ledger.transfer(401, from: 0, to: 1) }
    #expect(throws: Overdraft.self, "There are 400 in all, and 401 can't be moved.") {
      try refused.get()
    }
  }

  // They share no account, so nothing orders the two.
  @Test func `transfers that share no account share nothing`() throws {
    let ledger = TransferLedger(balances: [99, 1, 99, 1])
    // What Swift's runtime looks up under locks of its own, the first time, is known from here on.
    try mustReturn("transfer(1, from: 1, to: 0) and (1, from: 3, to: 2)") {
      try ledger.transfer(1, from: 1, to: 0)
      try ledger.transfer(1, from: 3, to: 2)
    }
    try RelaxedRendezvous.meet(
      "transfer(30)", { try? ledger.transfer(30, from: 0, to: 1) },
      { try? ledger.transfer(30, from: 2, to: 3) })
    let balances = try mustReturn("balances") { ledger.balances }
    #expect(balances == [70, 30, 70, 30], "Two transfers of 30 must have been made.")
  }

  @Test func `nothing is lost and nobody is stuck in any order`() {
    playScripts(of: TransferScript.self)
  }
}
