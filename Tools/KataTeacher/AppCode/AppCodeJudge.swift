import Foundation
import KataKit

/// The result of judging code from an app.
package struct AppCodeVerdict: Sendable {
  package var verdict: Verdict
  /// What the spec uses and the code lacks, in lines; nil if the two fit, or if the code itself
  /// doesn't compile.
  package var gap: String?
  /// The tests that ask for more than `Operation` does, by name.
  let beyondOperation: Set<String>

  init(_ verdict: Verdict, on kata: Kata) {
    self.verdict = verdict
    beyondOperation = Set(kata.beyondOperation.map(\.test))
    // What only the kata asks for doesn't matter while something else is broken.
    if let failure = contractFailure, failure.status != .notReached,
      failure.id != verdict.firstFailure?.id
    {
      self.verdict.kind = Judge.kind(of: failure.status)
    }
  }

  /// The first test that isn't passed and asks for no more than `Operation` does.
  package var contractFailure: TestReport? {
    verdict.tests.first { $0.status != .passed && !beyondOperation.contains($0.name) }
  }

  /// Whether the code keeps the contract of `Operation`, and breaks what only the kata asks for.
  package var keepsContract: Bool {
    [.failed, .hung, .crashed].contains(verdict.kind) && !verdict.tests.isEmpty
      && contractFailure == nil
  }

  var exitCode: ExitCode {
    keepsContract ? .keepsContract : ExitCode([verdict.kind])
  }
}

/// Judges code from an app by the spec of a kata.
package struct AppCodeJudge: Sendable {
  let repository: Repository
  let timeout: Double

  package init(repository: Repository, timeout: Double) {
    self.repository = repository
    self.timeout = timeout
  }

  /// Judges `code`; nothing in the clone changes, and no progress is recorded.
  ///
  /// Blocks until there is a verdict. All tests run, also after one that hangs. Thread Sanitizer
  /// checks code that passes, or that breaks only what the kata adds.
  package func judge(_ code: AppCode, onEvent: (Judge.Event) -> Void = { _ in }) throws
    -> AppCodeVerdict
  {
    repository.removeLeftovers()
    return try repository.withFolderForAnswers { folder in
      onEvent(.building)
      let build = try AppCodeBuild(repository, folder)
      let run: SpecRun
      switch try self.run(code, build, sanitized: false) {
      case .built(let built): run = built
      case .refused(let messages): return try refusal(of: code, messages, build)
      case .stopped: throw KataError("The build was stopped.", .notDone)
      }
      var verdict = AppCodeVerdict(Judge.verdict(code.kata, run), on: code.kata)
      if verdict.verdict.kind == .passed || verdict.keepsContract {
        onEvent(.checkingForRaces)
        let passed = verdict.verdict.tests.filter { $0.status == .passed }.map(\.name)
        if case .built(let run) = try self.run(code, build, sanitized: true, only: passed) {
          verdict.verdict = Judge.verdict(verdict.verdict, afterSanitizing: run)
        } else {
          verdict.verdict = verdict.verdict.withoutRaces(
            because: "The specs couldn't be built with it.")
        }
      }
      verdict.verdict = Diagnosis(code.kata, in: repository).named(verdict.verdict)
      return verdict
    }
  }

  /// Separates the compiler's errors in the code from those in the spec.
  private func refusal(
    of code: AppCode, _ messages: [CompilerMessage], _ build: AppCodeBuild
  ) throws -> AppCodeVerdict {
    var verdict = AppCodeVerdict(Verdict(code.kata, .doesNotCompile), on: code.kata)
    let own = Set(code.sources.map(\.path))
    verdict.verdict.compilerMessages = messages.filter { own.contains($0.file) }
    guard verdict.verdict.compilerMessages.isEmpty else { return verdict }
    guard code.scenario == nil else {
      verdict.verdict.compilerMessages = messages
      return verdict
    }
    let gap = InterfaceGap(
      between: try build.declarations(of: code),
      and: try build.declarationsOfStub(of: code.kata), of: code.kata,
      stub: try repository.text(repository.stubPath(of: code.kata)))
    verdict.gap = gap.text
    // If all names exist, only the compiler knows what is wrong.
    if gap.missing.isEmpty, gap.obstacles.isEmpty { verdict.verdict.compilerMessages = messages }
    return verdict
  }

  private func run(
    _ code: AppCode, _ build: AppCodeBuild, sanitized: Bool, only: [String]? = nil
  ) throws -> BuildOutcome<SpecRun> {
    try build.runner(for: code, sanitized: sanitized).then { runner in
      var options = SpecRunner.Options(timeout: timeout)
      options.processesToExplore = SpecRunner.processesToExploreAlone
      if sanitized { options.timeout *= Judge.sanitizedSlowdown }
      options.goesOnAfterHang = true
      if let scenario = code.scenario {
        // The program contains no other tests.
        options.suite = "\(code.kata.module.rawValue)Tests"
        options.filesOfSchedules = scenario.lastPathComponent
      } else {
        options.only = only
      }
      var run = try runner.run(code.kata, options)
      if let scenario = code.scenario {
        // A test reports its line in the copy, which has one line more.
        for index in run.tests.indices where run.tests[index].file != nil {
          run.tests[index].file = scenario.path
          run.tests[index].line -= 1
        }
      }
      return .built(run)
    }
  }
}
