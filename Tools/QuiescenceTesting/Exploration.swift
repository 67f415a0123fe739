import Foundation
import Testing

/// What an exploration came to.
public struct Exploration: Sendable {
  /// How many runs were made.
  public internal(set) var schedules = 0
  /// Whether a thread was held at every point that a run has reached, up to three times a place.
  public internal(set) var isComplete = true
  /// What was found: the first run that no order of its calls explains.
  public internal(set) var finding: String?
}

/// Runs all small scenarios of a list of calls in many schedules, and records an issue where no order of the calls
/// explains what came of one.
///
/// Where the code under test has points, one thread at a time is held at one of them until nothing else in the
/// process can go on: at each point that a run has reached, for the first three times that it's reached. After that, as
/// long as there is time, two threads at two points. To hold a thread is what any scheduler may do at any time, so no
/// right object can be accused. Code that has no points runs each scenario by one thread after another, and once as it
/// comes.
///
/// `TEST_SCHEDULES` sets the seconds for all explorations of a process; with 0 each scenario runs once, by one thread
/// after another.
///
/// Blocks the calling thread for at most `seconds` of the process's own processor time and the run that is under way
/// then; where the process gets hardly any, for at most ten times as many on the clock.
@discardableResult
public func explore<Subject, Model>(
  _ calls: CallList<Subject, Model>, seconds: Double = 2,
  sourceLocation: SourceLocation = #_sourceLocation
) -> Exploration {
  explore(calls.smallScenarios, seconds: seconds, sourceLocation: sourceLocation)
}

/// Runs scenarios in many schedules, and records an issue where no order of its calls explains what came of one.
///
/// See ``explore(_:seconds:sourceLocation:)-(CallList<Subject,Model>,_,_)``.
@discardableResult
public func explore<Subject, Model>(
  _ scenarios: [Scenario<Subject, Model>], seconds: Double = 2,
  sourceLocation: SourceLocation = #_sourceLocation
) -> Exploration {
  let budget = ExplorationBudget(
    ProcessInfo.processInfo.environment["TEST_SCHEDULES"] ?? "", otherwise: seconds)
  let fault =
    scenarios.isEmpty
    ? "There is no scenario to explore." : scenarios.lazy.compactMap(\.fault).first
  if let fault = fault ?? budget.fault {
    Issue.record("\(fault)", sourceLocation: sourceLocation)
    return Exploration(isComplete: false)
  }
  var explorer = Explorer(scenarios, budget)
  explorer.run()
  if budget.seconds > 0 {
    RunObservers.current.value?.explored(explorer.exploration.schedules)
  }
  if let finding = explorer.exploration.finding {
    Issue.record("\(finding)", sourceLocation: sourceLocation)
  }
  return explorer.exploration
}

/// How long schedules are looked for.
struct ExplorationBudget {
  /// Of this process's own processor time; what it sleeps meanwhile comes to about as much.
  let seconds: Double
  /// What is wrong with it, as a sentence; nil where it's right.
  let fault: String?

  /// - Parameters:
  ///   - setting: What the environment says; empty where it says nothing.
  ///   - seconds: The test's own.
  init(_ setting: String, otherwise seconds: Double) {
    let chosen = setting.isEmpty ? seconds : Double(setting)
    if let chosen, chosen.isFinite, chosen >= 0 {
      self.seconds = chosen
      fault = nil
    } else {
      self.seconds = 0
      fault = "TEST_SCHEDULES is '\(setting)'; give a number of seconds, or 0."
    }
  }
}

/// Looks for a schedule of some scenarios that no order of its calls explains.
struct Explorer<Subject: Sendable, Model: Sendable> {
  /// The points of a place that count: a loop comes there again and again.
  private static var mostHits: Int { 3 }

  private let searches: [Search<Subject, Model>]
  private let budget: ExplorationBudget
  private let start = clockSeconds(awakeClock)
  private let startOfWork = clockSeconds(CLOCK_PROCESS_CPUTIME_ID)
  private(set) var exploration = Exploration()

  init(_ scenarios: [Scenario<Subject, Model>], _ budget: ExplorationBudget) {
    searches = scenarios.enumerated().map { Search($1, seed: $0 + 1) }
    self.budget = budget
  }

  private var isLate: Bool {
    clockSeconds(CLOCK_PROCESS_CPUTIME_ID) - startOfWork >= budget.seconds
      || clockSeconds(awakeClock) - start >= 10 * budget.seconds
  }

  /// Every scenario by one thread after another, then with one hold, then with two.
  mutating func run() {
    for search in searches {
      guard isExplained(search, .oneAfterAnother) else { return }
      // Without points, chance alone can show anything.
      guard search.hasPoints || budget.seconds == 0 || isExplained(search, .asItComes) else {
        return
      }
    }
    guard budget.seconds > 0 else {
      exploration.isComplete = !searches.contains { $0.hasPoints }
      return
    }
    guard holdOnce() else { return }
    holdTwice()
  }

