import Foundation
import Testing

/// What an exploration came to.
public struct Exploration: Sendable {
  /// How many runs were made.
  public internal(set) var schedules = 0
  /// Whether a thread was held at every point that it reaches in an order of the threads, up to three times a place.
  public internal(set) var isComplete = true
  /// What was found: the first run that no order of its calls explains.
  public internal(set) var finding: String?
}

/// Runs all small scenarios of a list of calls in many schedules, and records an issue where no order of the calls
/// explains what came of one.
///
/// The threads of a scenario begin in each order, one when nothing of those before it moves any more. Where the code
/// under test has points, one thread at a time is held at one of them until nothing else in the process can go on: at
/// each point that it reaches in that order, for the first three times that it's reached. After that, as long as there
/// is time, two threads at two points. To hold a thread is what any scheduler may do at any time, so no right object
/// can be accused. Code that has no points runs in each order, and once as it comes.
///
/// `TEST_SCHEDULES` sets the seconds for all explorations of a process; with 0 each order runs once, and no thread is
/// held.
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
