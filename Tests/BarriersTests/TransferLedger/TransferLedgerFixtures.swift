import Foundation
import KataTesting
import Testing

/// How a transfer ended.
enum TransferOutcome: Equatable, Sendable {
  case done
  case refused(TransferLedger.Overdraft)
  case failedOtherwise(String)
}

/// From which account to which.
struct TransferWay: Sendable, CustomStringConvertible {
  let from: Int
  let to: Int

  init(_ from: Int, _ to: Int) {
    self.from = from
    self.to = to
  }

  var description: String { "\(from) to \(to)" }
}

/// A ledger of watched accounts, and the transfers that the spec asks for.
final class Bank: Sendable, OpaqueMirror {
  /// Transfers and snapshots, each from its call to its return.
  let timeline = Timeline()
  let ledger: TransferLedger
  private let accounts: [WatchedAccount]
  private let watch: AccountWatch

  init(_ balances: [Int], afterFirstLock: Gate? = nil, afterFirstChange: Gate? = nil) {
    let watch = AccountWatch(afterFirstLock: afterFirstLock, afterFirstChange: afterFirstChange)
    self.watch = watch
    accounts = balances.enumerated().map { WatchedAccount($0, balance: $1, watch) }
    ledger = TransferLedger(accounts: accounts)
  }

  /// What is in the accounts; asked without their locks, so only while everything is at rest.
  var contents: [Int] { accounts.map(\.content) }

  /// What was done that a user of accounts mustn't do, a sentence each.
  var objections: [String] { watch.objections }

  /// The accounts whose locks somebody has.
  var held: [Int] { watch.held }

  /// Who has which locks and waits for which, in words.
  var whoHasWhat: String { watch.whoHasWhat }

  /// A transfer, on a thread of its own.
  func transfer(_ amount: Int, _ way: TransferWay) -> TestThread<TransferOutcome> {
    TestThread("transfer(\(amount), from: \(way.from), to: \(way.to))") { [self] in
      let name = way.description
      watch.begins(name)
      return timeline.visit(name) {
        let result = Result<Void, any Error> {
          try ledger.transfer(amount, from: way.from, to: way.to)
        }
        switch result {
        case .success: return .done
        case .failure(let error):
          return (error as? TransferLedger.Overdraft).map { .refused($0) }
            ?? .failedOtherwise("\(error)")
        }
      }
    }
  }

  /// A snapshot, on a thread of its own.
  func snapshot() -> TestThread<[Int]> {
    TestThread("balances") { [self] in
      watch.begins("balances")
      return timeline.visit("balances") { ledger.balances }
    }
  }

  /// Somebody else takes the lock of an account, and keeps it until the gate opens.
  func freeze(_ account: Int) throws -> Gate {
    let thaw = Gate("account \(account) is free again")
    _ = TestThread("somebody else") { [self] in
      watch.begins("somebody else")
      accounts[account].lock()
      thaw.wait()
      accounts[account].unlock()
    }
    try #require(
      eventually("The lock of account \(account) was never given back.") { held.contains(account) })
    return thaw
  }
}

/// An account that knows who has its lock; those who wait for it get it in the order of asking.
final class WatchedAccount: Account {
  private let number: Int
  private let watch: AccountWatch
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var holder: ObjectIdentifier?
  private nonisolated(unsafe) var line: [Int] = []  // Safe: as above.
  private nonisolated(unsafe) var asked = 0  // Safe: as above.
  private nonisolated(unsafe) var amount: Int  // Safe: as above.

  init(_ number: Int, balance: Int, _ watch: AccountWatch) {
    self.number = number
    self.watch = watch
    amount = balance
  }

  var content: Int { condition.withLock { amount } }

  var balance: Int {
    get {
      objectUnlessHeld("read")
      return content
    }
    set {
      objectUnlessHeld("changed")
      condition.withLock { amount = newValue }
      watch.changed()
    }
  }

