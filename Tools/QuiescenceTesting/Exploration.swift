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
/// thread is held.
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

/// How long an exploration searches for schedules.
struct ExplorationBudget {
  /// Processor time of this process; it sleeps for about as long meanwhile.
  let seconds: Double
  /// What is wrong with the setting, as a sentence; nil if it's valid.
  let fault: String?

  /// - Parameters:
  ///   - setting: The environment variable's value; empty if it's unset.
  ///   - seconds: The test's own value.
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
