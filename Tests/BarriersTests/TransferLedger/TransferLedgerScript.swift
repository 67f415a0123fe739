import KataTesting

/// The model: accounts that another thread may freeze, and transfers that wait only for those.
struct TransferScript: ScriptedModel {
  enum Move: CustomStringConvertible, Sendable {
    case transfer(Int, TransferWay)
    case freeze(Int)
    case thaw(Int)

    var description: String {
      switch self {
      case .transfer(let amount, let way): "transfer \(amount) from \(way)"
      case .freeze(let account): "another thread acquires the lock of account \(account)"
      case .thaw(let account): "the lock of account \(account) is released"
      }
    }
  }

  private static let start = [100, 100, 100, 100]
  /// Transfers between neighbours, in both directions, and some that share no account with others.
  private static let ways = [(0, 1), (1, 0), (1, 2), (2, 0), (2, 3), (3, 2), (3, 3)].map {
    TransferWay($0, $1)
  }
  private let bank = Bank(start)
  private var frozen: [Int: Gate] = [:]
  private var asked: [(way: TransferWay, outcome: TestThread<TransferOutcome>)] = []

  var timeline: Timeline { bank.timeline }

  func moves() -> [Move] {
    let waiting = unfinished.count
    let transfers: [Move] =
      waiting < 4
      ? Self.ways.enumerated().map { .transfer($0.isMultiple(of: 3) ? 150 : 60, $1) } : []
    // Only an account that no transfer needs can be frozen at once.
    let free = frozen.isEmpty && waiting == 0 ? [0, 1, 2].map { Move.freeze($0) } : []
    return transfers + free + free + frozen.keys.sorted().map { .thaw($0) }
  }

  mutating func make(_ move: Move) {
    switch move {
    case .transfer(let amount, let way): asked.append((way, bank.transfer(amount, way)))
    case .freeze(let account):
      if frozen.isEmpty, unfinished.isEmpty { frozen[account] = try? bank.freeze(account) }
    case .thaw(let account): frozen.removeValue(forKey: account)?.open()
    }
  }

  func broken() -> String? {
    if let objection = bank.watch.objections.first { return objection }
    let contents = bank.contents
    if contents.reduce(0, +) != Self.start.reduce(0, +) || contents.contains(where: { $0 < 0 }) {
      return """
        No thread can go on, and the accounts contain \(contents). Their sum must be 400, and no \
        balance may be below 0.
        """
    }
    // A waiting transfer must wait for a frozen account, or for a transfer that does.
    var reachable = Set(frozen.keys)
    for _ in unfinished {
      for way in unfinished where reachable.contains(way.from) || reachable.contains(way.to) {
        reachable.formUnion([way.from, way.to])
      }
    }
    if let stuck = unfinished.first(where: { !reachable.contains($0.from) }) {
      return """
        The transfer from \(stuck) waits, and no thread outside the ledger holds the lock of an \
        account that it needs. \(bank.watch.whoHasWhat).
        """
    }
    return nil
  }

  private var unfinished: [TransferWay] {
    asked.filter { !$0.outcome.hasReturned }.map(\.way)
  }
}
