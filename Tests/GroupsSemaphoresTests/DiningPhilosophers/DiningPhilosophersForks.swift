import Foundation

/// What the forks of a dinner are.
enum ForkKind: String, CaseIterable, Sendable {
  case objects, structs
}

/// A fork that is a struct: an object does what it's asked for.
struct ForkHandle: Fork {
  let fork: WatchedFork

  func pickUp(for philosopher: Int) { fork.pickUp(for: philosopher) }

  func pickUpIfFree(for philosopher: Int) -> Bool { fork.pickUpIfFree(for: philosopher) }

  func putDown() { fork.putDown() }
}

/// A fork that knows which philosopher has it, and that is given in the order of asking; a philosopher that
/// has picked it up as a first fork can be made to pause.
final class WatchedFork: Fork {
  private let number: Int
  private let watch: ForkWatch
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var holder: Int?
  private nonisolated(unsafe) var line: [Int] = []  // Safe: as above.

  init(_ number: Int, watch: ForkWatch) {
    self.number = number
    self.watch = watch
  }

  func pickUp(for philosopher: Int) {
    condition.withLock {
      line.append(philosopher)
      while holder != nil || line.first != philosopher { condition.wait() }
      holder = line.removeFirst()
    }
    watch.pickedUp(number, by: philosopher)
  }

  func pickUpIfFree(for philosopher: Int) -> Bool {
    let isTaken = condition.withLock {
      guard holder == nil, line.isEmpty else { return false }
      holder = philosopher
      return true
    }
    if isTaken { watch.pickedUp(number, by: philosopher) }
    return isTaken
  }

  func putDown() {
    condition.withLock {
      if let holder { watch.putsDown(number, by: holder) }
      holder = nil
      condition.broadcast()
    }
  }
}
