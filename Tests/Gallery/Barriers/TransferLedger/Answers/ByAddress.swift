import Foundation

public protocol Account: AnyObject, Sendable {
  func lock()

  func unlock()

  var balance: Int { get set }
}

/// The order of the locks is that of the accounts' addresses.
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
    let outcome = holding([accounts[source], accounts[target]]) { () -> Overdraft? in
      let balance = accounts[source].balance
      if balance < amount { return Overdraft(account: source, balance: balance, amount: amount) }
      accounts[target].balance += amount
      accounts[source].balance -= amount
      return nil
    }
    if let outcome { throw outcome }
  }

  public var balances: [Int] { holding(accounts) { accounts.map { $0.balance } } }

  private func holding<Result>(_ some: [any Account], _ body: () -> Result) -> Result {
    let pairs = some.map { (ObjectIdentifier($0), $0) }
    let all = Dictionary(pairs, uniquingKeysWith: { one, _ in one })
    return holding(all.sorted { $0.key < $1.key }.map(\.value)[...], body)
  }

  private func holding<Result>(_ rest: ArraySlice<any Account>, _ body: () -> Result) -> Result {
    guard let first = rest.first else { return body() }
    first.lock()
    defer { first.unlock() }
    return holding(rest.dropFirst(), body)
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
