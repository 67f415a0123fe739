// Page: make page KATA=DiningPhilosophers (Docs/ConcurrencyKatas.docc/DiningPhilosophers.md)

import Foundation

/// A fork on the table, which one philosopher at a time has in hand.
public protocol Fork: Sendable {
  /// Takes the fork for `philosopher`.
  ///
  /// Blocks until nobody else has it. Those who wait get it in the order of asking.
  func pickUp(for philosopher: Int)

  /// Takes the fork for `philosopher`, if nobody has it, and returns whether it has.
  ///
  /// Returns at once.
  func pickUpIfFree(for philosopher: Int) -> Bool

  /// Puts the fork back on the table.
  func putDown()
}

/// A round table with a fork between each two seats, where every meal takes two forks.
///
/// Philosopher number 2 sits between fork 2, on the left, and fork 3, on the right; the last one has
/// fork 0 on the right. So neighbours share a fork, and never eat at the same time.
///
/// ```swift
/// let table = DiningPhilosophers(seats: 5)
/// table.eat(2) { print("2 eats, so 1 and 3 don't") }
/// ```
///
/// What it stands for: threads that need two things at once, of which others need one each.
///
/// - Nobody waits for ever, whatever the order in which forks are picked up, as long as meals end.
/// - Nobody starves: who is hungry gets to eat, also between two neighbours who are always hungry again
///   and never eat at the same time.
/// - Philosophers who don't share a fork can eat at the same time, all of them, as long as nobody
///   else is hungry.
///
/// Safe to use from every thread, by several at once, but by one at a time for each philosopher.
///
/// - Warning: ``eat(_:meal:)`` holds the calling thread until both forks are there. A meal during which
///   its own philosopher, or a neighbour, is made to eat on the same thread never ends.
///
/// Source: Dijkstra, "Hierarchical Ordering of Sequential Processes", 1971.
///
/// Your turn: write `eat`. Fork on the left, fork on the right, meal, and both back on the table: that
/// is the first half. The other half is a dinner at which all of them have the left fork in hand, and
/// wait for the right one. Think of who waits for whom, and how that can't become a circle.
public final class DiningPhilosophers: Sendable {
  private let forks: [any Fork]

  /// Lays the table with `forks`, for as many philosophers.
  ///
  /// - Precondition: There are two forks at least.
  public init(forks: [any Fork]) {
    precondition(forks.count >= 2, "with \(forks.count) forks nobody can eat")
    self.forks = forks
  }

  /// Lays the table for `seats` philosophers, with plain forks.
  ///
  /// - Precondition: There are two seats at least.
  public convenience init(seats: Int = 5) {
    self.init(forks: (0..<seats).map { _ in TableFork() })
  }

  /// Picks up both forks of `philosopher`, calls `meal`, and puts them down, also where `meal` throws.
  ///
  /// Blocks until both forks are there. Forks are picked up, and `meal` is called, on the calling
  /// thread.
  ///
  /// - Returns: What `meal` returns.
  /// - Throws: What `meal` throws.
  /// - Precondition: There is such a seat at the table.
  public func eat<Result>(_ philosopher: Int, meal: () throws -> Result) rethrows -> Result {
    precondition(forks.indices.contains(philosopher), "there's no seat \(philosopher) at the table")
    // TODO: Pick up both forks before the meal, and put them down after it, however it ends.
    return try meal()
  }
}

/// A plain fork; who waits gets it in the order of asking.
public final class TableFork: Fork {
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var ticketsGiven = 0
  private nonisolated(unsafe) var ticketsServed = 0  // Safe: as above.

  /// Puts a new fork on the table.
  public init() {}

  /// Takes the fork; blocks until nobody else has it.
  public func pickUp(for philosopher: Int) {
    condition.withLock {
      let ticket = ticketsGiven
      ticketsGiven += 1
      while ticketsServed != ticket { condition.wait() }
    }
  }

  /// Takes the fork, if nobody has it.
  public func pickUpIfFree(for philosopher: Int) -> Bool {
    condition.withLock {
      guard ticketsServed == ticketsGiven else { return false }
      ticketsGiven += 1
      return true
    }
  }

  /// Puts the fork back on the table.
  public func putDown() {
    condition.withLock {
      ticketsServed += 1
      condition.broadcast()
    }
  }
}
