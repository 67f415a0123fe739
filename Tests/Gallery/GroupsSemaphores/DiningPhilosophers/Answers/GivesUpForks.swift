import Foundation

public protocol Fork: Sendable {
  func pickUp(for philosopher: Int)
  func pickUpIfFree(for philosopher: Int) -> Bool
  func putDown()
}

/// A philosopher that can't have the second fork puts the first one back until another has eaten.
public final class DiningPhilosophers: Sendable {
  private let forks: [any Fork]
  private let condition = NSCondition()

  public init(forks: [any Fork]) {
    precondition(forks.count >= 2, "with \(forks.count) forks nobody can eat")
    self.forks = forks
  }

  public convenience init(seats: Int = 5) {
    self.init(forks: (0..<seats).map { _ in TableFork() })
  }

  public func eat<Result>(_ philosopher: Int, meal: () throws -> Result) rethrows -> Result {
    let left = forks[philosopher]
    let right = forks[(philosopher + 1) % forks.count]
    condition.lock()
    while true {
      if left.pickUpIfFree(for: philosopher) {
        if right.pickUpIfFree(for: philosopher) { break }
        left.putDown()
      }
      condition.wait()
    }
    condition.unlock()
    defer {
      condition.withLock {
        right.putDown()
        left.putDown()
        condition.broadcast()
      }
    }
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
