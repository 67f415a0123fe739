import KataTesting
import Testing

/// Proves that transfers lose nothing, refuse an overdraft and show nothing half done; that each waits for
/// its own accounts and no others; and that, in whatever order they come, nobody is left waiting in a
/// circle.
@Suite(.serialized, .kata) struct TransferLedgerTests {
  typealias Overdraft = TransferLedger.Overdraft

  // MARK: - One transfer

  @Test func `a transfer moves the amount`() throws {
    let bank = Bank([100, 0, 50])
    let outcome = try bank.transfer(30, TransferWay(0, 1)).result()
    #expect(outcome == .done, "There were 100 in account 0, so 30 can be taken from it.")
    #expect(
      bank.contents == [70, 30, 50],
      """
      There were [100, 0, 50] in the accounts, and 30 were moved from account 0 to account 1; now there \
      are \(bank.contents). Take them from the one and give them to the other.
      """)
    let balances = try bank.snapshot().result()
    #expect(
      balances == [70, 30, 50], "balances must show what is in the accounts, in their order.")
  }

  @Test func `a balance is touched only by who has its lock`() throws {
    let bank = Bank([100, 100])
    for (amount, source, target) in [(30, 0, 1), (40, 1, 0), (500, 0, 1), (10, 1, 1)] {
      _ = try bank.transfer(amount, TransferWay(source, target)).result("Nobody else has a lock.")
      try expectInOrder(bank, after: "a transfer of \(amount) from \(source) to \(target)")
      _ = try bank.snapshot().result("Nobody else has a lock.")
      try expectInOrder(bank, after: "balances")
    }
  }

  @Test func `an overdraft is refused, and nothing moves`() throws {
    let bank = Bank([40, 5])
    let refused = try bank.transfer(100, TransferWay(0, 1)).result()
    #expect(
      refused == .refused(Overdraft(account: 0, balance: 40, amount: 100)),
      "100 were to be taken from account 0, and there were 40: that must be refused by an Overdraft."
    )
    #expect(
      bank.contents == [40, 5],
      "The transfer was refused, so [40, 5] must be there as before; there are \(bank.contents).")
    let exact = try bank.transfer(40, TransferWay(0, 1)).result(
      "The transfer before it was refused. Were the locks given back?")
    #expect(
      exact == .done && bank.contents == [0, 45],
      "There are 40 in account 0, and 40 can be taken from it; then it's empty, which is no overdraft."
    )
  }

  @Test func `an account can send to itself`() throws {
    let bank = Bank([100, 5])
    let outcome = try bank.transfer(30, TransferWay(0, 0)).result(
      "It goes from account 0 to account 0, and that's one lock, which can be taken once.")
    #expect(
      outcome == .done && bank.contents == [100, 5],
      """
      Account 0 has sent 30 to itself. There must be [100, 5] as before; there are \(bank.contents).
      """)
    let refused = try bank.transfer(300, TransferWay(0, 0)).result()
    #expect(
      refused == .refused(Overdraft(account: 0, balance: 100, amount: 300)),
      "Account 0 can't send 300, to nobody, since there are 100 in it.")
  }

  @Test(arguments: [0, 1, .max])
  func `an account that is in the red gives nothing`(amount: Int) throws {
    let bank = Bank([-2, 5])
    let outcome = try bank.transfer(amount, TransferWay(0, 1)).result()
    #expect(
      outcome == .refused(Overdraft(account: 0, balance: -2, amount: amount)),
      """
      There were -2 in account 0, and \(amount) were to be taken from it. -2 is less than that, so it \
      must be refused by an Overdraft. Compare the two as they are, whatever they are: a difference may \
      be too large for an Int.
      """)
    #expect(
      bank.contents == [-2, 5],
      "The transfer was refused, so [-2, 5] must be there as before; there are \(bank.contents).")
    _ = try bank.transfer(1, TransferWay(1, 0)).result(
      "The transfer before it was refused. Were the locks given back?")
    #expect(
      bank.contents == [-1, 4],
      "An account that is in the red may be given money; there are \(bank.contents) now.")
  }

  // MARK: - Who waits for whom

  @Test(arguments: [0, 30, 500], [TransferWay(0, 1), TransferWay(1, 0), TransferWay(1, 1)])
  func `every transfer waits for both accounts, however it ends`(
    amount: Int, way: TransferWay
  ) throws {
    let bank = Bank([100, 100])
    let thaw = try bank.freeze(1)
    let transfer = bank.transfer(amount, way)
    bank.timeline.expect(
      """
      somebody else  ├─────────…
      \(way)              ├────…
      """,
      """
      Somebody else had the lock of account 1, and a transfer of \(amount) from \(way.from) to \
      \(way.to) was over all the same. It has to wait until nobody else has the lock of either \
      account: take both before anything else, also if nothing is to be moved, or too much.
      """)
    thaw.open()
    let refusal = TransferOutcome.refused(
      Overdraft(account: way.from, balance: 100, amount: amount))
    #expect(
      try transfer.result("All accounts are free again.") == (amount > 100 ? refusal : .done),
      "There were 100 in account \(way.from), and \(amount) were asked for.")
  }

  @Test func `a transfer waits for its own accounts and for no others`() throws {
    let bank = Bank([100, 100, 100, 100])
    let thaw = try bank.freeze(1)
    var transfers = [TransferWay(0, 1), TransferWay(1, 0)].map { way in
      defer { runUntilQuiet() }
      return bank.transfer(30, way)
    }
    let areWaiting = bank.timeline.expect(
      """
      somebody else  ├──────────────…
      0 to 1              ├─────────…
      1 to 0                   ├────…
      """,
      """
      Somebody else has the lock of account 1, and a transfer from it, or to it, was made all the \
      same. Take the locks that came with the accounts.
      """)
    guard areWaiting else { return }
    transfers += [(30, TransferWay(2, 3)), (50, TransferWay(3, 2))].map { amount, way in
      defer { runUntilQuiet() }
      return bank.transfer(amount, way)
    }
    bank.timeline.expect(
      """
      somebody else  ├──────────────────────────────────…
      0 to 1              ├─────────────────────────────…
      1 to 0                   ├────────────────────────…
      2 to 3                        ├────┤
      3 to 2                                  ├────┤
      """,
      """
      Transfers between 0 and 1 wait for the lock of account 1. Those between 2 and 3 need neither, \
      and wait too. No lock may be held by all of them, not even while locks are being taken.
      """)
    thaw.open()
    for transfer in transfers { try transfer.result("All accounts are free again.") }
    #expect(bank.contents == [100, 100, 120, 80], "All four transfers must have been made.")
  }

  // 0 to 1          1 to 0
  // has a lock      has a lock, or waits for it
  // goes on         goes on
  // is through      is through, sooner or later
  @Test(arguments: [
    [TransferWay(0, 1), TransferWay(1, 0)],
    [TransferWay(0, 1), TransferWay(1, 2), TransferWay(2, 0)],
    [TransferWay(2, 1), TransferWay(1, 0), TransferWay(0, 2)],
  ])
  func `transfers finish though all have stopped after their first lock`(
    ways: [TransferWay]
  ) throws {
    let goOn = Gate("go on with the second lock")
    let bank = Bank([100, 100, 100], afterFirstLock: goOn)
    let transfers = ways.map { bank.transfer(30, $0) }
    runUntilQuiet()
    goOn.open()
    runUntilQuiet()
    try #require(
      !transfers.contains { !$0.hasReturned },
      bank.timeline.showing(
        """
        Everybody who had taken a first lock paused before the second. Now everything is at rest: \
        \(bank.watch.whoHasWhat). They wait for each other in a circle, a deadlock. If all of them begin with \
        the same one of two accounts, there is no circle.
        """))
    #expect(
      bank.contents == [100, 100, 100],
      "30 went once around, so there must be 100 in each account; there are \(bank.contents).")
  }

  @Test(arguments: [TransferWay(0, 2), TransferWay(2, 0), TransferWay(1, 2)])
  func `so does a snapshot beside a transfer`(way: TransferWay) throws {
    let goOn = Gate("go on with the next lock")
    let bank = Bank([100, 100, 100], afterFirstLock: goOn)
    let snapshot = bank.snapshot()
    let transfer = bank.transfer(30, way)
    runUntilQuiet()
    goOn.open()
    runUntilQuiet()
    try #require(
      snapshot.hasReturned && transfer.hasReturned,
      bank.timeline.showing(
        """
        balances and a transfer have each taken a first lock and paused. Now everything is at rest: \
        \(bank.watch.whoHasWhat). They wait for each other: balances must take the locks in the same order as \
        transfers do.
        """))
    #expect(try snapshot.result().reduce(0, +) == 300, "There are 300 in all accounts together.")
  }

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
    let wrongSums = Counter()
    try race("clerk", threads: 4) { clerk in
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
    try meet(
      "transfer(30)", { try? ledger.transfer(30, from: 0, to: 1) },
      { try? ledger.transfer(30, from: 2, to: 3) })
    let balances = try mustReturn("balances") { ledger.balances }
    #expect(balances == [70, 30, 70, 30], "Two transfers of 30 must have been made.")
  }

  @Test func `nothing is lost and nobody is stuck in any order`() {
    playScripts(of: TransferScript.self)
  }
}

extension TransferLedger: OpaqueMirror {}
