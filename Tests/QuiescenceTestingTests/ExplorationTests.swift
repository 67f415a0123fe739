import Foundation
import KataPoints
import Synchronization
import Testing

@testable import QuiescenceTesting

/// Code under test that says by itself where its points are, as a compiler's would.
private func point(_ line: Int = #line) {
  kata_points_reach(UInt(line), nil, 0, kata_access_none, nil)
}

@Suite(.serialized, .quiescence) struct ExplorationTests {
  /// A counter whose steps are taken under a lock, in one section or in two.
  private final class Tally: Sendable {
    let isWhole: Bool
    private let count = Mutex(0)

    init(isWhole: Bool) { self.isWhole = isWhole }

    var value: Int { count.withLock { $0 } }

    func increment() -> Int {
      point()
      if isWhole {
        return count.withLock {
          $0 += 1
          return $0
        }
      }
      let before = count.withLock { $0 }
      point()
      count.withLock { $0 = before + 1 }
      point()
      return before + 1
    }
  }

  private func calls(isWhole: Bool) -> CallList<Tally, Int> {
    CallList(
      ModelledSubject(
        model: 0, { Tally(isWhole: isWhole) }, end: { "\($0.value)" }, modelEnd: { "\($0)" }),
      calls: [
        ModelledCall("increment()") {
          $0.increment()
        } step: { count in
          count += 1
          return .returns(count)
        }
      ])
  }

  private func finding(_ body: () -> Exploration) -> Exploration {
    var exploration = Exploration()
    withKnownIssue(isIntermittent: true) { exploration = body() }
    return exploration
  }

  @Test func `a right object is explained in every schedule`() {
    let exploration = explore(calls(isWhole: true), seconds: 60)
    #expect(exploration.finding == nil && exploration.isComplete)
    #expect(exploration.schedules > 10)
  }

