import Foundation
import KataTesting
import Testing

/// How a transfer ended.
enum TransferOutcome: Equatable, Sendable {
  case done
  case refused(TransferLedger.Overdraft)
}

/// The source and the target of a transfer.
struct TransferWay: Sendable, CustomStringConvertible {
  let from: Int
  let to: Int

  init(_ from: Int, _ to: Int) {
    (self.from, self.to) = (from, to)
  }

  var description: String { "\(from) to \(to)" }
}

/// A ledger of watched accounts, and the spec's calls of it, each on a thread of its own.
final class Bank: Sendable, OpaqueMirror {
  /// Transfers and snapshots, each from its call to its return; and other threads that hold a lock.
  let timeline = Timeline()
  let ledger: TransferLedger
  let watch: AccountWatch
  private let accounts: [WatchedAccount]

  init(
    _ balances: [Int], afterFirstLock: Gate? = nil, afterFirstChange: Gate? = nil,
    pause: (after: TransferMoment, gate: Gate)? = nil
  ) {
    let watch = AccountWatch(
      afterFirstLock: afterFirstLock, afterFirstChange: afterFirstChange, pause: pause)
    self.watch = watch
    accounts = balances.enumerated().map { WatchedAccount($0, balance: $1, watch) }
    ledger = TransferLedger(accounts: accounts)
  }

  /// The balances; read without the locks, so only while the process is quiet.
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

  /// Another thread acquires the lock of an account, and holds it until the gate opens.
  func freeze(_ account: Int) throws -> Gate {
    let thaw = Gate("account \(account) is free again")
    _ = TestThread("another clerk") { [timeline, accounts] in
      accounts[account].lock()
      timeline.visit("another clerk", until: thaw)
      accounts[account].unlock()
    }
    try #require(
      eventually("The lock of account \(account) was never released.") {
        timeline.isInside("another clerk")
      })
    return thaw
  }
}

extension TransferLedgerTests {
  /// Expects that no balance was touched without its lock, and that all locks were released.
  func expectInOrder(
    _ bank: Bank, after call: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try #require(
      bank.watch.objections.isEmpty,
      """
      During \(call): \(bank.watch.objections.joined(separator: " ")) A balance may be read and \
      changed only while its lock is held, so that no other thread can change it in between.
      """,
      sourceLocation: sourceLocation)
    try #require(
      bank.watch.held.isEmpty,
      """
      After \(call) the locks of these accounts weren't released: \(bank.watch.held). Release them \
      in a defer, which runs on every path out.
      """,
      sourceLocation: sourceLocation)
  }
}
