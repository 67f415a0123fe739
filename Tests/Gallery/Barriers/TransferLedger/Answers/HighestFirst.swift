import Foundation

public protocol Account: AnyObject, Sendable {
  func lock()

  func unlock()

  var balance: Int { get set }
}

/// The highest number first; any order works if all code follows it.
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

  private let accounts: [any Account]

  public init(accounts: [any Account]) {
    self.accounts = accounts
  }

  public convenience init(balances: [Int]) {
    self.init(accounts: balances.map { PlainAccount(balance: $0) })
  }

  public func transfer(
    _ amount: Int, from source: Int, to target: Int
  ) throws(Overdraft) {
    precondition(amount >= 0, "\(amount) can't be moved; swap the accounts instead")
    let numbers: Set = [source, target]
    lock(numbers)
    defer { unlock(numbers) }
    let balance = accounts[source].balance
    guard balance >= amount else {
      throw Overdraft(account: source, balance: balance, amount: amount)
    }
    accounts[source].balance -= amount
    accounts[target].balance += amount
  }

  public var balances: [Int] {
    let numbers = Set(accounts.indices)
    lock(numbers)
    defer { unlock(numbers) }
    return accounts.map { $0.balance }
  }

  private func lock(_ numbers: Set<Int>) {
    for number in numbers.sorted(by: >) { accounts[number].lock() }
  }

  private func unlock(_ numbers: Set<Int>) {
    for number in numbers { accounts[number].unlock() }
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
