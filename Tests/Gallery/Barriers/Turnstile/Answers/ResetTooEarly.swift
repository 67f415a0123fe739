import Foundation

/// A waiting thread checks whether the count is back at zero, and the next round counts up again.
public final class Turnstile: Sendable {
  public let parties: Int
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var arrived = 0
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
    let round = turned + 1
    arrived += 1
    if arrived == parties {
      arrived = 0
      condition.unlock()
      onTurn(round)
      condition.lock()
      turned = round
      condition.broadcast()
    } else {
      while arrived != 0 { condition.wait() }
    }
    condition.unlock()
    return round
  }
}
