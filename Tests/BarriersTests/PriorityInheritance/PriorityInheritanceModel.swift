import KataTesting

/// The rules once more, written out at length: every job is an object that examines the others.
private final class ModelJob {
  let name: String
  let priority: Int
  let start: Int
  /// The remaining steps, with each tick of work as a step of its own.
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

  /// The job itself, and all jobs that wait for it directly or through others.
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

/// Jobs whose trace differs from the model's, as few as possible.
struct WrongTrace: Sendable {
  let jobs: [ScheduledJob]
  let inheriting: Bool
  let expected: String
}

/// Compares the answer with the model, list by list; the lists are the same in every run.
final class JobTrial: Sendable, OpaqueMirror {
  /// What a job may do; some acquire two locks in one order, some in the other.
  private static let programs = [
    "3", "+a 2 -a 1", "1 +a 1 -a", "+b 3 -b", "+a 1 +b 1 -b 1 -a", "+b 1 +a 2 -b 1 -a 1",
    "+c 1 +a 1 -a -c", "+b 1 +c 1 -c 1 -b", "+d 1 +c 1 -c -d", "+d 1 -d",
  ]

  private let dice = LockedValue(SplitMix64(seed: 1997))
  private let asked = LockedValue<(jobs: [ScheduledJob], inheriting: Bool)>(([], false))

  /// The last list that the answer was given, in words.
  var question: String {
    let (jobs, inheriting) = asked.value
    let lines = jobs.map { "  \($0.inWords)" }.joined(separator: "\n")
    return "\(inheriting ? "With" : "Without") inheritance, these jobs:\n\(lines)"
  }

  /// The first wrong trace among those of the next `lists` lists.
  func firstWrong(among lists: Int) -> WrongTrace? {
    for _ in 0..<lists {
      let jobs = dice.withLock { Self.jobs(using: &$0) }
      for inheriting in [false, true] {
        if let wrong = wrongTrace(of: jobs, inheriting: inheriting) { return shortened(wrong) }
      }
    }
    return nil
  }

  /// Makes up a list of jobs at random.
  private static func jobs(using dice: inout SplitMix64) -> [ScheduledJob] {
    ["A", "B", "C", "D", "E", "F"].prefix(.random(in: 3...6, using: &dice)).map { name in
      ScheduledJob(
        name, .random(in: -3...3, using: &dice), from: .random(in: 0...5, using: &dice),
        programs.randomElement(using: &dice) ?? "")
    }
  }

  /// Compares the answer with the model; nil if they agree.
  private func wrongTrace(of jobs: [ScheduledJob], inheriting: Bool) -> WrongTrace? {
    asked.set((jobs, inheriting))
    let actual = PriorityInheritance(jobs).trace(inheriting: inheriting)
    let expected = traceWord(of: modelTrace(of: jobs, inheriting: inheriting))
    if traceWord(of: actual) == expected { return nil }
    return WrongTrace(jobs: jobs, inheriting: inheriting, expected: expected)
  }

  /// Leaves out jobs as long as the trace stays wrong.
  private func shortened(_ wrong: WrongTrace) -> WrongTrace {
    for index in wrong.jobs.indices {
      var fewer = wrong.jobs
      fewer.remove(at: index)
      if let less = wrongTrace(of: fewer, inheriting: wrong.inheriting) { return shortened(less) }
    }
    return wrong
  }
}
