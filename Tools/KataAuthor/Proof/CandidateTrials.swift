import Foundation
import KataKit

/// Judges candidates, several at once, as a learner's answer is judged.
struct CandidateTrials: Sendable {
  /// A wrong answer doesn't need as much time as a right one may take.
  private static let timeoutWithMistakes = 5.0
  /// How often a mistake is judged again that was missed beside other answers; it must be rejected
  /// each time.
  private static let retries = 3
  /// With more mistakes to judge again than these, chance isn't the cause.
  private static let mostToRetry = 20

  private let repository: Repository
  private let timeout: Double
  /// How often each answer is judged.
  ///
  /// If more than once, under load.
  private let repeats: Int
  /// Whether the timelines are recorded.
  private let keepsPictures: Bool
  private let bench: JudgingBench
  /// One while many answers are judged at once.
  private var processesToExplore = 1
  private let say: @Sendable (String) -> Void

  init(
    repository: Repository, timeout: Double, repeats: Int, keepsPictures: Bool = false,
    say: @escaping @Sendable (String) -> Void
  ) throws {
    self.repository = repository
    self.timeout = timeout
    self.repeats = repeats
    self.keepsPictures = keepsPictures
    self.say = say
    bench = try JudgingBench(repository: repository, WorkspaceSnapshot(of: repository))
  }

  /// How many answers are judged at once; wrong ones mostly wait, so there are more than cores.
  private var answersAtOnce: Int {
    (repeats > 1 ? 2 : 4) * ProcessInfo.processInfo.activeProcessorCount
  }

  /// Judges the candidates, and those that pass and need it again under Thread Sanitizer.
  ///
  /// Blocks until it's done.
  func results(of candidates: [Candidate]) throws -> [CandidateResult] {
    repository.removeLeftovers()
    let load =
      repeats > 1 ? BusyCores(count: ProcessInfo.processInfo.activeProcessorCount + 1) : nil
    defer { load?.stop() }
    // While the first are judged, the specs for the others are built.
    let modules = Module.allCases.filter { module in
      candidates.contains { $0.kata.module == module }
    }
    say("Building the specs of \(modules.map(\.rawValue).joined(separator: ", ")) …\n")
    let ahead = BoundedParallelMap(modules, width: 1) { [self] module in
      guard let kata = Catalogue.katas(of: module).first else { return }
      for sanitized in [false, true] { _ = try bench.program(for: kata, sanitized: sanitized) }
    }
    var results = try BoundedParallelMap(candidates, width: answersAtOnce) { [self] in
      try result(of: $0)
    }.outputs()
    _ = try ahead.outputs()
    let missed = results.indices.filter { results[$0].mayHaveMissed }
    if repeats == 1, missed.count <= Self.mostToRetry {
      for index in missed { results[index] = try retry(of: results[index].candidate) }
    }
    return results
  }

  /// Judges a mistake several times more, while nothing else runs.
  ///
  /// Beside other answers, Thread Sanitizer or an exploration may have had too little time.
  private func retry(of candidate: Candidate) throws -> CandidateResult {
    var all = CandidateResult(candidate: candidate)
    all.isOfRetry = true
    var alone = self
    alone.processesToExplore = SpecRunner.processesToExploreAlone
    for _ in 0..<Self.retries {
      let one = try alone.result(of: candidate)
      all.runs += one.runs
      all.sanitized += one.sanitized
      all.problem = all.problem ?? one.problem
    }
    return all
  }

  /// Judges one answer as often as required.
  private func result(of candidate: Candidate) throws -> CandidateResult {
    try repository.withFolderForAnswers { folder in
      let answer = try AnswerSource(to: candidate.kata, text: candidate.text, in: folder)
      var result = CandidateResult(candidate: candidate)
      do {
        try look(at: &result, answer, sanitized: false, in: folder)
        if candidate.needsSanitizer, result.passedEveryTime || candidate.isRace {
          try look(at: &result, answer, sanitized: true, in: folder)
        }
      } catch let error as KataError where !error.isOfMachine {
        // An error with one answer must not discard the results of the others.
        result.problem = "\(error)"
      }
      return result
    }
  }

  /// Compiles an answer and runs its spec as often as required.
  private func look(
    at result: inout CandidateResult, _ answer: AnswerSource, sanitized: Bool, in folder: URL
  ) throws {
    var shown = CandidateResult(candidate: result.candidate)
    switch try bench.compile(
      answer, sanitized: sanitized, in: folder, isAlone: result.candidate.isMutant)
    {
    case .stopped: return
    case .refused(let messages): shown.compilerMessages = messages
    case .built(let compiled):
      shown.runs = try runs(of: compiled, result.candidate, sanitized)
      if !sanitized, result.candidate.only != nil, shown.shortfall != nil {
        // An earlier test may be needed to show it: then the whole spec decides.
        say(
          "  \(result.candidate.kata.name) · \(result.candidate.name): not rejected by the named tests alone\n"
        )
        var candidate = result.candidate
        candidate.only = nil
        shown.runs = try runs(of: compiled, candidate, sanitized)
      }
    }
    say("  \(shown.progressLine(sanitized: sanitized))\n")
    if sanitized { result.sanitized = shown.runs } else { result.runs = shown.runs }
    result.compilerMessages += shown.compilerMessages
  }

  private func runs(
    of compiled: CompiledAnswer, _ candidate: Candidate, _ sanitized: Bool
  ) throws -> [SpecRun] {
    let options = options(for: candidate, sanitized)
    return try BoundedParallelMap(Array(0..<repeats), width: 4) { number in
      var options = options
      switch number % 4 {
      case 1:
        options.environment = ProcessInfo.processInfo.environment
          .merging(SoakCondition.delayed) { $1 }
      case 3 where !candidate.needsCores: options.launcher = Toolchain.pinning ?? []
      default: break
      }
      return try compiled.run(options)
    }.outputs()
  }

  private func options(for candidate: Candidate, _ isSanitized: Bool) -> SpecRunner.Options {
    var options = SpecRunner.Options(
      timeout: candidate.isRight ? timeout : min(timeout, Self.timeoutWithMistakes))
    if isSanitized {
      options.timeout *= Judge.sanitizedSlowdown
      options.only = candidate.sanitizedTests
    }
    if !isSanitized { options.only = candidate.only }
    options.processesToExplore = processesToExplore
    // On a busy machine another test may reject it first.
    if case .mistake(let mistake) = candidate.role { options.exploresAnyway = mistake.rejectedBy }
    // It doesn't matter which tests reject a mutant.
    options.goesOnAfterHang = !candidate.isMutant
    // Pictures need threads that aren't slowed down, by the sanitizer or by a load.
    options.keepsPictures = keepsPictures && !isSanitized
    return options
  }
}
