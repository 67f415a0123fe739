import Dispatch
import Foundation

public protocol Fork: Sendable {
  func pickUp(for philosopher: Int)
  func pickUpIfFree(for philosopher: Int) -> Bool
  func putDown()
}

/// A doorkeeper admits all but one to the table, so one of them can have both forks.
public final class DiningPhilosophers: Sendable {
  private let forks: [any Fork]
  private let chairs = DispatchSemaphore(value: 0)

  public init(forks: [any Fork]) {
    precondition(forks.count >= 2, "with \(forks.count) forks nobody can eat")
    self.forks = forks
    for _ in 1..<forks.count { chairs.signal() }
  }

  public convenience init(seats: Int = 5) {
    self.init(forks: (0..<seats).map { _ in TableFork() })
  }

  public func eat<Result>(_ philosopher: Int, meal: () throws -> Result) rethrows -> Result {
    chairs.wait()
    defer { chairs.signal() }
    let sides = [philosopher, (philosopher + 1) % forks.count]
    for side in sides { forks[side].pickUp(for: philosopher) }
    defer { for side in sides { forks[side].putDown() } }
    return try meal()
  }
}

public final class TableFork: Fork {
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var ticketsGiven = 0
  private nonisolated(unsafe) var ticketsServed = 0  // Safe: as above.

  public init() {}

  public func pickUp(for philosopher: Int) {
    condition.withLock {
      let ticket = ticketsGiven
      ticketsGiven += 1
      while ticketsServed != ticket { condition.wait() }
    }
  }

  public func pickUpIfFree(for philosopher: Int) -> Bool {
    condition.withLock {
      guard ticketsServed == ticketsGiven else { return false }
      ticketsGiven += 1
      return true
    }
  }

  public func putDown() {
    condition.withLock {
      ticketsServed += 1
      condition.broadcast()
    }
  }
}
