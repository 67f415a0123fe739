import KataTesting
import Testing

typealias ScheduledJob = PriorityInheritance.Job

extension ScheduledJob {
  /// A job whose steps are written as words: "+bus 3 -bus 1" locks the bus, works for three ticks,
  /// unlocks it, and works for one tick.
  init(_ name: String, _ priority: Int, from start: Int = 0, _ steps: String) {
    self.init(
      name, priority: priority, start: start,
      steps: steps.split(separator: " ").map { word in
        switch word.first {
        case "+": .lock(String(word.dropFirst()))
        case "-": .unlock(String(word.dropFirst()))
        default: .work(Int(word) ?? 1)
        }
      })
  }

  /// The job in words.
  var inWords: String {
    let steps = steps.map { step in
      switch step {
      case .work(let ticks): "work \(ticks)"
      case .lock(let lock): "lock \(lock)"
      case .unlock(let lock): "unlock \(lock)"
      }
    }
    return
      "\(name), priority \(priority), from tick \(start): \(steps.joined(separator: ", "))"
  }
}

/// A trace as one word, a letter for each tick; a dot is an idle tick.
func traceWord(of trace: [String?]) -> String { trace.map { $0 ?? "." }.joined() }

/// The schedule of a trace as a picture, a row for each job, the most urgent on top.
func schedulePicture(_ word: String, of jobs: [ScheduledJob]) -> String {
  jobs.sorted { $0.priority > $1.priority }.map { job in
    let cells = word.map { String($0) == job.name ? "█" : "·" }
    return "    \(job.name)  \(cells.joined())"
  }.joined(separator: "\n")
}

/// Compares a trace with the one that the rules require, and shows both if they differ.
func expectTrace(
  of jobs: [ScheduledJob], inheriting: Bool, _ expected: String, _ sentence: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let trace = try mustReturn("trace(inheriting: \(inheriting))", sourceLocation: sourceLocation) {
    PriorityInheritance(jobs).trace(inheriting: inheriting)
  }
  let actual = traceWord(of: trace)
  guard actual != expected else { return }
  Issue.record(
    """
    \(sentence)

      these jobs:
    \(jobs.map { "    \($0.inWords)" }.joined(separator: "\n"))

      must be done like this, \(inheriting ? "with" : "without") inheritance:
    \(schedulePicture(expected, of: jobs))

      and are done like this:
    \(actual.isEmpty ? "    (no job works)" : schedulePicture(actual, of: jobs))
    """,
    sourceLocation: sourceLocation)
}
