import Foundation

/// Once all threads of a round have arrived it stays open.
public final class Turnstile: Sendable {
  public let parties: Int
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var arrived = 0
  private nonisolated(unsafe) var turned = 0  // Safe: as above.
  private nonisolated(unsafe) var isOpen = false  // Safe: as above.
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
    arrived += 1
    let round = (arrived - 1) / parties + 1
    if arrived % parties == 0 {
      condition.unlock()
      onTurn(round)
      condition.lock()
      turned = round
      isOpen = true
      condition.broadcast()
    }
    while !isOpen { condition.wait() }
    condition.unlock()
    return round
  }
}
