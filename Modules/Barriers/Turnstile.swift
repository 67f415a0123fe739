import Foundation

/// A meeting point where threads wait for each other until enough have come, round after round.
///
/// What books call a *thread barrier*. It lets nobody through alone: those who arrive are held until
/// there are ``parties`` of them; then all of them go on, and it's closed again for the next round.
///
/// ```swift
/// let turnstile = Turnstile(parties: 4) { _ in swap(&grid.now, &grid.next) }
/// // on each of four threads
/// for _ in 1...generations {
///   grid.compute(quarter)
///   turnstile.arrive()  // nobody begins the next generation before all quarters are computed
/// }
/// ```
///
/// - More threads may arrive than make a round: who comes too late for one belongs to the next.
/// - In each round, when all have come and before anybody goes on, whoever came last calls `onTurn`
///   with the number of the round: 1, 2, 3 and so on, one call at a time.
/// - `rounds` may be asked for at any time, also while `onTurn` runs.
///
/// Safe to use from every thread. What a thread has done before it arrives is seen by all who go on with
/// it.
///
/// - Warning: A round that never fills holds its threads for ever; nobody can leave it. Work that arrives
///   from a queue with fewer threads than parties waits for itself.
///
/// Source: Downey, *The Little Book of Semaphores*, on the reusable barrier; `CyclicBarrier` in Java.
public final class Turnstile: Sendable {
  /// How many make a round.
  public let parties: Int

  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var arrived = 0
  private nonisolated(unsafe) var turned = 0  // Safe: as above.
  private nonisolated(unsafe) var isTurning = false  // Safe: as above.
  private let onTurn: @Sendable (_ round: Int) -> Void

  /// Creates a turnstile that lets `parties` threads through at a time.
  ///
  /// - Parameters:
  ///   - parties: How many make a round.
  ///   - onTurn: Called once in each round, with its number from 1, when all have come and before
  ///     anybody goes on; one call at a time, in the order of the rounds, on the thread of whoever
  ///     came last. It must not arrive itself.
  /// - Precondition: `parties` is one or more.
  public init(parties: Int, onTurn: @escaping @Sendable (_ round: Int) -> Void = { _ in }) {
    precondition(parties > 0, "a round of \(parties) never fills")
    self.parties = parties
    self.onTurn = onTurn
  }

  /// How many rounds have turned.
  ///
  /// Returns at once, also within `onTurn`, where the round that turns doesn't count yet.
  public var rounds: Int { condition.withLock { turned } }

  /// Waits until the round is full, then goes on together with the others.
  ///
  /// Blocks the calling thread until then; and longer, where a round is just turning, until that is
  /// over and one more is full.
  ///
  /// - Returns: The number of the round, from 1; the same for all who go on together.
  @discardableResult
  public func arrive() -> Int {
    let (round, isLast) = comeIn()
    if isLast {
      onTurn(round)
      goOn(after: round)
    } else {
      waitUntilTurned(round)
    }
    return round
  }

  /// Takes a place in the round that is filling.
  private func comeIn() -> (round: Int, isLast: Bool) {
    condition.withLock {
      // Whoever comes while a round turns isn't part of it.
      while isTurning { condition.wait() }
      arrived += 1
      isTurning = arrived == parties
      return (turned + 1, isTurning)
    }
  }

  private func waitUntilTurned(_ round: Int) {
    condition.withLock {
      // The round's number tells, never the count: by the time that this thread wakes up, others may
      // have come for the next round.
      while turned < round { condition.wait() }
    }
  }

  private func goOn(after round: Int) {
    condition.withLock {
      arrived = 0
      isTurning = false
      turned = round
      condition.broadcast()
    }
  }
}
