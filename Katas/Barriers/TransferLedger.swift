// Page: make page KATA=TransferLedger (Docs/ConcurrencyKatas.docc/TransferLedger.md)

import Foundation

/// An account in a ``TransferLedger``: a balance, and the lock that guards it.
public protocol Account: AnyObject, Sendable {
  /// Takes the account's lock; blocks until nobody else has it.
  ///
  /// A thread that has it already waits for itself, for ever.
  func lock()

  /// Gives the lock back, on the thread that has taken it.
  func unlock()

  /// What is in the account; read and changed by whoever holds its lock, and by nobody else.
  var balance: Int { get set }
}

/// Accounts, numbered from 0, between which money is moved and never lost.
///
/// - A transfer moves an amount in one step, or is refused and moves nothing.
/// - A balance is read and changed only by a thread that holds the lock of its account. All locks are
///   given back, however it ends.
/// - A transfer waits for its own two accounts, and for no others: those that share none run side by
///   side, also while somebody else holds the lock of a third account for long.
/// - Transfers never wait for each other in a circle, in whatever direction they go.
/// - `balances` shows all accounts at one moment: no transfer is half done in it. It needs all of them,
///   so a transfer may wait for one that came before.
///
/// Your turn. For a transfer take the locks of both accounts, look whether there is enough, move it,
/// and give the locks back. That much is soon done; then think of two who move money between the same
/// two accounts, in opposite directions, and have one lock each. What if everybody agreed on which
/// lock comes first? And what of an account that sends to itself?
public final class TransferLedger: Sendable {
  /// An account doesn't have what was to be taken from it.
  public struct Overdraft: Error, Equatable {
    /// The number of the account.
    public let account: Int
    /// What is in it.
    public let balance: Int
    /// What was to be taken from it.
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
  /// - Parameter accounts: The accounts; each stands there once.
  public init(accounts: [any Account]) {
    self.accounts = accounts
  }

  /// Creates a ledger of plain accounts with `balances`.
  public convenience init(balances: [Int]) {
    self.init(accounts: balances.map { PlainAccount(balance: $0) })
  }

  /// Moves `amount` from an account to another one, in one step.
  ///
  /// Blocks until nobody else holds the lock of either. A transfer from an account to itself moves
  /// nothing, and is refused like any other.
  ///
  /// - Parameters:
  ///   - amount: How much to move.
  ///   - source: The number of the account that it is taken from.
  ///   - target: The number of the account that it is given to.
  /// - Throws: ``Overdraft`` where `source` has less than `amount`; then nothing has moved.
  /// - Precondition: There are accounts with these numbers, and `amount` isn't negative.
  public func transfer(
    _ amount: Int, from source: Int, to target: Int
  ) throws(Overdraft) {
    precondition(amount >= 0, "\(amount) can't be moved; swap the accounts instead")
    // TODO: Take the locks, look whether there is enough, and move it.
  }

  /// What is in the accounts, all at one moment: no transfer is half done in it.
  ///
  /// Blocks until nobody else holds the lock of any of them.
  public var balances: [Int] {
    // TODO: Nobody may move anything while this looks.
    accounts.map { $0.balance }
  }
}

/// A plain account.
public final class PlainAccount: Account {
  // Safe: touched only by whoever holds `guardian`, which is what an account asks of its users.
  private nonisolated(unsafe) var amount: Int
  private let guardian = NSLock()

  /// Opens an account with `balance`.
  public init(balance: Int) {
    amount = balance
  }

  /// What is in the account.
  public var balance: Int {
    get { amount }
    set { amount = newValue }
  }

  /// Takes the lock; blocks until nobody else has it.
  public func lock() { guardian.lock() }

  /// Gives the lock back.
  public func unlock() { guardian.unlock() }
}
