import KataTesting

/// The model: accounts that somebody may freeze, and transfers that wait for those only.
struct TransferScript: ScriptedModel {
  enum Move: CustomStringConvertible, Sendable {
    case transfer(Int, from: Int, to: Int)
    case freeze(Int)
    case thaw(Int)

    var description: String {
      switch self {
      case .transfer(let amount, let source, let target):
        "transfer \(amount) from \(source) to \(target)"
      case .freeze(let account): "somebody else takes the lock of account \(account)"
      case .thaw(let account): "the lock of account \(account) is given back"
      }
    }
  }

  /// A transfer that was asked for.
  private struct Asked {
    let source: Int
    let target: Int
    let outcome: TestThread<TransferOutcome>
  }

  private static let start = [100, 100, 100, 100]
  /// Two neighbours, both directions, and two that share no account with those.
  private static let ways = [(0, 1), (1, 0), (1, 2), (2, 0), (2, 3), (3, 2), (3, 3)]
  private let bank = Bank(start)
  private var frozen: [Int: Gate] = [:]
  private var asked: [Asked] = []

  var timeline: Timeline { bank.timeline }

  func moves() -> [Move] {
    let waiting = unfinished.count
    let transfers: [Move] =
      waiting < 4
      ? Self.ways.enumerated().map { index, way in
        .transfer(index.isMultiple(of: 3) ? 150 : 60, from: way.0, to: way.1)
      } : []
    // Only what nobody needs can be frozen at once.
    let free = frozen.isEmpty && waiting == 0 ? [0, 1, 2].map { Move.freeze($0) } : []
    return transfers + free + free + frozen.keys.sorted().map { .thaw($0) }
  }

  mutating func make(_ move: Move) {
    switch move {
    case .transfer(let amount, let source, let target):
      let outcome = bank.transfer(amount, TransferWay(source, target))
      asked.append(Asked(source: source, target: target, outcome: outcome))
    case .freeze(let account):
      if frozen.isEmpty, unfinished.isEmpty { frozen[account] = try? bank.freeze(account) }
    case .thaw(let account): frozen.removeValue(forKey: account)?.open()
    }
  }

  func broken() -> String? {
    if let objection = bank.objections.first { return objection }
    let contents = bank.contents
    if contents.reduce(0, +) != Self.start.reduce(0, +) || contents.contains(where: { $0 < 0 }) {
      return """
        Nothing moves, and in the accounts are \(contents). There must be 400 in all of them, and in \
        none less than nothing.
        """
    }
    // Whoever waits must wait for a frozen account, or for somebody who does.
    var reachable = Set(frozen.keys)
    for _ in unfinished {
      for transfer in unfinished
      where reachable.contains(transfer.source) || reachable.contains(transfer.target) {
        reachable.formUnion([transfer.source, transfer.target])
      }
    }
    if let stuck = unfinished.first(where: { !reachable.contains($0.source) }) {
      return """
        The transfer from \(stuck.source) to \(stuck.target) waits, and nobody else has the lock of an \
        account that it needs. \(bank.whoHasWhat).
        """
    }
    return nil
  }

  private var unfinished: [Asked] { asked.filter { !$0.outcome.hasReturned } }
}
