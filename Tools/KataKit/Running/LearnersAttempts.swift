import Foundation

/// Compiles and runs a learner's answer: by the fast way, and where that is refused, by the plain one.
struct LearnersAttempts {
  private let judge: Judge
  private let kata: Kata
  private let snapshot: WorkspaceSnapshot
  private var bench: JudgingBench?
  /// Whether the plain way is taken.
  private var isPlain: Bool
  /// What the learner is told, once, when the fast way has just been refused.
  private(set) var note: String?

  private var repository: Repository { judge.repository }

  init(judge: Judge, _ kata: Kata, _ snapshot: WorkspaceSnapshot) {
    self.judge = judge
    self.kata = kata
    self.snapshot = snapshot
    isPlain =
      judge.way == .plain
      || judge.way == nil && FastWayRefusal.known(of: kata.module, in: judge.repository) != nil
  }

  /// Compiles the answer, and runs its spec where that succeeds.
  ///
  /// Blocks. Throws what is neither the answer's fault nor cured by the other way.
  mutating func attempt(
    sanitized: Bool, stop: CancellationFlag, onEvent: (Judge.Event) -> Void
  ) throws -> Attempt {
    if isPlain { return try plainly(sanitized, stop, onEvent) }
    let mayFallBack = judge.way == nil && !sanitized
    let refusal: KataError
    do {
      let attempt = try fast(sanitized, stop) { event in
        // What comes to no test isn't told yet.
        if mayFallBack, case .news(.failed(let test)) = event, test.id.isEmpty { return }
        onEvent(event)
      }
      guard mayFallBack, case .ran(let run, _) = attempt, run.cameToNoTest else { return attempt }
      refusal = .building(run.firstFailure?.crash ?? "The specs' program came to no test.")
    } catch let error as KataError where error.isOfWay && mayFallBack {
      refusal = error
    }
    return try fallBack(refusal, stop, onEvent)
  }

  private mutating func fallBack(
    _ refusal: KataError, _ stop: CancellationFlag, _ onEvent: (Judge.Event) -> Void
  ) throws -> Attempt {
    onEvent(.building)
    let attempt: Attempt
    do {
      attempt = try plainly(false, stop, onEvent)
    } catch {
      throw refusal
    }
    switch attempt {
    case .stopped: return attempt
    case .refused(let messages):
      // What isn't in a learner's file keeps either way from judging.
      let room = repository.url("Katas").path + "/"
      guard messages.contains(where: { $0.file.hasPrefix(room) }) else { throw refusal }
    case .ran(let run, _):
      guard !run.cameToNoTest else { throw refusal }
    }
    isPlain = true
    try FastWayRefusal.keep("\(refusal)", of: kata.module, in: repository)
    note = """
      This verdict is by 'swift test', which takes longer, since the fast way was refused: \(refusal) Please \
      report it, with these words and what 'make doctor' says, as an issue. It stays so until the katas or \
      the toolchain change, or 'make clean'.
      """
    return attempt
  }

  // MARK: - The two ways

  private mutating func fast(
    _ sanitized: Bool, _ stop: CancellationFlag, _ onEvent: (Judge.Event) -> Void
  ) throws -> Attempt {
    let bench = try bench ?? JudgingBench(repository: repository, snapshot)
    self.bench = bench
    let answer = StagedAnswer(learnersAnswerTo: kata, in: repository)
    return try bench.attempt(answer, sanitized: sanitized, stop: stop) { built in
      try watched(sanitized) { options in
        if !sanitized { onEvent(.testing) }
        return try built.run(options, stop: stop) { if !sanitized { onEvent(.news($0)) } }
      }
    }
  }

  private func plainly(
    _ sanitized: Bool, _ stop: CancellationFlag, _ onEvent: (Judge.Event) -> Void
  ) throws -> Attempt {
    let build = PlainBuild(
      repository: repository, toolchain: try Toolchain(for: repository), kata: kata,
      sanitized: sanitized)
    switch try build.build(stop: stop) {
    case .stopped: return .stopped
    case .refused(let messages): return .refused(messages)
    case .built: break
    }
    let (run, changes) = try watched(sanitized) { options in
      if !sanitized { onEvent(.testing) }
      return try build.runner.run(kata, options, stop: stop) {
        if !sanitized { onEvent(.news($0)) }
      }
    }
    return run.wasStopped ? .stopped : .ran(run, changes)
  }

  /// Runs the spec, and looks afterwards what that has done to other files.
  private func watched(
    _ sanitized: Bool, run: (SpecRunner.Options) throws -> SpecRun
  ) throws -> (SpecRun, ProtectedFiles.Changes) {
    var options = SpecRunner.Options(patience: judge.patience)
    if sanitized { options.patience *= Judge.sanitizedSlowdown }
    let protected = ProtectedFiles(of: kata, in: repository, snapshot)
    defer { protected.leave() }
    return try ProcessRegistry.withTerminationCleanup({ protected.leave() }) {
      (try run(options), protected.compare())
    }
  }
}