  /// One point of every scenario in turn, so that where time is short each has its share; whether all is explained, and
  /// no point is left.
  private mutating func holdOnce() -> Bool {
    var open = searches
    while !open.isEmpty {
      var left: [Search<Subject, Model>] = []
      for search in open {
        guard let point = search.nextPoint() else { continue }
        guard !isLate else {
          exploration.isComplete = false
          return false
        }
        guard isExplained(search, .holding([point])) else { return false }
        left.append(search)
      }
      open = left
    }
    return true
  }

  /// As many pairs as there is time for, of every scenario alike.
  private mutating func holdTwice() {
    var pairs = searches.map { $0.pairs() }
    while !isLate, pairs.contains(where: { !$0.isEmpty }) {
      for index in pairs.indices where !pairs[index].isEmpty {
        guard !isLate, isExplained(searches[index], .holding(pairs[index].removeLast()))
        else {
          return
        }
      }
    }
  }

  /// Runs a scenario in a schedule; whether an order explains what comes of it.
  private mutating func isExplained(_ search: Search<Subject, Model>, _ schedule: Schedule) -> Bool
  {
    let run = search.scenario.run(schedule)
    exploration.schedules += 1
    search.note(run.reached, mostHits: Self.mostHits)
    exploration.finding = search.objection(to: run)
    return exploration.finding == nil
  }
}

/// What is known of a scenario: what explains a run of it, and which points there are.
private final class Search<Subject: Sendable, Model: Sendable> {
  let scenario: Scenario<Subject, Model>
  private lazy var explained = scenario.explainedOutcomes()
  /// The threads that make the same calls as one before them, so that it's enough to hold that one.
  private let alike: Set<Int>
  /// How many hits of a place are known, by its first.
  private var known: [SchedulePoint: Int] = [:]
  /// The points that are known, in an order that is the same each time and prefers none.
  private var points: [SchedulePoint] = []
  /// Those of them that no thread was held at yet, by which visit to their place they are.
  private var untried: [[SchedulePoint]] = []
  private var dice: SplitMix64

  init(_ scenario: Scenario<Subject, Model>, seed: Int) {
    self.scenario = scenario
    let calls = scenario.calls
    alike = Set(calls.indices.filter { calls[..<$0].contains(calls[$0]) })
    dice = SplitMix64(seed: UInt64(seed))
  }

  var hasPoints: Bool { !points.isEmpty }

  /// Takes in what a run has reached.
  func note(_ reached: [SchedulePoint], mostHits: Int) {
    var new: [SchedulePoint] = []
    for point in reached {
      if let thread = point.thread, alike.contains(thread) { continue }
      let first = point.with(thread: point.thread, hit: 1)
      let before = known[first, default: 0]
      guard min(point.hit, mostHits) > before else { continue }
      known[first] = min(point.hit, mostHits)
      new += (before + 1...min(point.hit, mostHits)).map {
        point.with(thread: point.thread, hit: $0)
      }
    }
    guard !new.isEmpty else { return }
    new.sort()
    new.shuffle(using: &dice)
    points += new
    for point in new {
      while untried.count < point.hit { untried.append([]) }
      untried[point.hit - 1].append(point)
    }
  }

  /// A point that nobody was held at yet: every place has been visited once before one is held at its second visit.
  func nextPoint() -> SchedulePoint? {
    untried.firstIndex { !$0.isEmpty }.map { untried[$0].removeFirst() }
  }

  /// Two points of different threads each, in an order that is the same each time and prefers none.
  func pairs() -> [[SchedulePoint]] {
    // Threads that make the same calls reach the same points.
    let calls = scenario.calls
    let all = points.flatMap { point -> [SchedulePoint] in
      guard let thread = point.thread else { return [point] }
      return calls.indices.filter { calls[$0] == calls[thread] }
        .map { point.with(thread: $0, hit: point.hit) }
    }
    var pairs = all.flatMap { first in
      all.filter { $0.thread != first.thread }.map { [first, $0] }
    }
    pairs.shuffle(using: &dice)
    return pairs
  }

  func objection(to run: ScenarioRun) -> String? {
    let sentence: String
    if let race = run.race {
      let sides = [race.held, race.other].compactMap { side in
        PlaceText.text(side.place).map { "\(side.isWrite ? "write" : "read")  \($0)" }
      }
      let accused =
        "nothing kept two threads apart that used the same memory, one of them to write."
      sentence = (["\(RaceMark.prefix)\(accused)"] + sides).joined(separator: "\n")
    } else if !run.isQuiet {
      sentence = "\(HungMark.prefix)it never came to rest."
    } else if explained.contains(run.outcome) {
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
