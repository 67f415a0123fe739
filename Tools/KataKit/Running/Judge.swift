import Foundation

/// Compiles an answer, runs its spec, checks it for races, and returns the verdict.
///
/// Every verdict is reached this way: for learners, reports, submissions and the proof.
package struct Judge: Sendable {
  /// What a judge reports while it works.
  package enum Event: Sendable {
    case building
    case testing
    case news(SpecNews)
    case checkingForRaces
  }

  /// The specs' timeout in seconds while a learner waits for the verdict, unless `TEST_TIMEOUT` is
  /// set.
  package static let defaultTimeout = 2.0
  /// Thread Sanitizer makes everything slower by up to this factor.
  package static let sanitizedSlowdown = 4.0

  let repository: Repository
  let timeout: Double
  /// The chosen way to a verdict; nil for the fast one, or the plain one if that is refused.
  let way: JudgingWay?

  package init(repository: Repository, timeout: Double, way: JudgingWay? = nil) {
    self.repository = repository
    self.timeout = timeout
    self.way = way
  }

  /// `TEST_TIMEOUT` in seconds, or nil if it's unset.
  package static func timeoutFromEnvironment() throws -> Double? {
    guard let text = ProcessInfo.processInfo.environment["TEST_TIMEOUT"], !text.isEmpty else {
      return nil
    }
    guard let seconds = Double(text), seconds.isFinite, seconds > 0 else {
      throw KataError(
        "TEST_TIMEOUT is '\(text)'; give a number of seconds, such as TEST_TIMEOUT=5.", .usage)
    }
    return seconds
  }

  // MARK: - A learner's answer

  /// Judges the learner's answer to `kata`.
  ///
  /// Blocks; returns nil if `stop` was set before a verdict.
  package func judge(
    _ kata: Kata, stop: CancellationFlag = CancellationFlag(), onEvent: (Event) -> Void = { _ in }
  ) throws -> Verdict? {
    let path = repository.learnerPath(of: kata)
    let text = try learnersText(path, kata)
    let isStub = try text == repository.text(repository.stubPath(of: kata))
    onEvent(.building)
    let snapshot = WorkspaceSnapshot(of: repository)
    repository.removeLeftovers()
    return try repository.withFolderForAnswers { folder in
      var attempts = LearnersAttempts(judge: self, kata, snapshot, in: folder)
      var verdict: Verdict
      switch try attempts.attempt(sanitized: false, stop: stop, onEvent: onEvent) {
      case .stopped: return nil
      case .refused(let messages): return try refusal(of: kata, messages).noting(attempts.note)
      case .built(let run): verdict = Self.verdict(kata, run).noting(attempts.note)
      }
      if isStub { verdict.kind = .notStarted }
      if verdict.kind == .passed {
        onEvent(.checkingForRaces)
        do {
          switch try attempts.attempt(sanitized: true, stop: stop, onEvent: { _ in }) {
          case .stopped: return nil
          case .refused:
            verdict = verdict.withoutRaces(because: "The specs couldn't be built with it.")
          case .built(let run): verdict = Self.verdict(verdict, afterSanitizing: run)
          }
        } catch let error as KataError where error.isOfWay {
          verdict = verdict.withoutRaces(because: "\(error)")
        }
      }
      return Diagnosis(kata, in: repository).named(verdict)
    }
  }

  /// The text of the learner's file; the file itself is never changed, whatever is wrong with it.
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

  /// Builds in advance what will be needed next: the kata's specs with Thread Sanitizer, and those
  /// of the rest of its module.
  ///
  /// This is for the time in which the learner reads a verdict that isn't `passed`. It runs at low
  /// priority, and blocks until everything is built or `stop` is set. Errors are left for
  /// ``judge(_:stop:onEvent:)`` to report.
  ///
  /// - Returns: Whether everything is built.
  @discardableResult
  package func prepare(for kata: Kata, stop: CancellationFlag) -> Bool {
    guard way != .plain, FastWayRefusal.known(of: kata.module, in: repository) == nil else {
      return true
    }
    guard let build = try? SpecBuild(repository: repository) else { return false }
    let snapshot = WorkspaceSnapshot(of: repository)
    return [(kata, true), (nil, false), (nil, true)].allSatisfy { one, sanitized in
      let program = try? build.program(
        of: kata.module, for: one, sanitized: sanitized, snapshot, isAtLowPriority: true, stop: stop
      )
      return program != nil
    }
  }

  // MARK: - Verdicts

  /// The verdict of a run of the spec, before the check for races.
  package static func verdict(_ kata: Kata, _ run: SpecRun) -> Verdict {
    var verdict = Verdict(kata, .passed)
    verdict.tests = run.tests
    verdict.schedules = run.schedules
    if run.lacksPoints {
      verdict.notes.append(
        """
        Schedules were tried without holding a thread, since the answer was compiled by 'swift test', or there is no \
        clang; so the answer may still break in a rare schedule.
        """)
    }
    if run.firstFailure?.issues.first?.isRace == true { verdict.race = run.races.first }
    verdict.kind =
      switch run.firstFailure?.status {
      case .failed: verdict.race == nil ? .failed : .race
      case .hung: .hung
      case .crashed: .crashed
      // A run without a test proves nothing.
      case .passed, .notReached, nil: run.passed ? .passed : .crashed
      }
    return verdict.taking(run.changes)
  }

  /// The verdict once the same spec has run under Thread Sanitizer.
  package static func verdict(_ verdict: Verdict, afterSanitizing run: SpecRun) -> Verdict {
    var verdict = verdict
    if let race = RaceReport.mostTelling(of: run.races) {
      verdict.kind = .race
      verdict.race = race
    } else if run.cameToNoTest {
      // The program reached no test. The same spec has passed before, so the answer isn't the
      // cause.
      verdict = verdict.withoutRaces(
        because: run.firstFailure?.crash ?? "The specs' program didn't start.")
    } else if !run.passed {
      verdict.kind = Self.kind(of: run.firstFailure?.status)
      verdict.tests = run.tests
      verdict.notes.append(
        """
        This happened only with Thread Sanitizer watching; without it the spec passes. With it all \
        threads are several times slower, and take turns in another order.
        """)
    }
    return verdict.taking(run.changes)
  }

  package static func kind(of status: TestReport.Status?) -> Verdict.Kind {
    switch status {
    case .hung: .hung
    case .crashed: .crashed
    default: .failed
    }
  }

  /// The verdict for compiler errors, which depends on whose file they are in.
  private func refusal(of kata: Kata, _ messages: [CompilerMessage]) throws -> Verdict {
    var verdict = Verdict(
      kata, refusedWith: messages, file: repository.url(repository.learnerPath(of: kata)).path)
    if verdict.notes.isEmpty { return verdict }
    let room = repository.url("Katas").path + "/"
    if let path = messages.first(where: { $0.file.hasPrefix(room) }).map({
      repository.short($0.file)
    }) {
      throw KataError(
        "\(path) doesn't compile, and \(kata.name) is built with it; fix it, or remove it.",
        .notDone)
    }
    let own = WrittenDeclarations(try repository.text(repository.learnerPath(of: kata)))
    let stub = WrittenDeclarations(try repository.text(repository.stubPath(of: kata)))
    if let lack = own.sentence(lacking: stub, saying: messages.map(\.message)) {
      verdict.notes.append(lack)
    }
    return verdict
  }
}

extension Verdict {
  /// The verdict on an answer that the compiler refuses, with the errors in the answer's own file,
  /// or with a note if they are in other files.
  package init(_ kata: Kata, refusedWith messages: [CompilerMessage], file: String) {
    self.init(kata, .doesNotCompile)
    compilerMessages = messages.filter { $0.file == file }
    guard compilerMessages.isEmpty else { return }
    compilerMessages = messages
    notes.append(
      """
      The error isn't in your file but where the spec uses it: a public name or type of \
      Katas/\(kata.file) differs from the stub's.
      """)
  }

  fileprivate func noting(_ note: String?) -> Verdict {
    var noted = self
    noted.notes += [note].compactMap { $0 }
    return noted
  }

  /// The verdict if Thread Sanitizer was asked for and didn't run, with the reason in a sentence.
  package func withoutRaces(because reason: String) -> Verdict {
    var verdict = self
    if kind == .passed { verdict.kind = .racesNotChecked }
    verdict.notes.append(
      "Thread Sanitizer didn't run, so data races weren't looked for. \(reason)")
    return verdict
  }
}
