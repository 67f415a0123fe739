import Foundation
import KataTesting
import Testing

extension DiningPhilosophersTests {
  // MARK: - Every schedule

  @Test func `in every schedule dinner ends`() {
    let eat = (0..<3).map { philosopher in
      ModelledCall<SmallDinner, Void>("eat(\(philosopher))") { $0.eat(philosopher) }
    }
    let dinners = [
      [[eat[0]], [eat[1]]],
      [[eat[0], eat[0]], [eat[1], eat[1]]],
      [[eat[0]], [eat[1]], [eat[2]]],
    ]
    explore(
      dinners.map { threads in
        let subject = ModelledSubject(
          { SmallDinner(seats: threads.count) }, check: { $0.fault }, tearDown: { $0.end() })
        return Scenario(subject, threads: threads)
      })
  }
}

/// A table at which no philosopher waits any more when dinner is over.
private final class SmallDinner: Sendable, OpaqueMirror {
  private let table: DiningPhilosophers
  private let forks: [LentFork]

  init(seats: Int) {
    forks = (0..<seats).map { _ in LentFork() }
    table = DiningPhilosophers(forks: forks)
  }

  func eat(_ philosopher: Int) { table.eat(philosopher) {} }

  func end() { for fork in forks { fork.takeAway() } }

  var fault: String? {
    let inHand = forks.indices.filter { forks[$0].isInHand }
    return inHand.isEmpty ? nil : "These forks are still in hand in the end: \(inHand)."
  }
}

/// A fork that is given in the order of asking, until it's taken away.
private final class LentFork: Fork {
  private let condition = NSCondition()
  // Safe: these three are guarded by `condition`.
  private nonisolated(unsafe) var asked = 0
  private nonisolated(unsafe) var putBack = 0
  private nonisolated(unsafe) var isTakenAway = false

  var isInHand: Bool { condition.withLock { asked > putBack } }

  func pickUp(for philosopher: Int) {
    condition.withLock {
      let place = asked
      asked += 1
      while putBack < place, !isTakenAway { condition.wait() }
    }
  }

  func pickUpIfFree(for philosopher: Int) -> Bool {
    condition.withLock {
      guard asked == putBack || isTakenAway else { return false }
      asked += 1
      return true
    }
  }

  func putDown() {
    condition.withLock {
      putBack += 1
      condition.broadcast()
    }
  }

  func takeAway() {
    condition.withLock {
      isTakenAway = true
      condition.broadcast()
    }
  }
}
