import Foundation

public protocol Fork: Sendable {
  func pickUp(for philosopher: Int)
  func pickUpIfFree(for philosopher: Int) -> Bool
  func putDown()
}

/// Takes both forks at once or none; the first philosopher that finds both free gets them.
public final class DiningPhilosophers: Sendable {
  private let forks: [any Fork]
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var eating: Set<Int> = []

  public init(forks: [any Fork]) {
    precondition(forks.count >= 2, "with \(forks.count) forks nobody can eat")
    self.forks = forks
  }

  public convenience init(seats: Int = 5) {
    self.init(forks: (0..<seats).map { _ in TableFork() })
  }

  public func eat<Result>(_ philosopher: Int, meal: () throws -> Result) rethrows -> Result {
    let right = (philosopher + 1) % forks.count
    condition.withLock {
      while !mayEat(philosopher) { condition.wait() }
      eating.insert(philosopher)
    }
    forks[philosopher].pickUp(for: philosopher)
    forks[right].pickUp(for: philosopher)
    defer {
      forks[right].putDown()
      forks[philosopher].putDown()
      condition.withLock {
        eating.remove(philosopher)
        condition.broadcast()
      }
    }
    return try meal()
  }

  /// To be called with the condition locked.
  private func mayEat(_ philosopher: Int) -> Bool {
    let count = forks.count
    let neighbours: Set<Int> = [(philosopher + 1) % count, (philosopher + count - 1) % count]
    return eating.isDisjoint(with: neighbours)
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
