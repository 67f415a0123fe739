import Foundation
import Testing

/// The result of an exploration.
public struct Exploration: Sendable {
  /// The number of runs.
  public internal(set) var schedules = 0
  /// Whether each point that a thread reaches has been tried as a hold, up to three visits to each
  /// place.
  public internal(set) var isComplete = true
  /// The first run that no order of its calls explains; nil if every run is explained.
  public internal(set) var finding: String?
}

/// Runs all small scenarios of a list of calls in many schedules, and records an issue if no
/// sequential order of the calls explains the outcome of a run.
///
/// The threads of a scenario start in every order, each when the threads before it have come to
/// rest. If the code under test has points, one thread at a time is held at one of them until
/// nothing else in the process can run. Every point that the thread reaches in that order is tried,
/// on its first three visits. If time is left after that, two threads are held at two points. A
/// scheduler may preempt a thread at any time, so a correct object can't fail. Code without points
/// runs in each order, and once more with all threads started at the same time.
///
/// A schedule whose outcome is wrong runs again, and is reported if it's wrong again: what the
/// system does once isn't the object's fault.
///
/// `TEST_SCHEDULES` sets the seconds for each exploration. With 0 each order runs once, and no
/// thread is held. `TEST_SCHEDULES_PART=2/4` explores every fourth order, from the second on: four
/// processes can share an exploration.
///
/// Blocks the calling thread for at most `seconds` of the process's own processor time, and until
/// the current run has ended. If the process gets hardly any processor time, it stops after ten
/// times as many seconds on the clock.
@discardableResult
public func explore<Subject, Model>(
  _ calls: CallList<Subject, Model>, seconds: Double = 2,
  sourceLocation: SourceLocation = #_sourceLocation
) -> Exploration {
  explore(calls.smallScenarios, seconds: seconds, sourceLocation: sourceLocation)
}

/// Runs scenarios in many schedules, and records an issue if no sequential order of the calls
/// explains an outcome.
///
/// See ``explore(_:seconds:sourceLocation:)-(CallList<Subject,Model>,_,_)``.
@discardableResult
public func explore<Subject, Model>(
  _ scenarios: [Scenario<Subject, Model>], seconds: Double = 2,
  sourceLocation: SourceLocation = #_sourceLocation
) -> Exploration {
  let environment = ProcessInfo.processInfo.environment
  let budget = ExplorationBudget(
    environment["TEST_SCHEDULES"] ?? "", otherwise: seconds,
    part: environment["TEST_SCHEDULES_PART"] ?? "")
  let fault =
    scenarios.isEmpty
    ? "There is no scenario to explore." : scenarios.lazy.compactMap(\.fault).first
  if let fault = fault ?? budget.fault {
    Issue.record("\(fault)", sourceLocation: sourceLocation)
    return Exploration(isComplete: false)
  }
  var explorer = Explorer(scenarios, budget)
  explorer.run()
  if let finding = explorer.exploration.finding {
    Issue.record("\(finding)", sourceLocation: sourceLocation)
  }
  return explorer.exploration
}

/// How long an exploration searches for schedules, and in which orders of the threads.
struct ExplorationBudget {
  /// Processor time of this process; it sleeps for about as long meanwhile.
  let seconds: Double
  /// Which part of the orders it explores, from 1, and how many parts there are.
  private(set) var (part, parts) = (1, 1)
  /// What is wrong with a setting, as a sentence; nil if both are valid.
  private(set) var fault: String?

  /// - Parameters:
  ///   - setting: The value of `TEST_SCHEDULES`; empty if it's unset.
  ///   - seconds: The test's own value.
  ///   - part: The value of `TEST_SCHEDULES_PART`; empty if it's unset.
  init(_ setting: String, otherwise seconds: Double, part: String = "") {
    let chosen = setting.isEmpty ? seconds : Double(setting)
    if let chosen, chosen.isFinite, chosen >= 0 {
      self.seconds = chosen
    } else {
      self.seconds = 0
      fault = "TEST_SCHEDULES is '\(setting)'; give a number of seconds, or 0."
    }
    guard !part.isEmpty else { return }
    let numbers = part.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    if numbers.count == 2, numbers[0] >= 1, numbers[0] <= numbers[1] {
      (self.part, parts) = (numbers[0], numbers[1])
    } else {
      fault = "TEST_SCHEDULES_PART is '\(part)'; give a part and their number, such as 1/4."
    }
  }

  /// The elements that belong to this part.
  func share<Element>(of all: [Element]) -> [Element] {
    stride(from: part - 1, to: all.count, by: parts).map { all[$0] }
  }
}
