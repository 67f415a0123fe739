import Foundation
import KataTesting
import Testing

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

/// Which philosopher has which forks.
final class ForkWatch: Sendable, OpaqueMirror {
  /// Counts forks that were picked up on another thread than the philosopher's.
  let pickedUpByOthers = SharedCounter()
  private let inHand = LockedValue<[Int: Set<Int>]>([:])
  private let threads = LockedValue<[Int: ThreadMark]>([:])
  /// The gate at which a philosopher waits after picking up a first fork; nil if none waits.
  private let afterFirstFork: Gate?

  init(afterFirstFork: Gate? = nil) {
    self.afterFirstFork = afterFirstFork
  }

  func forks(of philosopher: Int) -> Set<Int> { inHand.value[philosopher] ?? [] }

  /// All forks that aren't on the table.
  var inUse: Set<Int> { inHand.value.values.reduce(into: []) { $0.formUnion($1) } }

  /// Marks the calling thread as that of `philosopher`, until ``getsUp(_:)``: a mark keeps its thread in memory.
  func sitsDown(_ philosopher: Int) { threads.withLock { $0[philosopher] = .current() } }
  func getsUp(_ philosopher: Int) { threads.withLock { $0[philosopher] = nil } }

  /// Whether the calling thread is that of `philosopher`.
  func isThread(of philosopher: Int) -> Bool { threads.value[philosopher]?.isCurrent == true }

  func pickedUp(_ fork: Int, by philosopher: Int) {
    if !isThread(of: philosopher) { pickedUpByOthers.increment() }
    let isFirst = inHand.withLock {
      $0[philosopher, default: []].insert(fork)
      return $0[philosopher]?.count == 1
    }
    if isFirst { afterFirstFork?.wait() }
  }

  func putsDown(_ fork: Int, by philosopher: Int) {
    inHand.withLock { _ = $0[philosopher]?.remove(fork) }
  }
}

/// A dinner; a timeline shows which philosophers are hungry and which eat.
final class Dinner: Sendable, OpaqueMirror {
  let timeline = Timeline()
  let seats: Int
  let watch: ForkWatch
  private let table: DiningPhilosophers
  let forks: [WatchedFork]
  private let ends = LockedValue<[Int: Gate]>([:])

  init(seats: Int = 5, afterFirstFork: Gate? = nil) {
    self.seats = seats
    let watch = ForkWatch(afterFirstFork: afterFirstFork)
    self.watch = watch
    forks = (0..<seats).map { WatchedFork($0, watch: watch) }
    table = DiningPhilosophers(forks: forks)
  }

  /// The numbers of the two forks beside a philosopher.
  func forks(beside philosopher: Int) -> Set<Int> { [philosopher, (philosopher + 1) % seats] }

  func isEating(_ philosopher: Int) -> Bool { timeline.isInside("philosopher \(philosopher)") }

  /// A meal on a thread of its own, which is short, or `lasts` until ``endMeal(of:)``.
  ///
  /// The result is the forks that were in hand during it.
  @discardableResult
  func eats(_ philosopher: Int, lasts: Bool = false) -> TestThread<Set<Int>> {
    let (who, end) = ("philosopher \(philosopher)", Gate("the meal of \(philosopher) ends"))
    if !lasts { end.open() }
    ends.withLock { $0[philosopher] = end }
    return timeline.asks(who) { [self] in
      watch.sitsDown(philosopher)
      defer { watch.getsUp(philosopher) }
      return table.eat(philosopher) {
        timeline.visit(who) {
          if !watch.isThread(of: philosopher) { timeline.mark("meal", "on another thread") }
          end.wait()
          return watch.forks(of: philosopher)
        }
      }
    }
  }

  func endMeal(of philosopher: Int) { ends.value[philosopher]?.open() }

  /// A meal that throws, on a thread of its own; the result is whether `eat` threw the same error.
  func chokes(_ philosopher: Int, meals: SharedCounter = SharedCounter()) -> TestThread<Bool> {
    TestThread("eat(\(philosopher))") { [table] in
      do {
        try table.eat(philosopher) { () throws -> Void in
          if meals.increment() == 1 { throw FishBone() }
        }
        return false
      } catch is FishBone {
        return true
      }
    }
  }
}

struct FishBone: Error {}
