import KataTesting
import Testing

/// Which philosopher has which forks.
final class ForkWatch: Sendable, OpaqueMirror {
  /// Counts forks that were picked up on another thread than the philosopher's.
  let pickedUpByOthers = SharedCounter()
  private let inHand = LockedValue<[Int: Set<Int>]>([:])
  private let threads = LockedValue<[Int: ThreadMark]>([:])
  /// The gates at which philosophers wait after picking up a first fork.
  private let pauses = LockedValue<[Int: Gate]>([:])

  /// From now on, `philosopher` pauses at `next` or not at all; if it pauses now, it goes on.
  func pause(_ philosopher: Int, at next: Gate? = nil) {
    let last = pauses.withLock { pauses in
      defer { pauses[philosopher] = next }
      return pauses[philosopher]
    }
    last?.open()
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
    if isFirst { pauses.value[philosopher]?.wait() }
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

  init(seats: Int = 5, kind: ForkKind = .objects) {
    self.seats = seats
    let watch = ForkWatch()
    self.watch = watch
    forks = (0..<seats).map { WatchedFork($0, watch: watch) }
    table = DiningPhilosophers(
      forks: forks.map { (fork: WatchedFork) -> any Fork in
        kind == .structs ? ForkHandle(fork: fork) : fork
      })
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

  /// So many meals, one directly after another, on a thread of its own.
  func eats(_ philosopher: Int, times: Int) -> TestThread<Void> {
    let who = "philosopher \(philosopher)"
    return TestThread(who) { [table, timeline] in
      for _ in 1...times {
        timeline.ask(who)
        table.eat(philosopher) { timeline.visit(who) {} }
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
