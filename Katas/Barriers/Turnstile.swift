// Page: make page KATA=Turnstile (Docs/ConcurrencyKatas.docc/Turnstile.md)

import Foundation

/// A meeting point where threads wait for each other until enough have arrived, round after round.
///
/// Textbooks call it a *thread barrier*, or a cyclic barrier: no thread gets through alone. Every
/// `parties` threads that arrive make a round. It begins to turn when the last of them has arrived
/// and the round before it has turned. It has turned when `onTurn` has returned.
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
/// Your turn. An `NSCondition` is a lock and a condition variable: it guards your counts, and
/// `wait` releases the lock until another thread calls `broadcast`. All threads but the last wait
/// in a `while` loop; the last one, once earlier rounds have turned, calls `onTurn` without the
/// lock, then `broadcast`. The question is what the loop checks. When a thread wakes up, threads of
/// the next round may already have arrived: does the count still say what the thread waited for?
/// And a thread may arrive while `onTurn` runs, after the last one and before any has gone on.
/// Where does that thread wait?
public final class Turnstile: Sendable {
  /// How many threads make a round.
  ///
  /// - `parties` is the number that was passed when the turnstile was created.
  public let parties: Int

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
  public var rounds: Int {
    // TODO: Count the rounds.
    0
  }

  /// Waits for the other threads of a round.
  ///
  /// - `arrive` returns the number of the caller's round, from 1, the same to all threads of the
  ///   round.
  ///
  /// - Returns: The number of the round.
  @discardableResult
  public func arrive() -> Int {
    // TODO: Wait until `parties` threads have arrived; the last one calls `onTurn`.
    0
  }
}
