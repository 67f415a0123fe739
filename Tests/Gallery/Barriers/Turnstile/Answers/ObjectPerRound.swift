import Dispatch
import Synchronization

/// Each round is an object of its own, with a semaphore on which its threads wait.
public final class Turnstile: Sendable {
  private final class Round: Sendable {
    let number: Int
    let members = DispatchSemaphore(value: 0)
    /// Signalled once, when the round has turned; the next round waits for it.
    let isOver = DispatchSemaphore(value: 0)
    let previous: DispatchSemaphore?
    let arrived = Atomic(0)

    init(_ number: Int, after previous: Round?) {
      self.number = number
      self.previous = previous?.isOver
    }
  }

  public let parties: Int
  private let current: Mutex<Round>
  private let turned = Atomic(0)
  private let onTurn: @Sendable (_ round: Int) -> Void

  public init(parties: Int, onTurn: @escaping @Sendable (_ round: Int) -> Void = { _ in }) {
    precondition(parties > 0, "a round of \(parties) never fills")
    self.parties = parties
    self.onTurn = onTurn
    current = Mutex(Round(1, after: nil))
  }

  public var rounds: Int { turned.load(ordering: .acquiring) }

  @discardableResult
  public func arrive() -> Int {
    let (round, isLast) = current.withLock { current in
      let mine = current
      let isLast = mine.arrived.add(1, ordering: .relaxed).newValue == parties
      if isLast { current = Round(mine.number + 1, after: mine) }
      return (mine, isLast)
    }
    guard isLast else {
      round.members.wait()
      return round.number
    }
    round.previous?.wait()
    onTurn(round.number)
    turned.store(round.number, ordering: .releasing)
    round.isOver.signal()
    for _ in 1..<parties { round.members.signal() }
    return round.number
  }
}
