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
      "Account 0 can't send 300, not even to itself, since there are 100 in it.")
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
}

extension TransferLedger: OpaqueMirror {}
