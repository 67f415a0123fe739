import Foundation

/// Searches for a schedule whose outcome no sequential order of the calls explains.
struct Explorer<Subject: Sendable, Model: Sendable> {
  private let searches: [Search<Subject, Model>]
  private let budget: ExplorationBudget
  private let threads = ScenarioThreads()
  private let start = clockSeconds(awakeClock)
  private let startOfWork = clockSeconds(CLOCK_PROCESS_CPUTIME_ID)
  private(set) var exploration = Exploration()
  /// How often a schedule with a wrong outcome runs again.
  private static var mostConfirmations: Int { 3 }

  init(_ scenarios: [Scenario<Subject, Model>], _ budget: ExplorationBudget) {
    searches = budget.share(
      of: scenarios.flatMap { scenario in
        let explained = ExplainedOutcomes(scenario)
        return scenario.orders.map { Search(scenario, in: $0, explained) }
      })
    self.budget = budget
  }

  private var isLate: Bool {
    clockSeconds(CLOCK_PROCESS_CPUTIME_ID) - startOfWork >= budget.seconds
      || clockSeconds(awakeClock) - start >= 10 * budget.seconds
  }

  /// Runs every order without a hold, then with one held thread, then with two.
  mutating func run() {
    for search in searches {
      guard isExplained(search, []) else { return }
      // Without points, only a run with all threads at once adds something, by chance.
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

  /// Holds the given number of threads in each run.
  ///
  /// Searches alternate, so that each gets its share of a short time.
  ///
  /// - Returns: Whether every outcome is explained, and nothing is left to try.
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

  /// Runs a scenario with threads held at these points, or with all threads at once.
  ///
  /// - Returns: Whether a sequential order explains the outcome.
  private mutating func isExplained(
    _ search: Search<Subject, Model>, _ points: [SchedulePoint]?
  ) -> Bool {
    let schedule = points.map { Schedule(order: search.order, points: $0) } ?? .asItComes
    func run() -> ScenarioRun {
      search.scenario.run(schedule, on: threads, isExpected: search.isExplained)
    }
    var result = run()
    exploration.schedules += 1
    let observer = RunObservers.current.value
    if budget.seconds > 0 { observer?.explored(1) } else { observer?.waitEnded() }
    exploration.finding = search.objection(to: result)
    // What happens once may be the system's fault: Foundation on Linux sometimes leaves an operation
    // waiting in its queue. A run that has left a thread behind could disturb the next one.
    if exploration.finding != nil, points != nil, result.race == nil, result.isQuiet,
      threads.areIdle
    {
      for _ in 1...Self.mostConfirmations {
        result = run()
        exploration.finding = search.objection(to: result)
        if exploration.finding != nil { break }
      }
    }
    if let points { search.note(result, holding: points) }
    return exploration.finding == nil
  }
}

/// The outcomes that sequential orders of a scenario's calls give, computed on first use.
private final class ExplainedOutcomes<Subject: Sendable, Model: Sendable> {
  private let scenario: Scenario<Subject, Model>
  private(set) lazy var all = scenario.explainedOutcomes()

  init(_ scenario: Scenario<Subject, Model>) { self.scenario = scenario }
}

/// A scenario with one order in which its threads start, and the points at which a thread may be
/// held.
///
/// Each thread starts when the threads before it have come to rest, so that it reaches the same
/// points in every run. Holding a thread while all others run covers everything that a single hold
/// can show: there is no choice of when to release it, which is after everything else.
private final class Search<Subject: Sendable, Model: Sendable> {
  /// The number of visits to a place that are tried: a loop visits it again and again.
  private static var mostHits: Int { 3 }

  /// A point at which a thread is held, and the points that other threads reach meanwhile.
  private struct Pairs {
    let first: SchedulePoint
    let reached: [SchedulePoint]
    /// Points that haven't been held together with the first; nil before the first use.
    var left: [SchedulePoint]?
  }

  let scenario: Scenario<Subject, Model>
  let order: [Int]
  private let explained: ExplainedOutcomes<Subject, Model>
  private(set) var hasPoints = false
  /// Points that haven't been held yet, grouped by the number of the visit to their place.
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

  /// Records the points that a run has reached while threads were held at `points`.
  func note(_ run: ScenarioRun, holding points: [SchedulePoint]) {
    hasPoints = hasPoints || !run.reached.isEmpty
    guard points.count < 2 else { return }
    // While the last thread is held, no other thread has anything left to run, unless a call still
    // waits.
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

  /// Returns the first visits to all these places, then the second visits, and so on; each to be
  /// taken from the end.
  private func visits(to reached: [SchedulePoint]) -> [[SchedulePoint]] {
    let sorted = reached.sorted()
    return (1...Self.mostHits).map { hit in
      // Shuffled with a fixed seed: the same order in every process. Every other one is a place
      // where a race would show, and otherwise no place is preferred.
      let visits = sorted.filter { $0.hit >= hit }.map { $0.with(thread: $0.thread, hit: hit) }
        .shuffled(using: &dice)
      let (contended, others) = (visits.filter(\.isContended), visits.filter { !$0.isContended })
      let count = min(contended.count, others.count)
      return Array(contended.dropLast(count) + others.dropLast(count))
        + zip(others.suffix(count), contended.suffix(count)).flatMap { [$0, $1] }
    }
  }

  /// Returns points that haven't been held together yet.
  ///
  /// Every place is held at its first visit before any is held at its second.
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

  /// Whether some sequential order of the calls gives this outcome.
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
    // A mark comes first.
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
