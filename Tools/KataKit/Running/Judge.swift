import Foundation

/// Builds an answer, runs its spec, looks for races, and says what came of it.
public struct Judge: Sendable {
  /// What a judge tells while it works.
  public enum Event: Sendable {
    case building
    case testing
    /// The first test that failed, the moment it has.
    case failed(TestReport)
    case checkingForRaces
  }

  /// How long specs wait while a person waits, in seconds, unless `KATA_PATIENCE` says otherwise.
  public static let defaultPatience = 2.0
  /// Thread Sanitizer makes everything slower by up to this factor.
  static let sanitizedSlowdown = 4.0

  let house: House
  let patience: Double

  public init(house: House, patience: Double) {
    self.house = house
    self.patience = patience
  }

  /// `KATA_PATIENCE` in seconds, or nil where it is unset.
  public static func patienceFromEnvironment() throws -> Double? {
    guard let text = ProcessInfo.processInfo.environment["KATA_PATIENCE"], !text.isEmpty else {
      return nil
    }
    guard let seconds = Double(text), seconds.isFinite, seconds > 0 else {
      throw KataError(
        "KATA_PATIENCE is '\(text)'; give a number of seconds, such as KATA_PATIENCE=5.", .usage)
    }
    return seconds
  }

  /// Judges the learner's answer to `kata`.
  ///
  /// Blocks; nil where `stop` ended it before a verdict.
  public func judge(
    _ kata: Kata, stop: StopSignal = StopSignal(), onEvent: @escaping (Event) -> Void = { _ in }
  ) throws -> Verdict? {
    guard house.exists(house.learnerPath(of: kata)) else {
      throw KataError(
        "\(house.learnerPath(of: kata)) is gone; 'make reset KATA=\(kata.name)' brings it back.",
        .notDone)
    }
    let answer = try house.text(house.learnerPath(of: kata))
    let isStub = try answer == house.text(house.stubPath(of: kata))
    onEvent(.building)
    let plain = Self.plainBuild(of: kata)
    var verdict: Verdict
    switch try attempt(
      kata, plain, patience, stop: stop, onBuilt: { onEvent(.testing) },
      onFailure: { onEvent(.failed($0)) })
    {
    case .stopped: return nil
    case .refused(let messages): return try refusal(of: kata, messages)
    case .ran(let run, let changes):
      verdict = Self.verdict(kata, run).taking(changes)
    }
    if isStub { verdict.kind = .notStarted }
    guard verdict.kind == .passed else { return Diagnosis(kata, in: house).named(verdict) }

    onEvent(.checkingForRaces)
    let sanitized = Self.sanitizedBuild(of: kata)
    switch try attempt(kata, sanitized, patience * Self.sanitizedSlowdown, stop: stop) {
    case .stopped: return nil
    case .refused: return verdict.noting("Thread Sanitizer couldn't be built in.")
    case .ran(let run, let changes):
      verdict = Self.verdict(verdict, afterSanitizing: run, source: answer).taking(changes)
      return Diagnosis(kata, in: house).named(verdict)
    }
  }

  /// What came of building an answer and running its spec.
  private enum Attempt {
    case stopped
    case refused([CompilerMessage])
    /// The run, and what it did to things around it.
    case ran(SpecRun, Surroundings.Changes)
  }

  private func attempt(
    _ kata: Kata, _ request: SwiftBuild.Request, _ patience: Double, stop: StopSignal,
    onBuilt: () -> Void = {}, onFailure: (TestReport) -> Void = { _ in }
  ) throws -> Attempt {
    var program: String?
    let outcome = try BuildLock(request.scratch, in: house).hold(stop: stop) {
      let outcome = try build(request, stop: stop)
      if case .built = outcome { program = try SpecRunner.nameProgram(of: request, in: house) }
      return outcome
    }
    switch outcome {
    case .stopped: return .stopped
    case .refused(let messages): return .refused(messages)
    case .built: onBuilt()
    }
    let surroundings = Surroundings(of: kata, in: house)
    let name = program.map(house.url)
    let clearAway: @Sendable () -> Void = {
      if let name { try? FileManager.default.removeItem(at: name) }
      surroundings.leave()
    }
    defer { clearAway() }
    return try LiveProcesses.withLastAct(clearAway) {
      let run = try SpecRunner(house: house, build: request, program: program)
        .run(kata, SpecRunner.Options(patience: patience), stop: stop, onFailure: onFailure)
      return run.wasStopped ? .stopped : .ran(run, surroundings.compare())
    }
  }

  /// Builds, and tells a full disk from whatever the compiler makes of it.
  private func build(_ request: SwiftBuild.Request, stop: StopSignal) throws -> SwiftBuild.Outcome {
    let result = Result { try SwiftBuild(house: house).run(request, stop: stop) }
    switch result {
    case .success(.built), .success(.stopped): break
    case .success(.refused), .failure:
      let folder = [request.scratch, ".build", "."].first(where: house.exists) ?? "."
      if DiskSpace.isShort(of: DiskSpace.neededByBuild, in: house.url(folder)) {
        throw KataError.diskFull
      }
    }
    return try result.get()
  }

  /// The verdict of a run of the spec, before races are looked for.
  static func verdict(_ kata: Kata, _ run: SpecRun) -> Verdict {
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
  static func verdict(
    _ verdict: Verdict, afterSanitizing run: SpecRun, source: String
  ) -> Verdict {
    var verdict = verdict
    if let race = run.races.first {
      // Thread Sanitizer doesn't see `Mutex` handed over on Linux, and so accuses right answers.
      if source.contains("Mutex") {
        return verdict.noting(
          """
          Thread Sanitizer reported a race, but it can't judge an answer that uses Mutex on \
          Linux, where it doesn't see that lock handed over. Check by eye that everything shared \
          is inside it.
          """)
      }
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
        "This happened only with Thread Sanitizer watching: it's a matter of luck.")
    }
    return verdict
  }

  private static func kind(of status: TestReport.Status?) -> Verdict.Kind {
    switch status {
    case .hung: .hung
    case .crashed: .crashed
    default: .failed
    }
  }

  /// The compiler's messages, told by whose file they are in.
  private func refusal(of kata: Kata, _ messages: [CompilerMessage]) throws -> Verdict {
    let verdict = Verdict(kata, refusedWith: messages, in: house)
    if verdict.notes.isEmpty { return verdict }
    let room = house.url("Katas").path + "/"
    if let path = messages.first(where: { $0.file.hasPrefix(room) }).map({ house.short($0.file) }) {
      let other = Catalogue.katas.first { house.learnerPath(of: $0) == path }
      let cure = other.map { "set it back with 'make reset KATA=\($0.name)'" } ?? "remove it"
      throw KataError(
        "\(path) doesn't compile, and \(kata.name) is built with it; mend it, or \(cure).", .notDone
      )
    }
    return verdict
  }
}

extension Verdict {
  /// The verdict on an answer that the compiler refuses: by what it says of the learner's own file, or
  /// with a note where it says it of others.
  init(_ kata: Kata, refusedWith messages: [CompilerMessage], in house: House) {
    self.init(kata, .doesNotCompile)
    let own = house.url(house.learnerPath(of: kata)).path
    compilerMessages = messages.filter { $0.file == own }
    guard compilerMessages.isEmpty else { return }
    compilerMessages = messages
    notes.append(
      """
      The error isn't in your file but where the spec uses it: a public name or type of \
      \(house.learnerPath(of: kata)) isn't what the stub had.
      """)
  }

  fileprivate func noting(_ note: String) -> Verdict {
    var noted = self
    noted.notes.append(note)
    return noted
  }
}
