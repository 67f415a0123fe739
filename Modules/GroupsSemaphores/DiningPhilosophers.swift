import Foundation

/// A fork on the table, held by one philosopher at a time: mutual exclusion.
public protocol Fork: Sendable {
  /// Takes the fork for `philosopher`.
  ///
  /// - `pickUp` blocks while the fork is in any hand, even the philosopher's own.
  /// - If several philosophers wait for a fork, they get it in the order in which they asked.
  func pickUp(for philosopher: Int)

  /// Takes the fork for `philosopher` if it is free.
  ///
  /// - `pickUpIfFree` returns without waiting: true if it took the fork, false if the fork was in a
  ///   hand, even the philosopher's own.
  func pickUpIfFree(for philosopher: Int) -> Bool

  /// Puts the fork back on the table.
  ///
  /// - When a fork is put down, the next philosopher that waits for it gets it.
  func putDown()
}

/// A round table with a fork between each two seats; a philosopher needs two forks to eat.
///
/// Philosopher number 2 sits between fork 2, on the left, and fork 3, on the right. A philosopher
/// that waits for a second fork may hold the first one, so that a neighbour must wait for it.
///
/// - During a meal its philosopher has the two forks beside the seat in hand; on the right of the
///   last philosopher lies fork 0.
/// - Neighbours, who share a fork, never eat at the same time.
/// - There is no deadlock: as long as meals end, no philosopher waits for ever, however the threads
///   of the philosophers interleave.
/// - There is no starvation: a hungry philosopher gets to eat, even between two neighbours that are
///   always hungry again and eat in turns.
/// - Any philosophers that share no fork can all eat at the same time, as long as no other one is
///   hungry.
/// - Several philosophers may eat on several threads at the same time, without a data race.
///
/// Safe to use from any thread, and by several at once, but by one at a time for each philosopher.
///
/// ```swift
/// let table = DiningPhilosophers(seats: 5)
/// table.eat(2) { print("2 eats, so 1 and 3 don't") }
/// ```
///
/// The table stands for threads that need two locks at once, each of which another thread needs
/// too.
///
/// - Warning: The caller must lay each fork on one table only, and let each philosopher eat on one
///   thread at a time. If a meal makes its own philosopher, or a neighbour, eat on the same thread,
///   that meal never ends. A meal that waits until another philosopher has eaten may wait for ever.
///
/// Source: Dijkstra, "Hierarchical Ordering of Sequential Processes", 1971.
public final class DiningPhilosophers: Sendable {
  private let forks: [any Fork]

  /// Lays the table for as many philosophers as there are forks; the caller must pass at least two.
  ///
  /// - The philosophers eat with `forks`, and with no others.
  public init(forks: [any Fork]) {
    precondition(forks.count >= 2, "with \(forks.count) forks nobody can eat")
    self.forks = forks
  }

  /// Lays the table for `seats` philosophers; the caller must ask for at least two seats.
  ///
  /// - There are as many plain forks as seats, each a fork of its own.
  public convenience init(seats: Int = 5) {
    self.init(forks: (0..<seats).map { _ in TableFork() })
  }

  /// Picks up both forks of `philosopher`, calls `meal`, and puts the forks down.
  ///
  /// The caller must name a seat that the table has.
  ///
  /// - `eat` blocks while one of the two forks is in use, even if no philosopher of this table uses
  ///   it.
  /// - Both forks are put down after the meal, even if `meal` throws.
  /// - `meal` is called once; if it throws, its error is rethrown.
  /// - Forks are picked up, and `meal` is called, on the calling thread.
  ///
  /// - Returns: What `meal` returns.
  public func eat<Result>(_ philosopher: Int, meal: () throws -> Result) rethrows -> Result {
    precondition(forks.indices.contains(philosopher), "there's no seat \(philosopher) at the table")
    let left = philosopher
    let right = (philosopher + 1) % forks.count
    // All pick up the lower number first. So a philosopher that waits holds only forks with lower
    // numbers than the one it waits for, and there is no circular wait.
    let (first, second) = left < right ? (left, right) : (right, left)
    forks[first].pickUp(for: philosopher)
    forks[second].pickUp(for: philosopher)
    defer {
      forks[second].putDown()
      forks[first].putDown()
    }
    return try meal()
  }
}

/// A plain fork: it does what ``Fork`` promises, and no more.
public final class TableFork: Fork {
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var ticketsGiven = 0
  private nonisolated(unsafe) var ticketsServed = 0  // Safe: as above.

  /// Puts a new fork on the table.
  public init() {}

  /// Takes the fork, by a ticket that is a place in line.
  public func pickUp(for philosopher: Int) {
    condition.withLock {
      let ticket = ticketsGiven
      ticketsGiven += 1
      while ticketsServed != ticket { condition.wait() }
    }
  }

  /// Takes the fork if it is free.
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
