import KataTesting
import Testing

/// Proves that transfers lose nothing, refuse an overdraft and are never seen half done; that each
/// waits for its own accounts and no others; and that no order of calls leads to a circular wait.
@Suite(.serialized, .kata) struct TransferLedgerTests {
  typealias Overdraft = TransferLedger.Overdraft

  // MARK: - One transfer

  @Test func `a transfer moves the amount`() throws {
    let bank = Bank([100, 0, 50])
    let outcome = try bank.transfer(30, TransferWay(0, 1)).result()
    #expect(outcome == .done, "There were 100 in account 0, so 30 can be moved.")
    #expect(
      bank.contents == [70, 30, 50],
      """
      The balances were [100, 0, 50], and 30 were moved from account 0 to account 1; now they are \
      \(bank.contents). Take the amount from the first account, and add it to the second.
      """)
    let balances = try bank.snapshot().result()
    #expect(
      balances == [70, 30, 50],
      "balances must return all balances, in the order of the accounts' numbers.")
  }

  @Test func `a balance is touched only with its lock held`() throws {
    let bank = Bank([100, 100])
    for (amount, source, target) in [(30, 0, 1), (40, 1, 0), (500, 0, 1), (10, 1, 1)] {
      _ = try bank.transfer(amount, TransferWay(source, target)).result(
        "No other thread holds a lock.")
      try expectInOrder(bank, after: "a transfer of \(amount) from \(source) to \(target)")
      _ = try bank.snapshot().result("No other thread holds a lock.")
      try expectInOrder(bank, after: "balances")
    }
  }

  @Test func `an overdraft is refused, and nothing moves`() throws {
    let bank = Bank([40, 5])
    let refused = try bank.transfer(100, TransferWay(0, 1)).result()
    #expect(
      refused == .refused(Overdraft(account: 0, balance: 40, amount: 100)),
      "100 were to be moved from account 0, which had 40: transfer must throw an Overdraft."
    )
    #expect(
      bank.contents == [40, 5],
      "The transfer was refused, so the balances must still be [40, 5]; they are \(bank.contents).")
    let exact = try bank.transfer(40, TransferWay(0, 1)).result(
      "The transfer before it was refused. Did it release its locks?")
    #expect(
      exact == .done && bank.contents == [0, 45],
      "There were 40 in account 0, so 40 can be moved; that leaves 0, which is no overdraft."
    )
  }

  @Test func `an account can send to itself`() throws {
    let bank = Bank([100, 5])
    let outcome = try bank.transfer(30, TransferWay(0, 0)).result(
      "It goes from account 0 to account 0: that's one lock, which can be acquired only once.")
    #expect(
      outcome == .done && bank.contents == [100, 5],
      """
      Account 0 has sent 30 to itself. The balances must still be [100, 5]; they are \
      \(bank.contents).
      """)
    let refused = try bank.transfer(300, TransferWay(0, 0)).result()
    #expect(
      refused == .refused(Overdraft(account: 0, balance: 100, amount: 300)),
      "Account 0 has 100, so it can't send 300, not even to itself.")
  }

  @Test(arguments: [0, 1, .max])
  func `an overdrawn account pays nothing`(amount: Int) throws {
    let bank = Bank([-2, 5])
    let outcome = try bank.transfer(amount, TransferWay(0, 1)).result()
    #expect(
      outcome == .refused(Overdraft(account: 0, balance: -2, amount: amount)),
      """
      There were -2 in account 0, and \(amount) were to be moved from it. -2 is less than that, so \
      transfer must throw an Overdraft. Compare the two directly: their difference may be too \
      large for an Int.
      """)
    #expect(
      bank.contents == [-2, 5],
      "The transfer was refused, so the balances must still be [-2, 5]; they are \(bank.contents).")
    _ = try bank.transfer(1, TransferWay(1, 0)).result(
      "The transfer before it was refused. Did it release its locks?")
    #expect(
      bank.contents == [-1, 4],
      "An overdrawn account can receive money; the balances are \(bank.contents) now.")
  }

  // MARK: - Waiting

  @Test(arguments: [0, 30, 500], [TransferWay(0, 1), TransferWay(1, 0), TransferWay(1, 1)])
  func `every transfer waits for both accounts, however it ends`(
    amount: Int, way: TransferWay
  ) throws {
    let bank = Bank([100, 100])
    let thaw = try bank.freeze(1)
    let transfer = bank.transfer(amount, way)
    bank.timeline.expect(
      """
      another clerk  ├─────────…
      \(way)              ├────…
      """,
      """
      Another thread held the lock of account 1, and a transfer of \(amount) from \(way.from) to \
      \(way.to) returned all the same. A transfer must wait until no other thread holds the lock \
      of either account. Acquire both locks first, even if nothing is to be moved, or too much.
      """)
    thaw.open()
    let refusal = TransferOutcome.refused(
      Overdraft(account: way.from, balance: 100, amount: amount))
    #expect(
      try transfer.result("All locks are released.") == (amount > 100 ? refusal : .done),
      "There were 100 in account \(way.from), and \(amount) were to be moved.")
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
      another clerk  ├──────────────…
      0 to 1              ├─────────…
      1 to 0                   ├────…
      """,
      """
      Another thread held the lock of account 1, and a transfer from it, or to it, was made all \
      the same. Use the locks of the accounts that were handed in.
      """)
    guard areWaiting else { return }
    transfers += [(30, TransferWay(2, 3)), (50, TransferWay(3, 2))].map { amount, way in
      defer { runUntilQuiet() }
      return bank.transfer(amount, way)
    }
    bank.timeline.expect(
      """
      another clerk  ├──────────────────────────────────…
      0 to 1              ├─────────────────────────────…
      1 to 0                   ├────────────────────────…
      2 to 3                        ├────┤
      3 to 2                                  ├────┤
      """,
      """
      Transfers between 0 and 1 wait for the lock of account 1. Those between 2 and 3 don't need \
      it, and mustn't wait. No lock may be shared by all transfers, not even while they acquire \
      their locks.
      """)
    thaw.open()
    for transfer in transfers { try transfer.result("All locks are released.") }
    #expect(bank.contents == [100, 100, 120, 80], "All four transfers must have been made.")
  }

  // 0 to 1          1 to 0
  // holds a lock    holds a lock, or waits for it
  // goes on         goes on
  // finishes        finishes, sooner or later
  @Test(arguments: [
    [TransferWay(0, 1), TransferWay(1, 0)],
    [TransferWay(0, 1), TransferWay(1, 2), TransferWay(2, 0)],
    [TransferWay(2, 1), TransferWay(1, 0), TransferWay(0, 2)],
  ])
  func `transfers finish even if all pause after their first lock`(
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
        Each transfer that had acquired a first lock paused before the second. Now no thread can \
        go on: \(bank.watch.whoHasWhat). They wait for each other in a circle, a deadlock: what if \
        every transfer acquired the same one of two locks first?
        """))
    #expect(
      bank.contents == [100, 100, 100],
      "30 went around in a circle, so each balance must be 100; they are \(bank.contents).")
  }

  @Test(arguments: [TransferWay(0, 2), TransferWay(2, 0), TransferWay(1, 2)])
  func `a snapshot and a transfer don't deadlock`(way: TransferWay) throws {
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
        balances and a transfer have each acquired a first lock and paused. Now no thread can go \
        on: \(bank.watch.whoHasWhat). They wait for each other in a circle: balances must acquire \
        the locks in the same order as transfers do.
        """))
    #expect(try snapshot.result().reduce(0, +) == 300, "The sum of all balances is 300.")
  }
}

extension TransferLedger: OpaqueMirror {}
