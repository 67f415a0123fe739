import Foundation
import KataTesting
import Testing

typealias ScheduledJob = PriorityInheritance.Job

extension ScheduledJob {
  /// A job whose steps are written as words: "+bus 3 -bus 1" locks the bus, works for three ticks,
  /// unlocks it, and works for one.
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

/// A trace as one word, a letter a tick; a dot is an idle one.
func traceWord(of trace: [String?]) -> String { trace.map { $0 ?? "." }.joined() }

/// The schedule of a trace as a picture, one row a job, the most urgent on top.
func schedulePicture(_ word: String, of jobs: [ScheduledJob]) -> String {
  jobs.sorted { $0.priority > $1.priority }.map { job in
    let cells = word.map { String($0) == job.name ? "█" : "·" }
    return "    \(job.name)  \(cells.joined())"
  }.joined(separator: "\n")
}

/// Compares a trace with the one that must come of the rules, and shows both where they differ.
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
    \(actual.isEmpty ? "    (nobody works)" : schedulePicture(actual, of: jobs))
    """,
    sourceLocation: sourceLocation)
}

// MARK: - The model

/// The rules once more, written the long way: every job is an object that looks at the others.
private final class ModelJob {
  let name: String
  let priority: Int
  let start: Int
  /// What is left, ticks of work one by one.
  var steps: [PriorityInheritance.Step]
  var has: Set<String> = []
  var waitsFor: String?

  init(_ job: ScheduledJob) {
    name = job.name
    priority = job.priority
    start = job.start
    steps = job.steps.flatMap { step -> [PriorityInheritance.Step] in
      if case .work(let ticks) = step { Array(repeating: .work(1), count: ticks) } else { [step] }
    }
  }

  /// All who wait for this job, or for one who does, itself included.
  func followers(among all: [ModelJob]) -> [ModelJob] {
    var followers = [self]
    while let more = all.first(where: { job in
      guard let lock = job.waitsFor else { return false }
      return !followers.contains { $0 === job } && followers.contains { $0.has.contains(lock) }
    }) {
      followers.append(more)
    }
    return followers
  }
}

private func modelTrace(of jobs: [ScheduledJob], inheriting: Bool) -> [String?] {
  let all = jobs.map { ModelJob($0) }
  var trace: [String?] = []
  func first(of some: [ModelJob]) -> ModelJob? {
    let ranked = some.map { job in
      (job, inheriting ? job.followers(among: all).map(\.priority).max() ?? 0 : job.priority)
    }
    let highest = ranked.map(\.1).max()
    return ranked.first { $0.1 == highest }?.0
  }
  while true {
    let left = all.filter { !$0.steps.isEmpty }
    let ready = left.filter { $0.start <= trace.count && $0.waitsFor == nil }
    guard let job = first(of: ready) else {
      guard left.contains(where: { $0.start > trace.count }) else { return trace }
      trace.append(nil)
      continue
    }
    let step = job.steps[0]
    switch step {
    case .work: trace.append(job.name)
    case .lock(let lock):
      if all.contains(where: { $0.has.contains(lock) }) {
        job.waitsFor = lock
        continue
      }
      job.has.insert(lock)
    case .unlock(let lock):
      job.has.remove(lock)
      if let heir = first(of: all.filter { $0.waitsFor == lock }) {
        heir.waitsFor = nil
        heir.has.insert(lock)
        heir.steps.removeFirst()
      }
    }
    job.steps.removeFirst()
  }
}

// MARK: - Jobs that are made up

/// Jobs whose trace isn't the model's, as few as will do.
struct WrongTrace: Sendable {
  var jobs: [ScheduledJob]
  let inheriting: Bool
  let expected: String

  /// Leaves out jobs, as long as the trace stays wrong.
  fileprivate func shortened(in trial: JobTrial) -> WrongTrace {
    for index in jobs.indices {
      var fewer = jobs
      fewer.remove(at: index)
      if let wrong = trial.wrongTrace(of: fewer, inheriting: inheriting) {
        return wrong.shortened(in: trial)
      }
    }
    return self
  }
}

/// Compares the answer with the model, list by list; the lists are the same in every run.
final class JobTrial: Sendable, OpaqueMirror {
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var dice = JobDice()
  // Safe: as above.
  private nonisolated(unsafe) var asked: (jobs: [ScheduledJob], inheriting: Bool)?

  /// What the answer was asked last, in words.
  var question: String {
    guard let asked = lock.withLock({ asked }) else { return "Nothing was asked yet." }
    let jobs = asked.jobs.map { "  \($0.inWords)" }.joined(separator: "\n")
    return "\(asked.inheriting ? "With" : "Without") inheritance, these jobs:\n\(jobs)"
  }

  /// The first one that is wrong among the next so many lists.
  func firstWrong(among lists: Int) -> WrongTrace? {
    for _ in 0..<lists {
      let jobs = lock.withLock { dice.jobs() }
      for inheriting in [false, true] {
        if let wrong = wrongTrace(of: jobs, inheriting: inheriting) {
          return wrong.shortened(in: self)
        }
      }
    }
    return nil
  }

  /// Compares the answer with the model; nil where they agree.
  fileprivate func wrongTrace(of jobs: [ScheduledJob], inheriting: Bool) -> WrongTrace? {
    lock.withLock { asked = (jobs, inheriting) }
    let actual = PriorityInheritance(jobs).trace(inheriting: inheriting)
    let expected = traceWord(of: modelTrace(of: jobs, inheriting: inheriting))
    if traceWord(of: actual) == expected { return nil }
    return WrongTrace(jobs: jobs, inheriting: inheriting, expected: expected)
  }
}

/// Makes up jobs.
private struct JobDice {
  /// What a job may do; some take two locks in one order, some in the other.
  private static let programs = [
    "3", "+a 2 -a 1", "1 +a 1 -a", "+b 3 -b", "+a 1 +b 1 -b 1 -a", "+b 1 +a 2 -b 1 -a 1",
    "+c 1 +a 1 -a -c", "+b 1 +c 1 -c 1 -b", "+d 1 +c 1 -c -d", "+d 1 -d",
  ]

  private var state: UInt64 = 1997

  mutating func jobs() -> [ScheduledJob] {
    ["A", "B", "C", "D", "E", "F"].prefix(3 + next(4)).map { name in
      ScheduledJob(
        name, next(7) - 3, from: next(6), Self.programs[next(Self.programs.count)])
    }
  }

  /// A number below `limit`.
  ///
  /// Source: Knuth's linear congruential generator, of which the high bits are good enough here.
  private mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}
