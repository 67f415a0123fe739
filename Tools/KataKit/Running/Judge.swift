import Foundation
import Synchronization

/// Compiles an answer, runs its spec, looks for races, and says what came of it.
///
/// The one way to a verdict: for learners, reports, submissions and the proof.
package struct Judge: Sendable {
  /// What a judge tells while it works.
  package enum Event: Sendable {
    case building
    case testing
    /// The first test that failed, the moment it has.
    case failed(TestReport)
    case checkingForRaces
  }

  /// How long specs wait while a person waits, in seconds, unless `TEST_PATIENCE` says otherwise.
  package static let defaultPatience = 2.0
  /// Thread Sanitizer makes everything slower by up to this factor.
  package static let sanitizedSlowdown = 4.0

  let repository: Repository
  let patience: Double

  package init(repository: Repository, patience: Double) {
    self.repository = repository
    self.patience = patience
  }

  /// `TEST_PATIENCE` in seconds, or nil where it is unset.
  package static func patienceFromEnvironment() throws -> Double? {
    guard let text = ProcessInfo.processInfo.environment["TEST_PATIENCE"], !text.isEmpty else {
      return nil
    }
    guard let seconds = Double(text), seconds.isFinite, seconds > 0 else {
      throw KataError(
        "TEST_PATIENCE is '\(text)'; give a number of seconds, such as TEST_PATIENCE=5.", .usage)
    }
    return seconds
  }

  // MARK: - A learner's answer

  /// Judges the learner's answer to `kata`.
  ///
  /// Blocks; nil where `stop` ended it before a verdict.
  package func judge(
    _ kata: Kata, stop: CancellationFlag = CancellationFlag(), onEvent: (Event) -> Void = { _ in }
  ) throws -> Verdict? {
    let path = repository.learnerPath(of: kata)
    let text = try learnersText(path, kata)
    let isStub = try text == repository.text(repository.stubPath(of: kata))
    onEvent(.building)
    let snapshot = WorkspaceSnapshot(of: repository)
    BuiltAnswer.removeLeftovers(in: repository)
    let answer = StagedAnswer(learnersAnswerTo: kata, in: repository)
    let bench = try JudgingBench(repository: repository, snapshot)
    func attempt(
      sanitized: Bool, onFailure: (TestReport) -> Void = { _ in }
    ) throws -> Attempt {
      try bench.attempt(answer, sanitized: sanitized, stop: stop) { built in
        if !sanitized { onEvent(.testing) }
        var options = SpecRunner.Options(patience: patience)
        if sanitized { options.patience *= Self.sanitizedSlowdown }
        let protected = ProtectedFiles(of: kata, in: repository, snapshot)
        defer { protected.leave() }
        return try ProcessRegistry.withTerminationCleanup({ protected.leave() }) {
          let run = try built.run(options, stop: stop, onFailure: onFailure)
          return (run, protected.compare())
        }
      }
    }
    var verdict: Verdict
    switch try attempt(sanitized: false, onFailure: { onEvent(.failed($0)) }) {
    case .stopped: return nil
    case .refused(let messages): return try refusal(of: kata, messages)
    case .ran(let run, let changes): verdict = Self.verdict(kata, run).taking(changes)
    }
    if isStub { verdict.kind = .notStarted }
    if verdict.kind == .passed {
      onEvent(.checkingForRaces)
      switch try attempt(sanitized: true) {
      case .stopped: return nil
      case .refused: return verdict.noting("Thread Sanitizer couldn't be built in.")
      case .ran(let run, let changes):
        verdict = Self.verdict(verdict, afterSanitizing: run).taking(changes)
      }
    }
    return Diagnosis(kata, in: repository).named(verdict)
  }

  /// The text of the learner's file, which is never in danger, whatever is wrong with it.
  private func learnersText(_ path: String, _ kata: Kata) throws -> String {
    guard repository.exists(path) else {
      throw KataError(
        "\(path) is gone; 'make reset KATA=\(kata.name)' brings it back.", .notDone)
    }
    guard let data = FileManager.default.contents(atPath: repository.url(path).path) else {
      throw KataError("\(path) can't be read; check that the file is yours.", .environment)
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw KataError(
        "\(path) isn't UTF-8 text; save it as UTF-8 in your editor. Nothing in it was changed.",
        .notDone)
    }
    return text
  }

  /// Builds ahead what a pass will want: the specs with Thread Sanitizer built in.
  ///
  /// For the time in which a person reads a verdict that isn't `passed`. Yields to everything else that
  /// runs. Blocks until all is built or `stop` asks for the end; what goes wrong is left for
  /// ``judge(_:stop:onEvent:)`` to say.
  ///
  /// - Returns: Whether all is built.
  @discardableResult
  package func prepareSanitizer(for kata: Kata, stop: CancellationFlag) -> Bool {
    let program = try? SpecBuild(repository: repository, toolchain: Toolchain(for: repository))
      .program(
        of: kata.module, sanitized: true, WorkspaceSnapshot(of: repository), isUnhurried: true,
        stop: stop)
    return program != nil
  }

  // MARK: - Verdicts

  /// The verdict of a run of the spec, before races are looked for.
  package static func verdict(_ kata: Kata, _ run: SpecRun) -> Verdict {
    var verdict = Verdict(kata, .passed)
    verdict.tests = run.tests
    verdict.kind =
      switch run.firstFailure?.status {
      case .failed: .failed
      case .hung: .hung
      case .crashed: .crashed
      // A run without a test proves nothing.
      case .passed, .notReached, nil: run.passed ? .passed : .crashed
      }
    return verdict
  }

  /// The verdict once the same spec has run under Thread Sanitizer.
  package static func verdict(_ verdict: Verdict, afterSanitizing run: SpecRun) -> Verdict {
    var verdict = verdict
    if let race = RaceReport.mostTelling(of: run.races) {
      verdict.kind = .race
      verdict.race = race
    } else if run.tests.allSatisfy({ $0.id.isEmpty }) {
      // It came to no test: with the same spec behind it, that isn't the answer's doing.
      verdict.notes.append(
        "Thread Sanitizer doesn't run on this machine; races weren't looked for.")
    } else if !run.passed {
      verdict.kind = Self.kind(of: run.firstFailure?.status)
      verdict.tests = run.tests
      verdict.notes.append(
        """
        This happened only with Thread Sanitizer watching; without it the spec passes. With it all \
        threads are several times slower, and take turns in another order.
        """)
    }
    return verdict
  }

  package static func kind(of status: TestReport.Status?) -> Verdict.Kind {
    switch status {
    case .hung: .hung
    case .crashed: .crashed
    default: .failed
    }
  }

  /// The compiler's messages, told by whose file they are in.
  private func refusal(of kata: Kata, _ messages: [CompilerMessage]) throws -> Verdict {
    let verdict = Verdict(
      kata, refusedWith: messages, file: repository.url(repository.learnerPath(of: kata)).path)
    if verdict.notes.isEmpty { return verdict }
    let room = repository.url("Katas").path + "/"
    if let path = messages.first(where: { $0.file.hasPrefix(room) }).map({
      repository.short($0.file)
    }) {
      throw KataError(
        "\(path) doesn't compile, and \(kata.name) is built with it; mend it, or remove it.",
        .notDone)
    }
    return verdict
  }
}

