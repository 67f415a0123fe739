import Foundation
import KataTesting
import Testing

/// How a transfer ended.
enum TransferOutcome: Equatable, Sendable {
  case done
  case refused(TransferLedger.Overdraft)
}

/// From which account to which.
struct TransferWay: Sendable, CustomStringConvertible {
  let from: Int
  let to: Int

  init(_ from: Int, _ to: Int) {
    (self.from, self.to) = (from, to)
  }

  var description: String { "\(from) to \(to)" }
}

/// A ledger of watched accounts, and what the spec asks of it, each on a thread of its own.
final class Bank: Sendable, OpaqueMirror {
  /// Transfers and snapshots, each from its call to its return; and who else has a lock.
  let timeline = Timeline()
  let ledger: TransferLedger
  let watch: AccountWatch
  private let accounts: [WatchedAccount]

  init(_ balances: [Int], afterFirstLock: Gate? = nil, afterFirstChange: Gate? = nil) {
    let watch = AccountWatch(afterFirstLock: afterFirstLock, afterFirstChange: afterFirstChange)
    self.watch = watch
    accounts = balances.enumerated().map { WatchedAccount($0, balance: $1, watch) }
    ledger = TransferLedger(accounts: accounts)
  }

  /// What is in the accounts; asked without their locks, so only while everything is at rest.
  var contents: [Int] { accounts.map(\.content) }

  func transfer(_ amount: Int, _ way: TransferWay) -> TestThread<TransferOutcome> {
    TestThread("transfer(\(amount), from: \(way.from), to: \(way.to))") { [timeline, ledger] in
      timeline.visit(way.description) {
        do throws(TransferLedger.Overdraft) {
          try ledger.transfer(amount, from: way.from, to: way.to)
          return .done
        } catch {
          return .refused(error)
        }
      }
    }
  }

  func snapshot() -> TestThread<[Int]> {
    TestThread("balances") { [timeline, ledger] in
      timeline.visit("balances") { ledger.balances }
    }
  }

  /// Somebody else takes the lock of an account, and keeps it until the gate opens.
  func freeze(_ account: Int) throws -> Gate {
    let thaw = Gate("account \(account) is free again")
    _ = TestThread("somebody else") { [timeline, accounts] in
      accounts[account].lock()
      timeline.visit("somebody else", until: thaw)
      accounts[account].unlock()
    }
    try #require(
      eventually("The lock of account \(account) was never given back.") {
        timeline.isInside("somebody else")
      })
    return thaw
  }
}

extension TransferLedgerTests {
  /// No balance was touched without its lock, and all locks were given back.
  func expectInOrder(
    _ bank: Bank, after call: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try #require(
      bank.watch.objections.isEmpty,
      """
      During \(call): \(bank.watch.objections.joined(separator: " ")) Between a look and a change nobody \
      else may come, and that is what the lock is for.
      """,
      sourceLocation: sourceLocation)
    try #require(
      bank.watch.held.isEmpty,
      """
      After \(call) the locks of these accounts weren't given back: \(bank.watch.held). Do it in a defer, \
      which runs on every way out.
      """,
      sourceLocation: sourceLocation)
  }
}
