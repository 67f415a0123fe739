import Dispatch
import Foundation

public protocol Account: AnyObject, Sendable {
  func lock()

  func unlock()

  var balance: Int { get set }
}

/// Claims all accounts at once or none; a call that can't is noted as waiting in a second step.
public final class TransferLedger: Sendable {
  public struct Overdraft: Error, Equatable {
    public let account: Int
    public let balance: Int
    public let amount: Int

    public init(account: Int, balance: Int, amount: Int) {
      self.account = account
      self.balance = balance
      self.amount = amount
    }
  }

  /// A call that waits for accounts.
  private final class Waiting: Sendable {
    let numbers: [Int]
    let areFree = DispatchSemaphore(value: 0)

    init(for numbers: [Int]) { self.numbers = numbers }
  }

  private let accounts: [any Account]
  private let state = NSLock()
  // Safe: guarded by `state`.
  private nonisolated(unsafe) var claimed: Set<Int> = []
  private nonisolated(unsafe) var waiting: [Waiting] = []  // Safe: as above.

  public init(accounts: [any Account]) {
    self.accounts = accounts
  }

  public convenience init(balances: [Int]) {
    self.init(accounts: balances.map { PlainAccount(balance: $0) })
  }

  public func transfer(
    _ amount: Int, from source: Int, to target: Int
  ) throws(Overdraft) {
    let numbers = source == target ? [source] : [source, target]
    claim(numbers)
    defer { release(numbers) }
    let balance = accounts[source].balance
    guard balance >= amount else {
      throw Overdraft(account: source, balance: balance, amount: amount)
    }
    accounts[source].balance = balance - amount
    accounts[target].balance += amount
  }

  public var balances: [Int] {
    let numbers = Array(accounts.indices.reversed())
    claim(numbers)
    defer { release(numbers) }
    return accounts.map { $0.balance }
  }

  // No other call of the ledger waits for these locks now; other code never holds two.
  private func claim(_ numbers: [Int]) {
    while !isClaimed(numbers) {
      let call = Waiting(for: numbers)
      state.withLock { waiting.append(call) }
      call.areFree.wait()
    }
    for number in numbers { accounts[number].lock() }
  }

  private func release(_ numbers: [Int]) {
    for number in numbers { accounts[number].unlock() }
    state.withLock {
      claimed.subtract(numbers)
      for call in waiting where claimed.isDisjoint(with: call.numbers) { call.areFree.signal() }
      waiting.removeAll { claimed.isDisjoint(with: $0.numbers) }
    }
  }

  private func isClaimed(_ numbers: [Int]) -> Bool {
    state.withLock {
      guard claimed.isDisjoint(with: numbers) else { return false }
      claimed.formUnion(numbers)
      return true
    }
  }
}

public final class PlainAccount: Account {
  // Safe: touched only by the thread that holds `guardian`, as the protocol requires of callers.
  private nonisolated(unsafe) var amount: Int
  private let guardian = NSLock()

  public init(balance: Int) {
    amount = balance
  }

  public var balance: Int {
    get { amount }
    set { amount = newValue }
  }

  public func lock() { guardian.lock() }

  public func unlock() { guardian.unlock() }
}
