// Page: make page KATA=Turnstile (Docs/ConcurrencyKatas.docc/Turnstile.md)

import Foundation

/// A meeting point where threads wait for each other until enough have come, round after round.
///
/// What books call a *thread barrier*. It lets nobody through alone: those who arrive are held until
/// there are ``parties`` of them; then all of them go on, and it's closed again for the next round.
///
/// - More threads may arrive than make a round: who comes too late for one belongs to the next.
/// - In each round, when all have come and before anybody goes on, whoever came last calls `onTurn`
///   with the number of the round: 1, 2, 3 and so on, one call at a time.
/// - `rounds` may be asked for at any time, also while `onTurn` runs.
///
/// Your turn. An `NSCondition` guards what you count and lets threads wait: who isn't the last waits in
/// a loop, and the last one calls `broadcast`. The question is what the loop looks at. When a thread
/// wakes up, those of the next round may have begun to arrive: is the count that it waited for still
/// there to be seen? And who arrives while `onTurn` runs, after the last and before anybody has gone
/// on: where does that one wait?
public final class Turnstile: Sendable {
  /// How many make a round.
  public let parties: Int

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
  public var rounds: Int {
    // TODO: Count the rounds.
    0
  }

  /// Waits until the round is full, then goes on together with the others.
  ///
  /// Blocks the calling thread until then; and longer, where a round is just turning, until that is
  /// over and one more is full.
  ///
  /// - Returns: The number of the round, from 1; the same for all who go on together.
  @discardableResult
  public func arrive() -> Int {
    // TODO: Wait until as many have come as make a round; call onTurn if you are the last.
    0
  }
}