  @Test func `what goes wrong only when a thread stands still at one place is found every time`() {
    for _ in 1...50 {
      let exploration = finding { explore(calls(isWhole: false), seconds: 60) }
      // Every order without a hold, and some with one: the same number each time.
      #expect(exploration.schedules == 10)
      #expect(
        exploration.finding == """
            thread 1         thread 2
            increment()
            ── held here ──
                             increment() → 1
            increment() → 1
            in the end: 1

          No order of these calls, one after another, gives that.
          """)
    }
  }

  /// Can be won once it's open, and only once; but it looks and notes in two steps.
  private final class Relay: Sendable {
    let wins = Counter()
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    func win() {
      guard isOpen.withLock({ $0 }) else { return }
      point()
      isOpen.withLock { $0 = false }
      wins.increment()
    }
  }

  // MARK: - What waits

  private final class Box: Sendable {
    let stored = Mutex<Int?>(nil)
    let filled = DispatchSemaphore(value: 0)

    func put(_ value: Int) {
      point()
      stored.withLock { $0 = value }
      point()
      filled.signal()
    }

    func take() -> Int? {
      point()
      filled.wait()
      point()
      return stored.withLock { $0.take() }
    }
  }

  private let box = ModelledSubject<Box, [Int]>(
    model: [], { Box() }, letGo: { for _ in 1...4 { $0.filled.signal() } })
  private let put = ModelledCall<Box, [Int]>("put(1)") {
    $0.put(1)
  } step: { elements in
    elements.append(1)
    return .returns
  }
  private let take = ModelledCall<Box, [Int]>("take()") {
    $0.take()
  } step: { elements in
    elements.isEmpty ? .waits : .returns(elements.removeFirst())
  }

  @Test func `a call that has to wait is explained where no order lets it return`() {
    for threads in [[[take]], [[put], [take, take]], [[take], [put]]] {
      #expect(explore([Scenario(box, threads: threads)], seconds: 0.5).finding == nil)
    }
  }

  @Test func `a call that never returns though it should is told`() {
    let hidden = ModelledCall<Box, [Int]>("put(1)") {
      $0.stored.withLock { $0 = 1 }
    } step: {
      $0.append(1)
      return .returns
    }
    let exploration = finding { explore([Scenario(box, threads: [[hidden], [take]])]) }
    #expect(exploration.finding?.contains("take() never returns") == true)
  }

  @Test func `what spins is bounded and told`() {
    let spins = ModelledSubject<Atomic<Bool>.Reference, Int>(
      model: 0, { .init() }, letGo: { $0.stop() })
    let spin = ModelledCall<Atomic<Bool>.Reference, Int>("spin()") {
      $0.spin()
    } step: { _ in
      .returns
    }
    let exploration = finding { explore([Scenario(spins, threads: [[spin]])]) }
    #expect(exploration.finding?.contains("it never came to rest") == true)
  }

  @Test func `many threads that sleep are no unrest`() {
    let gate = Gate("sleepers")
    let sleepers = (1...200).map { TestThread("sleeper \($0)") { gate.wait() } }
    while gate.waiting < sleepers.count { usleep(500) }
    let exploration = explore([Scenario(box, threads: [[put], [take]])], seconds: 0.5)
    #expect(exploration.finding == nil)
    gate.open()
  }

  // MARK: - Without a model

  @Test func `what a check says of the end is the finding`() {
    func finding(isWhole: Bool) -> String? {
      let subject = ModelledSubject(
        { Tally(isWhole: isWhole) }, check: { $0.value == 2 ? nil : "One of two calls is lost." })
      let call = ModelledCall<Tally, Void>("increment()") { _ = $0.increment() }
      return self.finding { explore([Scenario(subject, threads: [[call], [call]])]) }.finding
    }
    #expect(finding(isWhole: true) == nil)
    #expect(finding(isWhole: false)?.hasSuffix("\n\nOne of two calls is lost.") == true)
  }

  @Test func `without a model a call has to return`() {
    let subject = ModelledSubject(
      { Box() }, check: { _ in nil }, letGo: { $0.filled.signal() })
    let call = ModelledCall<Box, Void>("take()") { _ = $0.take() }
    let found = finding { explore([Scenario(subject, threads: [[call]])]) }.finding
    #expect(found?.hasSuffix("take() never returns\n\nA call never returned.") == true)
  }

  @Test func `what needs one thread to be over before another stands still is found`() {
    let subject = ModelledSubject(
      { Relay() }, check: { $0.wins.value <= 1 ? nil : "It was won twice." })
    let open = ModelledCall<Relay, Void>("open()") { $0.open() }
    let win = ModelledCall<Relay, Void>("win()") { $0.win() }
    let exploration = finding {
      explore([Scenario(subject, threads: [[open], [win], [win]])], seconds: 60)
    }
    #expect(exploration.finding?.hasSuffix("It was won twice.") == true)
  }

  @Test func `threads begin in all orders but those that exchange the same calls`() {
    let scenario = Scenario(box, threads: [[put], [take], [take]])
    #expect(scenario.orders == [[0, 1, 2], [1, 0, 2], [1, 2, 0]])
  }

  @Test func `without time each order runs once, and nothing is held`() {
    let scenarios = calls(isWhole: false).smallScenarios
    var explorer = Explorer(scenarios, ExplorationBudget("0", otherwise: 2))
    explorer.run()
    #expect(explorer.exploration.schedules == scenarios.map(\.orders.count).reduce(0, +))
    #expect(explorer.exploration.finding == nil && !explorer.exploration.isComplete)
  }

  // MARK: - Races

  private final class Cell: Sendable {
    // Safe: it isn't, and nobody uses it: the points alone say that somebody does.
    nonisolated(unsafe) private let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    private let lock: NSLock?

    init(isGuarded: Bool) { lock = isGuarded ? NSLock() : nil }

    deinit { memory.deallocate() }

    func read() { use(kata_access_read) }
    func write() { use(kata_access_write) }

    private func use(_ access: kata_access, line: Int = #line) {
      lock?.lock()
      kata_points_reach(UInt(line) + UInt(access.rawValue), memory, 8, access, nil)
      lock?.unlock()
    }
  }

  private func races(isGuarded: Bool, writes: Bool) -> Exploration {
    let subject = ModelledSubject<Cell, Int>(model: 0, { Cell(isGuarded: isGuarded) })
    let read = ModelledCall<Cell, Int>("read()") {
      $0.read()
    } step: { _ in
      .returns
    }
    let write = ModelledCall<Cell, Int>("write()") {
      $0.write()
    } step: { _ in
      .returns
    }
    return finding {
      explore([Scenario(subject, threads: [[read], [writes ? write : read]])], seconds: 20)
    }
  }

  @Test func `a race is seen, and nothing is where a lock keeps threads apart or nobody writes`() {
    #expect(races(isGuarded: false, writes: true).finding?.contains("the same memory") == true)
    #expect(races(isGuarded: true, writes: true).finding == nil)
    #expect(races(isGuarded: false, writes: false).finding == nil)
  }

  // MARK: - Scenarios

  @Test func `code without points runs each scenario in two ways`() {
    let subject = ModelledSubject<Counter, Int>(model: 0, { Counter() })
    let call = ModelledCall<Counter, Int>("increment()") {
      $0.increment()
    } step: { count in
      count += 1
      return .returns(count)
    }
    let exploration = explore(CallList(subject, calls: [call]))
    #expect(exploration.schedules == 6 && exploration.finding == nil)
  }

  @Test func `scenarios that differ in the order of their threads alone are one`() {
    let list = CallList(box, calls: [put, take])
    #expect(
      list.scenarios(threads: 2, calls: 1).map(\.name) == [
        "put(1) ∥ put(1)", "put(1) ∥ take()", "take() ∥ take()",
      ])
    #expect(list.scenarios(threads: 3, calls: 1).count == 4)
    #expect(list.scenarios(threads: 2, calls: 2).count == 10)
    #expect(
      CallList(box, calls: [put.onlyOnce, take]).scenarios(threads: 2, calls: 1).map(\.name) == [
        "put(1) ∥ take()", "take() ∥ take()",
      ])
  }

  @Test func `what makes no sense gets a sentence`() {
    func sentence(_ scenarios: [Scenario<Box, [Int]>]) -> String {
      let said = Locked("")
      withKnownIssue {
        explore(scenarios)
      } matching: { issue in
        said.set(issue.comments.first?.rawValue ?? "")
        return true
      }
      return said.value
    }
    #expect(sentence([]) == "There is no scenario to explore.")
    #expect(sentence([Scenario(box, threads: [[put], []])]).contains("makes one call at least"))
    #expect(
      sentence([Scenario(box, threads: Array(repeating: [put], count: 5))]).contains(
        "this one has 5"))
  }

  @Test func `the environment sets how long an exploration takes`() {
    #expect(ExplorationBudget("", otherwise: 3).seconds == 3)
    #expect(ExplorationBudget("0.5", otherwise: 3).seconds == 0.5)
    for setting in ["soon", "-1", "inf", "nan"] {
      #expect(
        ExplorationBudget(setting, otherwise: 3).fault
          == "TEST_SCHEDULES is '\(setting)'; give a number of seconds, or 0.")
    }
  }
}

extension Atomic<Bool> {
  /// One that can be shared.
  fileprivate final class Reference: Sendable {
    private let isOver = Atomic(false)

    func spin() {
      while !isOver.load(ordering: .relaxed) {}
    }

    func stop() { isOver.store(true, ordering: .relaxed) }
  }
}
