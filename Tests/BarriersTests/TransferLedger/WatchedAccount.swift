import Foundation
import KataTesting

/// An account that reports accesses without its lock.
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
      let balance = content
      watch.accessed(.read)
      return balance
    }
    set {
      watch.objectUnlessMine(number, "changed")
      amount.set(newValue)
      watch.changed()
      watch.accessed(.change)
    }
  }

  func lock() { watch.lock(number) }

  func unlock() { watch.unlock(number) }
}

/// The locks of watched accounts, their owners and the waiting threads, which get them in turn.
///
/// It can hold threads after their first lock or the first change of a balance.
final class AccountWatch: Sendable, OpaqueMirror {
  /// A thread that holds the lock of an account, or waits for it.
  private struct Claim {
    let account: Int
    let who = Thread.current.name ?? "another thread"
    let thread = ThreadMark.current()
    let turn = Gate("the lock")
  }

  private struct State {
    /// In the order of the calls; the first one for an account holds its lock.
    var claims: [Claim] = []
    var objections: [String] = []
    var hasChanged = false
    var accesses = 0

    var granted: [Claim] {
      var seen: Set<Int> = []
      return claims.filter { seen.insert($0.account).inserted }
    }
  }

  private let state = LockedValue(State())
  private let afterFirstLock: Gate?
  private let afterFirstChange: Gate?
  private let pause: (after: TransferMoment, gate: Gate)?

  /// Each gate, if given, holds threads: after their first lock, after the first change, or at the
  /// moment of the pause.
  init(
    afterFirstLock: Gate?, afterFirstChange: Gate?, pause: (after: TransferMoment, gate: Gate)?
  ) {
    (self.afterFirstLock, self.afterFirstChange) = (afterFirstLock, afterFirstChange)
    self.pause = pause
  }

  /// Violations of the accounts' rules, a sentence each.
  var objections: [String] { state.withLock { $0.objections } }

  /// The accounts whose locks are held.
  var held: [Int] { state.withLock { $0.granted.map(\.account).sorted() } }

  /// The threads that hold locks and wait for them, in words.
  var whoHasWhat: String {
    state.withLock { state in
      let waiting = state.claims.filter { !$0.turn.isOpen }
      let has = state.granted.map { "'\($0.who)' holds the lock of \($0.account)" }
      return (has + waiting.map { "'\($0.who)' waits for the lock of \($0.account)" }).sorted()
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
          "The lock of account \(account) was released by a thread that doesn't hold it.")
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

  func accessed(_ access: TransferMoment.Access) {
    guard let pause, pause.after.access == access else { return }
    let isNow = state.withLock { state in
      state.accesses += 1
      return state.accesses == pause.after.times
    }
    if isNow { pause.gate.wait() }
  }

  func objectUnlessMine(_ account: Int, _ done: String) {
    state.withLock { state in
      if state.granted.contains(where: { $0.account == account && $0.thread.isCurrent }) { return }
      state.objections.append(
        "The balance of account \(account) was \(done) by a thread that doesn't hold its lock.")
    }
  }
}
