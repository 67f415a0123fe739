import Foundation

/// A waiting thread checks whether the count is full, and the last thread to leave resets it.
public final class Turnstile: Sendable {
  public let parties: Int
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var arrived = 0
  private nonisolated(unsafe) var turned = 0  // Safe: as above.
  private nonisolated(unsafe) var leaving = 0  // Safe: as above.
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
      condition.unlock()
      onTurn(round)
      condition.lock()
      turned = round
      condition.broadcast()
    }
    while arrived < parties { condition.wait() }
    leaving += 1
    if leaving == parties {
      arrived = 0
      leaving = 0
    }
    condition.unlock()
    return round
  }
}
