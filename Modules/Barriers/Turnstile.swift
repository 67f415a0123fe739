import Foundation

/// A meeting point where threads wait for each other until enough have arrived, round after round.
///
/// Textbooks call it a *thread barrier*, or a cyclic barrier: no thread gets through alone. Every
/// `parties` threads that arrive make a round. It begins to turn when the last of them has arrived
/// and the round before it has turned. It has turned when `onTurn` has returned.
///
/// ```swift
/// let turnstile = Turnstile(parties: 4) { _ in swap(&grid.now, &grid.next) }
/// // on each of four threads
/// for _ in 1...generations {
///   grid.compute(quarter)
///   turnstile.arrive()  // no thread goes on before all quarters are computed
/// }
/// ```
///
/// - Any number of threads may use a turnstile at the same time, without a data race.
/// - `arrive` blocks until `parties` threads have arrived and the round has turned; then all of
///   them go on.
/// - The turnstile closes behind every round: for the next one, `parties` threads must arrive
///   again.
/// - More threads may arrive than make a round: those that arrive while a round turns join later
///   rounds, and which of them joins first is left open.
/// - A thread that is slow to wake up goes on all the same, even if later rounds have turned by
///   then.
/// - `onTurn` is called once in each round, when all have arrived and before any of them goes on.
/// - `onTurn` is called on the thread that joined the round last.
/// - `onTurn` is called with the number of the round: 1, 2, 3 and so on.
/// - Rounds turn one at a time, in order, even if `parties` is 1: no two calls of `onTurn` run side
///   by side.
/// - Turnstiles are independent: a turn of one blocks no thread that arrives at another.
///
/// Safe to use from every thread. What a thread does before it arrives *happens before* everything
/// that the threads of its round do afterwards.
///
/// - Warning: A round that never fills blocks its threads for ever; there is no timeout and no
///   cancellation. Blocks on a queue that has fewer threads than parties wait for themselves.
///
/// Source: Downey, *The Little Book of Semaphores*, on the reusable barrier; `CyclicBarrier` in Java.
public final class Turnstile: Sendable {
  /// How many threads make a round.
  ///
  /// - `parties` is the number that was passed when the turnstile was created.
  public let parties: Int

  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var arrived = 0
  private nonisolated(unsafe) var turned = 0  // Safe: as above.
  private nonisolated(unsafe) var isTurning = false  // Safe: as above.
  private let onTurn: @Sendable (_ round: Int) -> Void

  /// Creates a turnstile that lets `parties` threads through at a time.
  ///
  /// The caller must pass one or more for `parties`, and an `onTurn` that doesn't call `arrive` of
  /// this turnstile.
  ///
  /// - Parameters:
  ///   - parties: How many threads make a round.
  ///   - onTurn: Called when a round turns.
  public init(parties: Int, onTurn: @escaping @Sendable (_ round: Int) -> Void = { _ in }) {
    precondition(parties > 0, "a round of \(parties) never fills")
    self.parties = parties
    self.onTurn = onTurn
  }

  /// How many rounds have turned.
  ///
  /// - `rounds` returns at once, also while threads wait or `onTurn` runs, and within `onTurn`.
  /// - A round counts when its `onTurn` has returned, and not before.
  public var rounds: Int { condition.withLock { turned } }

  /// Waits for the other threads of a round.
  ///
  /// - `arrive` returns the number of the caller's round, from 1, the same to all threads of the
  ///   round.
  ///
  /// - Returns: The number of the round.
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
      // A thread that arrives while a round turns isn't part of it.
      while isTurning { condition.wait() }
      arrived += 1
      isTurning = arrived == parties
      return (turned + 1, isTurning)
    }
  }

  private func waitUntilTurned(_ round: Int) {
    condition.withLock {
      // Check the round's number, never the count: by the time this thread wakes up, others may
      // have arrived for the next round.
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
