import Foundation

/// An account in a ``TransferLedger``: a balance, and the lock that guards it.
public protocol Account: AnyObject, Sendable {
  /// Acquires the account's lock; blocks until no other thread holds it.
  ///
  /// A thread that already holds the lock waits for itself, which is a deadlock.
  func lock()

  /// Releases the lock, on the thread that has acquired it.
  func unlock()

  /// The account's balance; only a thread that holds its lock may read or change it.
  var balance: Int { get set }
}

/// Accounts, numbered from 0, between which money is moved and never lost.
///
/// ```swift
/// let ledger = TransferLedger(balances: [100, 0, 0])
/// try ledger.transfer(30, from: 0, to: 1)
/// ledger.balances  // [70, 30, 0]
/// ```
///
/// `balances` locks all accounts, so a transfer may also wait for a call of `balances`, even for
/// one that began later. A transfer that waits for its second account may hold its first, and then
/// others wait for that one.
///
/// - Any number of threads may use a ledger at the same time, without a data race.
/// - A transfer is one step: from its look at the balance until it ends, no other call reads or
///   changes its two accounts.
/// - A balance is read and changed only by a thread that holds the lock of its account.
/// - All locks are given back when a call ends, also if it throws.
/// - A transfer waits for its own two accounts and for no others: transfers that share no account
///   run side by side, unless a waiting transfer holds an account of one of them.
/// - Transfers and `balances` never wait for each other in a circle, which would be a deadlock, in
///   whatever direction money is moved.
/// - `balances` shows all accounts at one moment: no transfer is half done in it.
///
/// Safe to use from every thread. Each account has a lock of its own, and a transfer locks the
/// lower number first. The accounts are handed in: other code that holds the lock of one of them
/// freezes it, and calls that need this account wait meanwhile.
///
/// - Warning: A thread that holds the lock of an account and calls `transfer` from or to it waits
///   for itself. Code that locks several accounts must begin with the lowest number, too.
///
/// Source: Havender, "Avoiding Deadlock in Multitasking Systems", 1968, on lock ordering.
public final class TransferLedger: Sendable {
  /// The source account has less than the amount to move.
  public struct Overdraft: Error, Equatable {
    /// The number of the account.
    public let account: Int
    /// Its balance.
    public let balance: Int
    /// The amount to move.
    public let amount: Int

    /// Creates the error.
    public init(account: Int, balance: Int, amount: Int) {
      self.account = account
      self.balance = balance
      self.amount = amount
    }
  }

  private let accounts: [any Account]

  /// Creates a ledger of `accounts`, which are numbered from 0.
  ///
  /// The caller must not list an account twice.
  ///
  /// - The ledger works on the accounts that are handed in, with their own locks, and not on
  ///   copies.
  ///
  /// - Parameter accounts: The accounts.
  public init(accounts: [any Account]) {
    self.accounts = accounts
  }

  /// Creates a ledger of plain accounts with `balances`.
  public convenience init(balances: [Int]) {
    self.init(accounts: balances.map { PlainAccount(balance: $0) })
  }

  /// Moves `amount` from one account to another.
  ///
  /// The caller must pass the numbers of accounts of this ledger, and an `amount` that isn't
  /// negative.
  ///
  /// - `amount` is taken from `source` and given to `target`.
  /// - If `source` has less than `amount`, `transfer` throws and moves nothing; so an account below
  ///   0 can't even send 0. A balance that equals `amount` can be moved.
  /// - The error has the number of `source`, `amount`, and the balance of `source` when the
  ///   transfer was refused.
  /// - `transfer` blocks until no other thread holds the lock of either account, also if it's
  ///   refused or moves nothing.
  /// - A transfer from an account to itself moves nothing, and is refused like any other.
  ///
  /// - Parameters:
  ///   - amount: How much to move.
  ///   - source: The number of the account that pays.
  ///   - target: The number of the account that receives.
  /// - Throws: ``Overdraft``, if the transfer is refused.
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

  /// The balances of all accounts, in the order of their numbers.
  ///
  /// - `balances` blocks until no other thread holds the lock of any account.
  public var balances: [Int] {
    let numbers = Set(accounts.indices)
    lock(numbers)
    defer { unlock(numbers) }
    return accounts.map { $0.balance }
  }

  /// Locks some accounts, each once.
  private func lock(_ numbers: Set<Int>) {
    // Always from low to high: a thread that waits holds only locks with lower numbers than the one
    // that it waits for, so a circular wait is impossible.
    for number in numbers.sorted() { accounts[number].lock() }
  }

  private func unlock(_ numbers: Set<Int>) {
    for number in numbers { accounts[number].unlock() }
  }
}

/// A plain account.
public final class PlainAccount: Account {
  // Safe: touched only by the thread that holds `guardian`, as the protocol requires of callers.
  private nonisolated(unsafe) var amount: Int
  private let guardian = NSLock()

  /// Opens an account with `balance`.
  public init(balance: Int) {
    amount = balance
  }

  /// The account's balance.
  public var balance: Int {
    get { amount }
    set { amount = newValue }
  }

  /// Acquires the lock.
  ///
  /// - While a thread has the lock of a plain account, `lock` blocks others until it calls
  ///   `unlock`.
  public func lock() { guardian.lock() }

  /// Releases the lock.
  public func unlock() { guardian.unlock() }
}
