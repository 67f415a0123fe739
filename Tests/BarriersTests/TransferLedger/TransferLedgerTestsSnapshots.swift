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
      A transfer had changed one account and not yet the other, and balances has returned already. \
      It must hold the locks of all accounts while it reads them.
      """)
    goOn.open()
    try transfer.result()
    let balances = try snapshot.result("The transfer is over.")
    #expect(
      balances.reduce(0, +) == 150,
      bank.timeline.showing(
        """
        A transfer had changed one account and not yet the other, and balances returned \
        \(balances), \(balances.reduce(0, +)) in all instead of 150. It must hold the locks of all \
        accounts while it reads them.
        """))
  }

  // another thread   balances              a transfer
  // locks account 1
  //                  waits for account 1
  //                                        moves 60, or waits
  // unlocks it
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
    let balances = try snapshot.result("All locks are released.")
    try transfer.result("All locks are released.")
    #expect(
      balances.reduce(0, +) == 300,
      bank.timeline.showing(
        """
        While balances ran, 60 were moved from \(way.from) to \(way.to), and it returned \
        \(balances): \(balances.reduce(0, +)) in all instead of 300. It read one account before \
        the transfer and another one after it. Both calls must hold all their locks until they are \
        done.
        """))
  }

  // An answer that reads twice and compares gets the same result twice, but not of one moment:
  //
  // balances                   0 to 2      2 to 0
  // reads 0; waits for 1
  //                            moves 60
  // reads 1 and 2; waits for 0
  //                                        moves 60 back
  // reads 0; waits for 1
  //                            moves 60
  // reads 1 and 2
  @Test func `a snapshot shows one moment, even if two reads are equal`() throws {
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
    let balances = try snapshot.result("All locks are released.")
    for transfer in transfers { try transfer.result("All locks are released.") }
    #expect(
      balances.reduce(0, +) == 300,
      bank.timeline.showing(
        """
        While balances ran, 60 were moved from 0 to 2, back, and there again. It returned \
        \(balances), \(balances.reduce(0, +)) in all instead of 300. Two equal results don't mean \
        that nothing happened in between: hold all locks, and read once.
        """))
  }

  // another thread  0 to 1                 2 to 0
  // locks account 0
  //                 is to move 100
  //                                        is to move 100
  // unlocks it
  //                 is refused: 40 are there
  //                                        is made
  @Test func `a refusal has the balance at that moment`() throws {
    let bank = Bank([40, 0, 100])
    let thaw = try bank.freeze(0)
    let refused = bank.transfer(100, TransferWay(0, 1))
    runUntilQuiet()
    let giving = bank.transfer(100, TransferWay(2, 0))
    runUntilQuiet()
    thaw.open()
    let outcome = try refused.result("All locks are released.")
    try giving.result("All locks are released.")
    let before = TransferOutcome.refused(Overdraft(account: 0, balance: 40, amount: 100))
    #expect(
      outcome == before || outcome == .done,
      bank.timeline.showing(
        """
        100 were to be moved from account 0, where there were 40 and soon 140. The outcome was \
        \(outcome): the transfer must be made, or refused with the balance of that moment. Read \
        the balance once, and keep the lock.
        """))
  }

  // another thread  from → to            from → account 2
  // locks 'to'
  //                 is to move all 100
  //                                      is to move all 100
  // unlocks it
  //                 one is made, and one is refused
  @Test(arguments: [TransferWay(0, 1), TransferWay(1, 0)])
  func `what was checked is still true when the money is moved`(way: TransferWay) throws {
    var balances = [0, 0, 0]
    balances[way.from] = 100
    let bank = Bank(balances)
    let thaw = try bank.freeze(way.to)
    let first = bank.transfer(100, way)
    runUntilQuiet()
    let second = bank.transfer(100, TransferWay(way.from, 2))
    runUntilQuiet()
    thaw.open()
    let outcomes = try [first, second].map { try $0.result("All locks are released.") }
    let refusal = TransferOutcome.refused(Overdraft(account: way.from, balance: 0, amount: 100))
    #expect(
      outcomes.contains(.done) && outcomes.contains(refusal) && !bank.contents.contains { $0 < 0 },
      bank.timeline.showing(
        """
        There were 100 in account \(way.from), and two transfers were to move all of it. One must \
        be made and the other refused; now the balances are \(bank.contents). From the check to \
        the withdrawal a transfer must hold its locks.
        """))
  }

  // MARK: - Plain accounts

  @Test func `a plain account blocks other threads until its lock is released`() throws {
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
      A thread held the lock of a plain account, and another one acquired it as well. lock must \
      block other threads until unlock, not just for one access.
      """)
    goOn.open()
    try first.result()
    #expect(
      try second.result("The lock was released.") == 8,
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
      Four threads moved money between four accounts with 400 in all. Of 100 snapshots \
      \(wrongSums.value) showed another sum, or a balance below 0.
      """)
    let refused = Result<Void, any Error> { try ledger.transfer(401, from: 0, to: 1) }
    #expect(throws: Overdraft.self, "There are 400 in all, so 401 can't be moved.") {
      try refused.get()
    }
  }

  // The transfers share no account, so nothing orders them.
  @Test func `transfers that share no account share nothing`() throws {
    let ledger = TransferLedger(balances: [99, 1, 99, 1])
    // Swift's runtime looks some things up once, under locks of its own; here it does.
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

  @Test func `no order of calls loses money or deadlocks`() {
    playScripts(of: TransferScript.self)
  }
}
