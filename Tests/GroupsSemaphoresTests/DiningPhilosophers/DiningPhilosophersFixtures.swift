import Foundation
import KataTesting
import Testing

/// A fork that knows who has it, hands itself on in the order of asking, and can hold back whoever has
/// picked it up as their first.
final class WatchedFork: Fork {
  private let number: Int
  private let dinner: ForkWatch
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var holder: Int?
  private nonisolated(unsafe) var line: [Int] = []  // Safe: as above.

  init(_ number: Int, dinner: ForkWatch) {
    self.number = number
    self.dinner = dinner
  }

  func pickUp(for philosopher: Int) {
    condition.withLock {
      if holder == nil {
        holder = philosopher
      } else {
        line.append(philosopher)
        // Whoever puts the fork down hands it over, so nobody can be quicker.
        while holder != philosopher || line.contains(philosopher) { condition.wait() }
      }
    }
    dinner.pickedUp(number, by: philosopher)
  }

  func pickUpIfFree(for philosopher: Int) -> Bool {
    let isTaken = condition.withLock {
      guard holder == nil else { return false }
      holder = philosopher
      return true
    }
    if isTaken { dinner.pickedUp(number, by: philosopher) }
    return isTaken
  }

  func putDown() {
    condition.withLock {
      if let holder { dinner.putsDown(number, by: holder) }
      holder = line.isEmpty ? nil : line.removeFirst()
      condition.broadcast()
    }
  }
}

/// Who has which forks.
final class ForkWatch: Sendable, OpaqueMirror {
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var inHand: [Int: Set<Int>] = [:]
  private nonisolated(unsafe) var byOthers = 0  // Safe: as above.
  /// Where a philosopher waits who has just picked up a first fork; nil for nowhere.
  private let afterFirstFork: Gate?

  init(afterFirstFork: Gate? = nil) {
    self.afterFirstFork = afterFirstFork
  }

  func forks(of philosopher: Int) -> Set<Int> { lock.withLock { inHand[philosopher] ?? [] } }

  /// How many forks were picked up on another thread than the philosopher's.
  var pickedUpByOthers: Int { lock.withLock { byOthers } }

  /// All forks that aren't on the table.
  var inUse: Set<Int> { lock.withLock { inHand.values.reduce(into: []) { $0.formUnion($1) } } }

  func pickedUp(_ fork: Int, by philosopher: Int) {
    let isFirst = lock.withLock {
      if !Dinner.isThread(of: philosopher) { byOthers += 1 }
      inHand[philosopher, default: []].insert(fork)
      return inHand[philosopher]?.count == 1
    }
    if isFirst { afterFirstFork?.wait() }
  }

  func putsDown(_ fork: Int, by philosopher: Int) {
    lock.withLock { _ = inHand[philosopher]?.remove(fork) }
  }
}

/// A dinner whose meals last until the spec ends them; a timeline shows who eats.
final class Dinner: Sendable, OpaqueMirror {
  /// Marks a philosopher's thread, in its dictionary.
  private static let mark = "katas.spec.dining-philosophers.philosopher"

  /// Whether the calling thread is that of `philosopher`.
  static func isThread(of philosopher: Int) -> Bool {
    Thread.current.threadDictionary[mark] as? Int == philosopher
  }

  let timeline = Timeline()
  let seats: Int
  let watch: ForkWatch
  private let table: DiningPhilosophers
  private let forks: [WatchedFork]
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var meals: [Int: Gate] = [:]

  init(seats: Int = 5, afterFirstFork: Gate? = nil) {
    self.seats = seats
    let watch = ForkWatch(afterFirstFork: afterFirstFork)
    self.watch = watch
    forks = (0..<seats).map { WatchedFork($0, dinner: watch) }
    table = DiningPhilosophers(forks: forks)
  }

  /// A fork by its number, for somebody who isn't at the table.
  func fork(_ number: Int) -> any Fork { forks[number] }

  /// The numbers of the two forks beside a philosopher.
  func forks(beside philosopher: Int) -> Set<Int> { [philosopher, (philosopher + 1) % seats] }

  func name(of philosopher: Int) -> String { "philosopher \(philosopher)" }

  /// What some of them have in hand, in words.
  func inHand(of philosophers: [Int]) -> String {
    let parts: [String] = philosophers.map { philosopher in
      let forks = watch.forks(of: philosopher).sorted()
      return "philosopher \(philosopher) has \(forks)"
    }
    return parts.joined(separator: ", ")
  }

  func isEating(_ philosopher: Int) -> Bool { timeline.isInside(name(of: philosopher)) }

  /// A short meal, on a thread of its own; the result is the forks that were in hand during it.
  func eats(_ philosopher: Int) -> TestThread<Set<Int>> {
    TestThread("eat(\(philosopher))") { [self] in
      Thread.current.threadDictionary[Self.mark] = philosopher
      return table.eat(philosopher) {
        timeline.visit(name(of: philosopher)) {
          if !Self.isThread(of: philosopher) { timeline.mark("meal", "on another thread") }
          return watch.forks(of: philosopher)
        }
      }
    }
  }

  /// A meal that lasts until ``endMeal(of:)``, on a thread of its own.
  func eatsLong(_ philosopher: Int) -> TestThread<Void> {
    let end = Gate("the meal of \(philosopher) ends")
    lock.withLock { meals[philosopher] = end }
    return TestThread("eat(\(philosopher))") { [self] in
      table.eat(philosopher) { timeline.visit(name(of: philosopher), until: end) }
    }
  }

  func endMeal(of philosopher: Int) { lock.withLock { meals[philosopher] }?.open() }

  /// A meal that ends with an error, on a thread of its own; the result is whether it got through.
  func chokes(_ philosopher: Int, meals: Counter = Counter()) -> TestThread<Bool> {
    TestThread("eat(\(philosopher))") { [self] in
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

/// Counts meals, and those at which a neighbour ate too.
final class MealCount: Sendable, OpaqueMirror {
  private let seats: Int
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var eating: Set<Int> = []
  private nonisolated(unsafe) var meals = 0  // Safe: as above.
  private nonisolated(unsafe) var sharedMeals = 0  // Safe: as above.

  init(seats: Int) {
    self.seats = seats
  }

  var begun: Int { lock.withLock { meals } }

  /// How many meals began while a neighbour was eating.
  var shared: Int { lock.withLock { sharedMeals } }

  func begins(_ philosopher: Int) {
    lock.withLock {
      let neighbours: Set<Int> = [(philosopher + 1) % seats, (philosopher + seats - 1) % seats]
      if !eating.isDisjoint(with: neighbours) { sharedMeals += 1 }
      eating.insert(philosopher)
      meals += 1
    }
  }

  func ends(_ philosopher: Int) { lock.withLock { _ = eating.remove(philosopher) } }
}
