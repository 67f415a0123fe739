import Foundation

/// Each thread takes a ticket, whose number determines the round.
public final class Turnstile: Sendable {
  public let parties: Int
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var tickets = 0
  private nonisolated(unsafe) var turned = 0  // Safe: as above.
  private let onTurn: @Sendable (_ round: Int) -> Void

  public init(parties: Int, onTurn: @escaping @Sendable (_ round: Int) -> Void = { _ in }) {
    precondition(parties > 0, "a round of \(parties) never fills")
    self.parties = parties
    self.onTurn = onTurn
  }

  public var rounds: Int { condition.withLock { turned } }

  @discardableResult
  public func arrive() -> Int {
    condition.lock()
    let ticket = tickets
    tickets += 1
    let round = ticket / parties + 1
    let isLast = ticket % parties == parties - 1
    while turned < (isLast ? round - 1 : round) { condition.wait() }
    condition.unlock()
    guard isLast else { return round }

    onTurn(round)
    condition.lock()
    turned = round
    condition.broadcast()
    condition.unlock()
    return round
  }
}
