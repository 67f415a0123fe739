import Foundation
import Synchronization
import Testing

@testable import QuiescenceTesting

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

  /// Can be won once it's open, and only once; but it looks and notes in two steps.
  private final class Relay: Sendable {
    let wins = SharedCounter()
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    func win() {
      guard isOpen.withLock({ $0 }) else { return }
      point()
      isOpen.withLock { $0 = false }
      wins.increment()
    }
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

  @Test func `a schedule that goes wrong once and not again is no finding`() {
    func finding(inRuns wrong: Set<Int>) -> String? {
      let runs = SharedCounter()
      let subject = ModelledSubject<Int, Void>(
        { runs.increment() }, check: { wrong.contains($0) ? "Run \($0) is wrong." : nil })
      let call = ModelledCall<Int, Void>("look") { _ in point() }
      return self.finding { explore([Scenario(subject, threads: [[call], [call]])]) }.finding
    }
    #expect(finding(inRuns: [2]) == nil)
    #expect(finding(inRuns: [2, 3])?.hasSuffix("Run 3 is wrong.") == true)
    #expect(finding(inRuns: [2, 5])?.hasSuffix("Run 5 is wrong.") == true)
    #expect(finding(inRuns: [2, 6]) == nil)
  }

  // MARK: - What is shown

  @Test func `a held thread is shown to go on, unless its return follows at once`() {
    func columns(_ moments: [(ScenarioEvent.Kind, thread: Int)]) -> String {
      let events = moments.enumerated().map { tick, moment in
        ScenarioEvent(kind: moment.0, thread: moment.thread, tick: Int64(tick))
      }
      let outcome = ScenarioOutcome(results: [["()"], ["1"]], end: "")
      return ScenarioColumns(
        Scenario(box, threads: [[put], [take]]),
        ScenarioRun(outcome: outcome, events: events, reached: [], race: nil, isQuiet: true)
      ).text
    }
    let begin = [(ScenarioEvent.Kind.began(call: 0), 0), (.began(call: 0), 1), (.wentOn, 0)]
    let ends = [
      (ScenarioEvent.Kind.returned(call: 0, result: "()"), 0), (.returned(call: 0, result: "1"), 1),
    ]
    #expect(
      columns(begin + ends.reversed()) == """
          thread 1       thread 2
          put(1)
                         take()
          ── goes on ──
                         take() → 1
          put(1) → ()
        """)
    #expect(!columns(begin + ends).contains("goes on"))
  }

  // MARK: - How much is tried

  @Test func `without time each order runs once, and nothing is held`() {
    let scenarios = calls(isWhole: false).smallScenarios
    var explorer = Explorer(scenarios, ExplorationBudget("0", otherwise: 2))
    explorer.run()
    #expect(explorer.exploration.schedules == scenarios.map(\.orders.count).reduce(0, +))
    #expect(explorer.exploration.finding == nil && !explorer.exploration.isComplete)
  }

  @Test func `code without points runs each scenario in two ways`() {
    let subject = ModelledSubject<SharedCounter, Int>(model: 0, { SharedCounter() })
    let call = ModelledCall<SharedCounter, Int>("increment()") {
      $0.increment()
    } step: { count in
      count += 1
      return .returns(count)
    }
    let exploration = explore(CallList(subject, calls: [call]))
    #expect(exploration.schedules == 6 && exploration.finding == nil)
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

  @Test func `several processes share an exploration`() {
    let scenarios = calls(isWhole: false).smallScenarios
    let schedules = (1...4).map { part in
      var explorer = Explorer(scenarios, ExplorationBudget("0", otherwise: 2, part: "\(part)/4"))
      explorer.run()
      return explorer.exploration.schedules
    }
    #expect(schedules.reduce(0, +) == scenarios.map(\.orders.count).reduce(0, +))
    #expect((schedules.max() ?? 0) - (schedules.min() ?? 0) <= 1)
    for part in ["0/2", "3/2", "1", "a/b", "1/2/3", "-1/2", "/"] {
      #expect(
        ExplorationBudget("", otherwise: 3, part: part).fault
          == "TEST_SCHEDULES_PART is '\(part)'; give a part and their number, such as 1/4.")
    }
  }
}
