import Foundation

/// Looks for a schedule of some scenarios that no order of its calls explains.
struct Explorer<Subject: Sendable, Model: Sendable> {
  private let searches: [Search<Subject, Model>]
  private let budget: ExplorationBudget
  private let threads = ScenarioThreads()
  private let start = clockSeconds(awakeClock)
  private let startOfWork = clockSeconds(CLOCK_PROCESS_CPUTIME_ID)
  private(set) var exploration = Exploration()

  init(_ scenarios: [Scenario<Subject, Model>], _ budget: ExplorationBudget) {
    searches = scenarios.flatMap { scenario in
      let explained = ExplainedOutcomes(scenario)
      return scenario.orders.map { Search(scenario, in: $0, explained) }
    }
    self.budget = budget
  }

  private var isLate: Bool {
    clockSeconds(CLOCK_PROCESS_CPUTIME_ID) - startOfWork >= budget.seconds
      || clockSeconds(awakeClock) - start >= 10 * budget.seconds
  }

  /// Every order without a hold, then with one, then with two.
  mutating func run() {
    for search in searches {
      guard isExplained(search, []) else { return }
      // Without points, chance alone can show anything.
      guard search.hasPoints || budget.seconds == 0 || isExplained(search, nil) else { return }
    }
    guard budget.seconds > 0 else {
      exploration.isComplete = !searches.contains { $0.hasPoints }
      return
    }
    guard hold(1) else {
      exploration.isComplete = false
      return
    }
    _ = hold(2)
  }

  /// Holds so many threads in each run, in every search in turn, so that where time is short each has its share;
  /// whether all is explained, and nothing is left to try.
  private mutating func hold(_ count: Int) -> Bool {
    var open = searches
    while !open.isEmpty {
      var left: [Search<Subject, Model>] = []
      for search in open {
        guard let points = search.next(holding: count) else { continue }
        guard !isLate, isExplained(search, points) else { return false }
        left.append(search)
      }
      open = left
    }
    return true
  }

  /// Runs a scenario with threads held at these points, or as it comes; whether an order explains what comes of it.
  private mutating func isExplained(
    _ search: Search<Subject, Model>, _ points: [SchedulePoint]?
  ) -> Bool {
    let run = search.scenario.run(
      points.map { Schedule(order: search.order, points: $0) } ?? .asItComes,
      on: threads, isExpected: search.isExplained)
    exploration.schedules += 1
    let observer = RunObservers.current.value
    if budget.seconds > 0 { observer?.explored(1) } else { observer?.waitEnded() }
    if let points { search.note(run, holding: points) }
    exploration.finding = search.objection(to: run)
    return exploration.finding == nil
  }
}

/// What may come of a scenario, found out when it's first asked for.
private final class ExplainedOutcomes<Subject: Sendable, Model: Sendable> {
  private let scenario: Scenario<Subject, Model>
  private(set) lazy var all = scenario.explainedOutcomes()

  init(_ scenario: Scenario<Subject, Model>) { self.scenario = scenario }
}

/// A scenario whose threads begin in one order: the points at which a thread may be held.
///
/// Each thread begins when nothing of those before it moves any more, so that what it reaches until it's held is the
/// same in every run. One that is held while the others run shows all that a single hold can; where it's let go,
/// after everything else, is no choice.
private final class Search<Subject: Sendable, Model: Sendable> {
  /// The visits to a place that count: a loop comes there again and again.
  private static var mostHits: Int { 3 }

  /// A point at which a thread is held, and those of others.
  private struct Pairs {
    let first: SchedulePoint
    let reached: [SchedulePoint]
    /// Where none was held yet together with the first; nil where that wasn't asked yet.
    var left: [SchedulePoint]?
  }

  let scenario: Scenario<Subject, Model>
  let order: [Int]
  private let explained: ExplainedOutcomes<Subject, Model>
  private(set) var hasPoints = false
  /// Where no thread was held at yet, by which visit to their place it is.
  private var singles: [[SchedulePoint]] = []
  private var pairs: [Pairs] = []
  private var dice = SplitMix64(seed: 1)

  init(
    _ scenario: Scenario<Subject, Model>, in order: [Int],
    _ explained: ExplainedOutcomes<Subject, Model>
  ) {
    self.scenario = scenario
    self.order = order
    self.explained = explained
  }

  /// Takes in what a run has reached in which threads were held at these points.
  func note(_ run: ScenarioRun, holding points: [SchedulePoint]) {
    hasPoints = hasPoints || !run.reached.isEmpty
    guard points.count < 2 else { return }
    // The last has nobody left to run while it's held, unless somebody waits.
    let isLastAlone =
      !run.reached.contains { $0.thread == nil } && !run.isUnderWay(before: order.last)
    let others = run.reached.filter { point in
      points.allSatisfy { $0.thread != point.thread }
        && !(isLastAlone && point.thread == order.last)
    }
    if let first = points.first {
      if !others.isEmpty { pairs.append(Pairs(first: first, reached: others)) }
    } else {
      singles = visits(to: others)
    }
  }

  /// The first visits to all these places, then the second ones and so on.
  private func visits(to reached: [SchedulePoint]) -> [[SchedulePoint]] {
    let sorted = reached.sorted()
    return (1...Self.mostHits).map { hit in
      // In an order that is the same each time and prefers no place.
      sorted.filter { $0.hit >= hit }.map { $0.with(thread: $0.thread, hit: hit) }
        .shuffled(using: &dice)
    }
  }

  /// Points at which so many threads weren't held together yet: every place has been visited once before one is held
  /// at its second visit.
  func next(holding count: Int) -> [SchedulePoint]? {
    guard count > 1 else {
      return singles.firstIndex { !$0.isEmpty }.map { [singles[$0].removeLast()] }
    }
    guard let index = pairs.indices.randomElement(using: &dice) else { return nil }
    if pairs[index].left == nil {
      pairs[index].left = visits(to: pairs[index].reached).reversed().flatMap(\.self)
    }
    defer { if pairs[index].left?.isEmpty == true { pairs.remove(at: index) } }
    return pairs[index].left?.popLast().map { [pairs[index].first, $0] }
  }

  /// Whether some order of the calls gives that.
  func isExplained(_ outcome: ScenarioOutcome) -> Bool { explained.all.contains(outcome) }

  func objection(to run: ScenarioRun) -> String? {
    let sentence: String
    if let race = run.race {
      let sides = [race.held, race.other].compactMap { side in
        PlaceText.text(side.place, calledFrom: side.callers).map {
          "\(side.isWrite ? "write" : "read")  \($0)"
        }
      }
      let accused =
        "nothing kept two threads apart that used the same memory, one of them to write."
      sentence = (["\(RaceMark.prefix)\(accused)"] + sides).joined(separator: "\n")
    } else if !run.isQuiet {
      sentence = "\(HungMark.prefix)it never came to rest."
    } else if isExplained(run.outcome) {
      return nil
    } else if scenario.subject.isChecked, !run.outcome.end.isEmpty {
      sentence = run.outcome.end
    } else if scenario.subject.isChecked {
      sentence = "A call never returned."
    } else {
      sentence = "No order of these calls, one after another, gives that."
    }
    let columns = ScenarioColumns(scenario, run).text
    // A mark stands in front of all.
    return run.race != nil || !run.isQuiet
      ? "\(sentence)\n\n\(columns)" : "\(columns)\n\n\(sentence)"
  }
}

extension SchedulePoint: Comparable {
  static func < (one: Self, other: Self) -> Bool {
    (one.thread ?? -1, one.place, one.caller, one.hit)
      < (other.thread ?? -1, other.place, other.caller, other.hit)
  }
}
