import KataKit

/// The results of one answer's runs.
struct CandidateResult: Sendable {
  let candidate: Candidate
  /// The runs of the spec.
  var runs: [SpecRun] = []
  /// The runs under Thread Sanitizer, if any.
  var sanitized: [SpecRun] = []
  /// Whether the runs are those of a retry, alone.
  var isOfRetry = false
  /// The compiler's errors, if it refused the answer.
  var compilerMessages: [CompilerMessage] = []
  /// Why it couldn't be judged, in a sentence.
  var problem: String?

  init(candidate: Candidate) {
    self.candidate = candidate
  }

  var passedEveryTime: Bool { !runs.isEmpty && runs.allSatisfy(\.passed) }

  /// The verdict of one run.
  private func kind(of run: SpecRun) -> Verdict.Kind {
    Judge.verdict(candidate.kata, run).kind
  }

  /// The tests that failed in any run.
  var failingTests: Set<String> {
    Set(
      runs.flatMap(\.tests).failing.map(\.name))
  }

  /// The tests of the spec, in order.
  var tests: [String] { runs.first?.tests.map(\.name) ?? [] }

  /// Why the answer didn't get the verdict that it must get; nil if it did.
  var shortfall: String? {
    if let problem { return problem }
    if let message = compilerMessages.first {
      if case .mistake(let mistake) = candidate.role, mistake.verdict == .doesNotCompile {
        return nil
      }
      return "it doesn't compile: \(message.file):\(message.line): \(message.message)"
    }
    switch candidate.role {
    case .reference, .rightAnswer: return shortfallOfRightAnswer
    case .stub: return shortfallOfStub
    case .mistake(let mistake): return shortfall(of: mistake)
    case .equivalent: return shortfallOfEquivalent
    case .transplant, .mutant: return nil
    }
  }

  /// Whether it's a mistake that a busy machine may have let pass.
  var mayHaveMissed: Bool {
    guard case .mistake = candidate.role, problem == nil, compilerMessages.isEmpty else {
      return false
    }
    return shortfall != nil
  }

  private var shortfallOfEquivalent: String? {
    shortfallOfRightAnswer.map {
      "it's listed as equivalent: remove it from the list if a test rightly fails it. \($0)"
    }
  }

  private var shortfallOfRightAnswer: String? {
    for run in runs + sanitized {
      if let test = run.firstFailure {
        let said = test.crash ?? test.issues.first?.sentence ?? "no progress"
        return "\(count { !$0.passed }) was accused; '\(test.name)': \(said)"
      }
      if !run.passed { return "not every test ran" }
    }
    let races = sanitized.count { !$0.races.isEmpty }
    return races == 0
      ? nil : "Thread Sanitizer reports a race in \(races) of \(sanitized.count) runs"
  }

  private var shortfallOfStub: String? {
    let kinds = Set(runs.map(kind))
    return kinds == [.failed]
      ? nil : "a stub must fail an expectation, but it \(Self.list(kinds))"
  }

  private func shortfall(of mistake: Mistake) -> String? {
    if mistake.verdict == .race {
      // A schedule that shows it every time proves as much as Thread Sanitizer does.
      let isShown = runs.allSatisfy { run in
        kind(of: run) == .race
          && Set(mistake.rejectedBy).isSubset(of: run.tests.failing.map(\.name))
      }
      if isShown { return nil }
      guard runs.contains(where: \.passedAsItCame) else {
        return """
          without the sanitizer the spec \(Self.list(Set(runs.map(kind)))) in every run, so its verdict \
          isn't 'race'
          """
      }
      let told = sanitized.count { !$0.races.isEmpty }
      return told == sanitized.count
        ? nil
        : """
        Thread Sanitizer reported its race in \(told) of \(sanitized.count) runs; in the others the spec \
        \(Self.list(Set(sanitized.filter(\.races.isEmpty).map(kind))))
        """
    }
    let escaped = runs.count { run in
      kind(of: run) != mistake.verdict
        || !Set(mistake.rejectedBy).isSubset(
          of: run.tests.failing.map(\.name))
    }
    guard escaped > 0 else { return nil }
    let expected = mistake.rejectedBy.map { "'\($0)'" }.joined(separator: ", ")
    return """
      \(escaped) of \(runs.count) runs differ: expected \(mistake.verdict.rawValue) by \(expected); \
      it \(Self.list(Set(runs.map(kind)))) by \
      \(failingTests.sorted().map { "'\($0)'" }.joined(separator: ", "))
      """
  }

