import Dispatch
import Foundation

/// A door lets one round in at a time; a gate behind it opens when the round is full.
public final class Turnstile: Sendable {
  public let parties: Int
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var inside = 0
  private nonisolated(unsafe) var turned = 0  // Safe: as above.
  private let door = DispatchSemaphore(value: 0)
  private let gate = DispatchSemaphore(value: 0)
  private let onTurn: @Sendable (_ round: Int) -> Void

  public init(parties: Int, onTurn: @escaping @Sendable (_ round: Int) -> Void = { _ in }) {
    precondition(parties > 0, "a round of \(parties) never fills")
    self.parties = parties
    self.onTurn = onTurn
    letRoundIn()
  }

  public var rounds: Int { lock.withLock { turned } }

  @discardableResult
  public func arrive() -> Int {
    door.wait()
    let (round, isLast) = lock.withLock {
      inside += 1
      return (turned + 1, inside == parties)
    }
    if isLast {
      onTurn(round)
      lock.withLock { turned = round }
      for _ in 0..<parties { gate.signal() }
    }
    gate.wait()
    let isEmpty = lock.withLock {
      inside -= 1
      return inside == 0
    }
    if isEmpty { letRoundIn() }
    return round
  }

  private func letRoundIn() {
    for _ in 0..<parties { door.signal() }
  }
}
