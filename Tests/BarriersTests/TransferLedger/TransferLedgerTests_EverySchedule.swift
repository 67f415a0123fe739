import KataTesting
import Testing

extension TransferLedgerTests {
  // MARK: - Every schedule

  @Test func `in every schedule transfers and balances come one after another`() {
    typealias Call = ModelledCall<LedgerOfThree, Balances>
    let (out, back) = (Call.transfer(60, TransferWay(0, 2)), Call.transfer(60, TransferWay(2, 0)))
    let balances = Call("balances") {
      $0.ledger.balances
    } model: {
      $0.all
    }
    let threads = [
      [[out, balances], [back]],
      [[out], [out], [back]],
    ]
    let whileLocking = [
      [balances], [out],
      [
        Call("the lock of account 1 can be acquired") {
          $0.isLocked.open()
        } model: { _ in
        }
      ],
    ]
    explore(
      threads.map { Scenario(LedgerOfThree.subject(), threads: $0) }
        + [Scenario(LedgerOfThree.subject(lockTakesLong: true), threads: whileLocking)])
  }

  // The first transfer that changes a balance is held until another one has returned.
  @Test func `in every schedule a transfer holds its own locks and waits for no others`() {
    typealias Call = ModelledCall<WatchedLedger, Balances>
    let (out, back) = (Call.transfer(60, TransferWay(0, 1)), Call.transfer(60, TransferWay(1, 0)))
    let other = Call.transfer(60, TransferWay(2, 3))
    let refused = Call.transfer(200, TransferWay(1, 0))
    let toItself = Call.transfer(60, TransferWay(1, 1))
    let balances = Call("balances") {
      $0.bank.ledger.balances
    } model: {
      $0.all
    }
    let threads = [
      [[out], [other]],
      [[out], [back], [other]],
      [[out], [refused], [other]],
      [[back], [toItself], [other]],
      [[out, balances], [other, back]],
    ]
    let subject = ModelledSubject(
      model: Balances([100, 100, 100, 100]), { WatchedLedger([100, 100, 100, 100]) },
      end: { $0.summary }, modelEnd: { "\($0.all)" }, tearDown: { $0.hasTransferred.open() })
    explore(threads.map { Scenario(subject, threads: $0) })
  }
}

extension ModelledCall where Subject: LedgerToExplore, Model == Balances {
  fileprivate static func transfer(_ amount: Int, _ way: TransferWay) -> Self {
    ModelledCall("transfer(\(amount), from: \(way.from), to: \(way.to))") {
      $0.outcome(of: amount, way)
    } model: {
      $0.transfer(amount, way)
    }
  }
}

private protocol LedgerToExplore: Sendable {
  func outcome(of amount: Int, _ way: TransferWay) -> TransferOutcome
}

extension TransferLedger {
  fileprivate func outcome(of amount: Int, _ way: TransferWay) -> TransferOutcome {
    do {
      try transfer(amount, from: way.from, to: way.to)
      return .done
    } catch {
      return .refused(error)
    }
  }
}

/// A ledger of three accounts; the lock of account 1 may be acquired only when a gate opens.
private final class LedgerOfThree: LedgerToExplore, OpaqueMirror {
  let ledger: TransferLedger
  let isLocked = Gate("the lock of account 1 is acquired")
  private let accounts: [any Account]

  static func subject(lockTakesLong: Bool = false) -> ModelledSubject<LedgerOfThree, Balances> {
    let balances = [100, 0, 50]
    return ModelledSubject(
      model: Balances(balances), { LedgerOfThree(balances, lockTakesLong: lockTakesLong) },
      end: { "\($0.contents)" }, modelEnd: { "\($0.all)" }, tearDown: { $0.isLocked.open() })
  }

  private init(_ balances: [Int], lockTakesLong: Bool) {
    accounts = balances.enumerated().map { [isLocked] number, balance in
      let account = PlainAccount(balance: balance)
      return number == 1 && lockTakesLong ? SlowAccount(account, until: isLocked) : account
    }
    ledger = TransferLedger(accounts: accounts)
  }

  func outcome(of amount: Int, _ way: TransferWay) -> TransferOutcome {
    ledger.outcome(of: amount, way)
  }

  /// The balances; read without the locks, so only at rest.
  var contents: [Int] { accounts.map { $0.balance } }
}

/// An account whose lock is acquired only when a gate opens.
private final class SlowAccount: Account {
  private let account: PlainAccount
  private let gate: Gate

  init(_ account: PlainAccount, until gate: Gate) {
    (self.account, self.gate) = (account, gate)
  }

  var balance: Int {
    get { account.balance }
    set { account.balance = newValue }
  }

  func lock() {
    gate.wait()
    account.lock()
  }

  func unlock() { account.unlock() }
}

/// A ledger of watched accounts, with a gate that opens when a transfer has returned; until then
/// the first change of a balance is held.
private final class WatchedLedger: LedgerToExplore, OpaqueMirror {
  let bank: Bank
  let hasTransferred = Gate("another transfer has returned")

  init(_ balances: [Int]) {
    bank = Bank(balances, afterFirstChange: hasTransferred)
  }

  func outcome(of amount: Int, _ way: TransferWay) -> TransferOutcome {
    defer { hasTransferred.open() }
    return bank.ledger.outcome(of: amount, way)
  }

  var summary: String {
    let held = bank.watch.held
    let objections =
      bank.watch.objections + (held.isEmpty ? [] : ["The locks of \(held) are still held."])
    return objections.isEmpty ? "\(bank.contents)" : objections.joined(separator: " ")
  }
}

/// One transfer after another.
private struct Balances: Sendable {
  private(set) var all: [Int]

  init(_ balances: [Int]) { all = balances }

  mutating func transfer(_ amount: Int, _ way: TransferWay) -> TransferOutcome {
    let balance = all[way.from]
    guard balance >= amount else {
      return .refused(
        TransferLedger.Overdraft(account: way.from, balance: balance, amount: amount))
    }
    all[way.from] -= amount
    all[way.to] += amount
    return .done
  }
}