  func lock() {
    watch.asks(for: number)
    condition.withLock {
      asked += 1
      let place = asked
      line.append(place)
      while holder != nil || line.first != place { condition.wait() }
      line.removeFirst()
      holder = ObjectIdentifier(Thread.current)
    }
    watch.takes(number)
  }

  func unlock() {
    guard isMine else {
      watch.object("The lock of account \(number) was given back by a thread that doesn't have it.")
      return
    }
    watch.givesBack(number)
    condition.withLock {
      holder = nil
      condition.broadcast()
    }
  }

  private var isMine: Bool { condition.withLock { holder == ObjectIdentifier(Thread.current) } }

  private func objectUnlessHeld(_ done: String) {
    if isMine { return }
    watch.object(
      "The balance of account \(number) was \(done) by a thread that doesn't have its lock.")
  }
}

/// Which thread has which locks; and where threads are held on their way.
final class AccountWatch: Sendable, OpaqueMirror {
  private struct Visitor {
    var name: String
    var has: Set<Int> = []
    var waitsFor: Int?
  }

  private let afterFirstLock: Gate?
  private let afterFirstChange: Gate?
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var visitors: [ObjectIdentifier: Visitor] = [:]
  private nonisolated(unsafe) var sentences: [String] = []  // Safe: as above.
  private nonisolated(unsafe) var hasChanged = false  // Safe: as above.

  /// Holds a thread that has taken a first lock, and one that has changed the first balance, at gates.
  init(afterFirstLock: Gate?, afterFirstChange: Gate?) {
    self.afterFirstLock = afterFirstLock
    self.afterFirstChange = afterFirstChange
  }

  var objections: [String] { lock.withLock { sentences } }

  var held: [Int] { lock.withLock { visitors.values.flatMap(\.has) }.sorted() }

  var whoHasWhat: String {
    let all = lock.withLock { Array(visitors.values) }
    return all.filter { $0.waitsFor != nil || !$0.has.isEmpty }.map { visitor in
      let has = visitor.has.isEmpty ? "no lock" : "the lock of \(visitor.has.sorted())"
      let waits = visitor.waitsFor.map { " and waits for that of \($0)" } ?? ""
      return "'\(visitor.name)' has \(has)\(waits)"
    }.sorted().joined(separator: ", ")
  }

  /// The calling thread says what it does.
  func begins(_ name: String) { update { $0 = Visitor(name: name) } }

  func asks(for account: Int) { update { $0.waitsFor = account } }

  func takes(_ account: Int) {
    var isFirst = false
    update { visitor in
      visitor.waitsFor = nil
      visitor.has.insert(account)
      isFirst = visitor.has.count == 1
    }
    if isFirst { afterFirstLock?.wait() }
  }

  func givesBack(_ account: Int) { update { $0.has.remove(account) } }

  func changed() {
    let isFirst = lock.withLock {
      defer { hasChanged = true }
      return !hasChanged
    }
    if isFirst { afterFirstChange?.wait() }
  }

  func object(_ sentence: String) { lock.withLock { sentences.append(sentence) } }

  private func update(_ change: (inout Visitor) -> Void) {
    let me = ObjectIdentifier(Thread.current)
    lock.withLock { change(&visitors[me, default: Visitor(name: "another thread")]) }
  }
}

extension TransferLedgerTests {
  /// No balance was touched without its lock, and all locks were given back.
  func expectInOrder(
    _ bank: Bank, after call: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try #require(
      bank.objections.isEmpty,
      """
      During \(call): \(bank.objections.joined(separator: " ")) Between a look and a change nobody \
      else may come, and that is what the lock is for.
      """,
      sourceLocation: sourceLocation)
    try #require(
      bank.held.isEmpty,
      """
      After \(call) the locks of these accounts weren't given back: \(bank.held). Do it in a defer, \
      which runs on every way out.
      """,
      sourceLocation: sourceLocation)
  }
}