/// What came of compiling an answer and running its spec.
package enum Attempt {
  case stopped
  case refused([CompilerMessage])
  /// The run, and what it did to things around it.
  case ran(SpecRun, ProtectedFiles.Changes)
}

/// Where answers are compiled and run: a clone, a toolchain, and how the sources are right now.
package final class JudgingBench: Sendable {
  private struct Key: Hashable {
    let module: Module
    let sanitized: Bool
  }

  package let build: SpecBuild
  private let snapshot: WorkspaceSnapshot
  private let programs = Mutex<[Key: SpecProgram]>([:])

  package init(repository: Repository, _ snapshot: WorkspaceSnapshot) throws {
    build = SpecBuild(repository: repository, toolchain: try Toolchain(for: repository))
    self.snapshot = snapshot
  }

  /// The program of a module's specs, as the sources are; nil where `stop` asked for the end.
  package func program(
    of module: Module, sanitized: Bool, stop: CancellationFlag = CancellationFlag()
  ) throws -> SpecProgram? {
    let key = Key(module: module, sanitized: sanitized)
    if let known = programs.withLock({ $0[key] }) { return known }
    let program = try build.program(of: module, sanitized: sanitized, snapshot, stop: stop)
    programs.withLock { $0[key] = program }
    return program
  }

  /// Compiles an answer, and has it run where that succeeds.
  package func attempt(
    _ answer: StagedAnswer, sanitized: Bool, stop: CancellationFlag = CancellationFlag(),
    run: (BuiltAnswer) throws -> (SpecRun, ProtectedFiles.Changes)
  ) throws -> Attempt {
    let outcome: SpecBuild.Outcome<BuiltAnswer>
    do {
      guard let program = try program(of: answer.kata.module, sanitized: sanitized, stop: stop)
      else { return .stopped }
      outcome = try BuiltAnswer.make(answer, for: program, build, stop: stop)
    } catch {
      try checkDisk()
      throw error
    }
    switch outcome {
    case .stopped: return .stopped
    case .refused(let messages):
      try checkDisk()
      return .refused(messages)
    case .built(let built):
      defer { built.remove() }
      return try ProcessRegistry.withTerminationCleanup({ built.remove() }) {
        let (run, changes) = try run(built)
        return run.wasStopped ? .stopped : .ran(run, changes)
      }
    }
  }

  /// Tells a full disk from whatever a compiler makes of it.
  private func checkDisk() throws {
    let repository = build.repository
    let folder = [SpecBuild.folder, ".build", "."].first(where: repository.exists) ?? "."
    if DiskSpace.isShort(of: DiskSpace.neededByBuild, in: repository.url(folder))
      || DiskSpace.isShort(
        of: DiskSpace.neededByRun, in: FileManager.default.temporaryDirectory)
    {
      throw KataError.diskFull
    }
  }
}

extension Verdict {
  /// The verdict on an answer that the compiler refuses: by what it says of the answer's own file, or
  /// with a note where it says it of others.
  package init(_ kata: Kata, refusedWith messages: [CompilerMessage], file: String) {
    self.init(kata, .doesNotCompile)
    compilerMessages = messages.filter { $0.file == file }
    guard compilerMessages.isEmpty else { return }
    compilerMessages = messages
    notes.append(
      """
      The error isn't in your file but where the spec uses it: a public name or type of \
      Katas/\(kata.file) isn't what the stub had.
      """)
  }

  fileprivate func noting(_ note: String) -> Verdict {
    var noted = self
    noted.notes.append(note)
    return noted
  }
}
