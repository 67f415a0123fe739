import Foundation
import KataTesting

/// An account that is watched.
final class WatchedAccount: Account {
  private let number: Int
  private let amount: LockedValue<Int>
  private let watch: AccountWatch

  init(_ number: Int, balance: Int, _ watch: AccountWatch) {
    (self.number, self.watch) = (number, watch)
    amount = LockedValue(balance)
  }

  var content: Int { amount.value }

  var balance: Int {
    get {
      watch.objectUnlessMine(number, "read")
      return content
    }
    set {
      watch.objectUnlessMine(number, "changed")
      amount.set(newValue)
      watch.changed()
    }
  }

  func lock() { watch.lock(number) }

  func unlock() { watch.unlock(number) }
}

/// The locks of watched accounts: who has which, and who waits; those who wait get one in the order of asking.
///
/// It holds threads on their way, where the spec wants it to.
final class AccountWatch: Sendable, OpaqueMirror {
  /// Somebody has the lock of an account, or waits for it.
  private struct Claim {
    let account: Int
    let who = Thread.current.name ?? "another thread"
    let thread = ThreadMark.current()
    let turn = Gate("the lock")
  }

  private struct State {
    /// In the order of asking; the first one for an account has its lock.
    var claims: [Claim] = []
    var objections: [String] = []
    var hasChanged = false

    var granted: [Claim] {
      var seen: Set<Int> = []
      return claims.filter { seen.insert($0.account).inserted }
    }
  }

  private let state = LockedValue(State())
  private let afterFirstLock: Gate?
  private let afterFirstChange: Gate?

  /// Holds a thread that has taken a first lock, and one that has changed the first balance, at gates.
  init(afterFirstLock: Gate?, afterFirstChange: Gate?) {
    (self.afterFirstLock, self.afterFirstChange) = (afterFirstLock, afterFirstChange)
  }

  /// What was done that a user of accounts mustn't do, a sentence each.
  var objections: [String] { state.withLock { $0.objections } }

  /// The accounts whose locks somebody has.
  var held: [Int] { state.withLock { $0.granted.map(\.account).sorted() } }

  /// Who has which locks and waits for which, in words.
  var whoHasWhat: String {
    state.withLock { state in
      let waiting = state.claims.filter { !$0.turn.isOpen }
      let has = state.granted.map { "'\($0.who)' has the lock of \($0.account)" }
      return (has + waiting.map { "'\($0.who)' waits for that of \($0.account)" }).sorted()
        .joined(separator: ", ")
    }
  }

  func lock(_ account: Int) {
    let claim = Claim(account: account)
    state.withLock { state in
      state.claims.append(claim)
      for claim in state.granted { claim.turn.open() }
    }
    claim.turn.wait()
    let isFirst = state.withLock { $0.granted.count { $0.thread.isCurrent } == 1 }
    if isFirst { afterFirstLock?.wait() }
  }

  func unlock(_ account: Int) {
    state.withLock { state in
      let held = state.claims.firstIndex { $0.account == account }
      guard let held, state.claims[held].thread.isCurrent else {
        state.objections.append(
          "The lock of account \(account) was given back by a thread that doesn't have it.")
        return
      }
      state.claims.remove(at: held)
      for claim in state.granted { claim.turn.open() }
    }
  }

  func changed() {
    let isFirst = state.withLock { state in
      defer { state.hasChanged = true }
      return !state.hasChanged
    }
    if isFirst { afterFirstChange?.wait() }
  }

  func objectUnlessMine(_ account: Int, _ done: String) {
    state.withLock { state in
      if state.granted.contains(where: { $0.account == account && $0.thread.isCurrent }) { return }
      state.objections.append(
        "The balance of account \(account) was \(done) by a thread that doesn't have its lock.")
    }
  }
}
