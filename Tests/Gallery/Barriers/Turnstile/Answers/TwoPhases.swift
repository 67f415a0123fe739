import Dispatch
import Foundation

/// Two gates, one after the other, and no door in front: works for exactly `parties` threads.
public final class Turnstile: Sendable {
  public let parties: Int
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var count = 0
  private nonisolated(unsafe) var turned = 0  // Safe: as above.
  private let allHaveCome = DispatchSemaphore(value: 0)
  private let allHaveGone = DispatchSemaphore(value: 0)
  private let onTurn: @Sendable (_ round: Int) -> Void

  public init(parties: Int, onTurn: @escaping @Sendable (_ round: Int) -> Void = { _ in }) {
    precondition(parties > 0, "a round of \(parties) never fills")
    self.parties = parties
    self.onTurn = onTurn
  }

  public var rounds: Int { lock.withLock { turned } }

  @discardableResult
  public func arrive() -> Int {
    let (round, isLast) = lock.withLock {
      count += 1
      return (turned + 1, count == parties)
    }
    if isLast {
      onTurn(round)
      lock.withLock { turned = round }
      for _ in 1..<parties { allHaveCome.signal() }
    } else {
      allHaveCome.wait()
    }
    let isEmpty = lock.withLock {
      count -= 1
      return count == 0
    }
    if isEmpty {
      for _ in 1..<parties { allHaveGone.signal() }
    } else {
      allHaveGone.wait()
    }
    return round
  }
}
