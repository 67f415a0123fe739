import KataTesting
import Testing

/// A moment of a transfer: after it has read a balance, or changed one, so many times.
struct TransferMoment: Sendable, CustomStringConvertible {
  enum Access: Sendable {
    case read
    case change
  }

  let access: Access
  let times: Int

  init(_ access: Access, _ times: Int) {
    (self.access, self.times) = (access, times)
  }

  var description: String { "\(access) \(times)" }
}

extension TransferLedgerTests {
  // MARK: - Its own accounts, and no others

  // 0 to 1                another transfer
  // reads or changes 0 or 1, and pauses
  //                       needs 0 or 1, and waits
  // goes on, and ends
  //                       is made
  @Test(
    arguments: [
      TransferMoment(.read, 1), TransferMoment(.read, 2), TransferMoment(.change, 1),
      TransferMoment(.change, 2),
    ], [TransferWay(2, 0), TransferWay(1, 2)])
  func `a transfer keeps both accounts until it ends`(
    moment: TransferMoment, way: TransferWay
  ) throws {
    let goOn = Gate("the transfer goes on")
    let bank = Bank([100, 100, 100], pause: (moment, goOn))
    let transfer = bank.transfer(30, TransferWay(0, 1))
    runUntilQuiet()
    let other = bank.transfer(10, way)
    bank.timeline.expect(
      """
      0 to 1  ├─────────…
      \(way)       ├────…
      """,
      """
      A transfer from 0 to 1 paused after \(moment) of a balance, and one from \(way) was made. \
      From a transfer's look at the balance until it ends, no other call may touch its accounts.
      """)
    goOn.open()
    try transfer.result("No other thread holds a lock.")
    try other.result("The first transfer is over.")
    let balances = way.to == 0 ? [80, 130, 90] : [70, 120, 110]
    #expect(
      bank.contents == balances,
      """
      From 100 in each account, 30 were moved from 0 to 1, and 10 from \(way). The balances must \
      be \(balances); they are \(bank.contents).
      """)
  }

  // With so many accounts, locks that are shared by some of them are shared with 0 or 1, too.
  @Test func `a transfer waits for none of hundreds of other accounts`() throws {
    let bank = Bank([Int](repeating: 100, count: 300))
    let thaw = try bank.freeze(1)
    let waiting = bank.transfer(30, TransferWay(0, 1))
    runUntilQuiet()
    let reached = LockedValue(2)
    let others = TestThread("transfers between other accounts") { [ledger = bank.ledger] in
      for number in 2..<299 {
        reached.set(number)
        try ledger.transfer(1, from: number, to: number + 1)
      }
    }
    let areBlocked = others.isBlocked()
    #expect(
      !areBlocked,
      """
      Another thread held the lock of account 1, so a transfer from 0 to 1 waited. One from \
      \(reached.value) to \(reached.value + 1) waited as well, although the two share no account.
      """)
    thaw.open()
    try waiting.result("All locks are released.")
    try others.result("All locks are released.")
  }

  // Locked are 1 and 3. Two transfers wait for 1, and two for 3. Then 3 is unlocked.
  @Test func `a transfer is made when its own accounts are free, even if another waits longer`()
    throws
  {
    let bank = Bank([100, 100, 100, 100])
    let thaws = try [1, 3].map { try bank.freeze($0) }
    let transfers = [(0, 1), (2, 3), (1, 0), (3, 2)].map { source, target in
      defer { runUntilQuiet() }
      return bank.transfer(10, TransferWay(source, target))
    }
    thaws[1].open()
    eventually(
      """
      Transfers from 0 to 1, 2 to 3, 1 to 0 and 3 to 2 began in this order, while other threads \
      held the locks of 1 and 3. Then the lock of 3 was released, but the transfers between 2 and \
      3 aren't both made. If all wait in one place, a transfer that ends must wake all of them: a \
      single one may have to wait again.
      """
    ) { transfers[1].hasReturned && transfers[3].hasReturned }
    thaws[0].open()
    for transfer in transfers { try transfer.result("All locks are released.") }
  }
}