  private func count(_ condition: (SpecRun) -> Bool) -> String {
    "\((runs + sanitized).count(where: condition)) of \((runs + sanitized).count) runs"
  }

  private static func list(_ kinds: Set<Verdict.Kind>) -> String {
    kinds.map(\.rawValue).sorted().joined(separator: " or ")
  }

  /// A line of progress.
  func progressLine(sanitized isSanitized: Bool) -> String {
    let verdicts: String
    if !compilerMessages.isEmpty {
      verdicts = VerdictText.words(for: .doesNotCompile)
    } else if isSanitized {
      let races = runs.count { !$0.races.isEmpty }
      verdicts = races == 0 ? "no race" : "race (\(races) of \(runs.count))"
    } else {
      let isOnlyRacy =
        candidate.isRace || (candidate.isMutant && candidate.needsSanitizer)
      verdicts = Self.list(Set(runs.map(kind))) + (isOnlyRacy ? " without the sanitizer" : "")
    }
    return "\(candidate.kata.name) · \(candidate.name): \(verdicts)"
  }
}

/// Adds up results.
struct ProofSummary {
  let report: ProofReport

  /// Adds up the results of `katas`; `contracts` are theirs, by name.
  ///
  /// For tests that weren't run on a mistake, the rejections in `believed` count.
  init(
    katas: [Kata], results: [CandidateResult], contracts: [String: Contract] = [:],
    believed: PatternBook = PatternBook()
  ) {
    var report = ProofReport()
    report.katas = katas.count
    var rejecting: [String: Set<String>] = [:]
    var rejected: [String: Set<String>] = [:]
    var tests: [String: [String]] = [:]
    for result in results {
      let kata = result.candidate.kata.name
      let shortfall = result.shortfall
      if let shortfall {
        report.fellShort.append("\(kata), \(result.candidate.name): \(shortfall)")
      }
      let holds = shortfall == nil
      if result.candidate.isRight {
        report.schedules += result.runs.compactMap(\.schedules).reduce(0, +)
      }
      switch result.candidate.role {
      case .reference:
        tests[kata] = result.tests
        if holds { report.referencesPassed += 1 }
      case .stub:
        rejecting[kata, default: []].formUnion(result.failingTests)
        if holds { report.stubsRejected += 1 }
      case .rightAnswer:
        report.rightAnswers += 1
        if holds { report.rightAnswersPassed += 1 }
      case .mistake(let mistake):
        report.mistakes += 1
        let isRace = mistake.verdict == .race
        if holds {
          report.mistakesRejected += 1
          rejected[kata, default: []].insert(mistake.name)
          if result.isOfRetry { report.rejectedAtRetry += 1 }
        }
        let failing = isRace && holds ? Set(mistake.rejectedBy) : result.failingTests
        rejecting[kata, default: []].formUnion(failing)
        if holds, let pattern = believed.pattern(of: mistake.name, in: kata) {
          rejecting[kata, default: []].formUnion(pattern.tests)
        }
        report.patterns[kata, default: [:]][mistake.name] = failing.sorted()
      case .equivalent: report.equivalents += 1
      case .transplant, .mutant: break
      }
    }
    for kata in katas {
      if let contract = contracts[kata.name] {
        report.note(contract, of: kata, rejected: rejected[kata.name] ?? [])
      }
      for test in tests[kata.name] ?? [] where rejecting[kata.name]?.contains(test) != true {
        report.idleTests += 1
        report.fellShort.append("\(kata.name): no answer fails the test '\(test)'")
      }
    }
    self.report = report
  }
}
