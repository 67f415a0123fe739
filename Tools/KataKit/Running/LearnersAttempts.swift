import Foundation

/// Compiles and runs a learner's answer: by the fast way, and if that is refused, by the plain one.
struct LearnersAttempts {
  private let judge: Judge
  private let kata: Kata
  private let snapshot: WorkspaceSnapshot
  /// The folder for what is compiled from the answer.
  private let folder: URL
  private var bench: JudgingBench?
  /// Whether the plain way is used.
  private var isPlain: Bool
  /// A note for the learner, shown once, if the fast way has just been refused.
  private(set) var note: String?

  private var repository: Repository { judge.repository }

  init(judge: Judge, _ kata: Kata, _ snapshot: WorkspaceSnapshot, in folder: URL) {
    self.judge = judge
    self.kata = kata
    self.snapshot = snapshot
    self.folder = folder
    isPlain =
      judge.way == .plain
      || judge.way == nil && FastWayRefusal.known(of: kata.module, in: judge.repository) != nil
  }

  /// Compiles the answer, and runs its spec if that succeeds.
  ///
  /// Blocks. Throws errors that the answer hasn't caused and that the other way doesn't avoid.
  mutating func attempt(
    sanitized: Bool, stop: CancellationFlag, onEvent: (Judge.Event) -> Void
  ) throws -> BuildOutcome<SpecRun> {
    if isPlain { return try plainly(sanitized, stop, onEvent) }
    let mayFallBack = judge.way == nil && !sanitized
    let refusal: KataError
    do {
      let outcome = try fast(sanitized, stop) { event in
        // A run that reaches no test isn't reported yet.
        if mayFallBack, case .news(.failed(let test)) = event, test.id.isEmpty { return }
        onEvent(event)
      }
      guard mayFallBack, case .built(let run) = outcome, run.cameToNoTest else { return outcome }
      refusal = .building(run.firstFailure?.crash ?? "The specs' program ran no test.")
    } catch let error as KataError where error.isOfWay && mayFallBack {
      refusal = error
    }
    return try fallBack(refusal, stop, onEvent)
  }

  private mutating func fallBack(
    _ refusal: KataError, _ stop: CancellationFlag, _ onEvent: (Judge.Event) -> Void
  ) throws -> BuildOutcome<SpecRun> {
    onEvent(.building)
    let outcome: BuildOutcome<SpecRun>
    do {
      outcome = try plainly(false, stop, onEvent)
    } catch {
      throw refusal
    }
    switch outcome {
    case .stopped: return outcome
    case .refused(let messages):
      // A compiler error outside the learners' files affects both ways.
      let room = repository.url("Katas").path + "/"
      guard messages.contains(where: { $0.file.hasPrefix(room) }) else { throw refusal }
    case .built(let run):
      guard !run.cameToNoTest else { throw refusal }
    }
    isPlain = true
    try FastWayRefusal.keep("\(refusal)", of: kata.module, in: repository)
    note = """
      This verdict is by 'swift test', which takes longer, since the fast way was refused: \(refusal) Please \
      report this as an issue, with this message and the output of 'make doctor'. The fast way is tried again \
      when the katas or the toolchain change, or after 'make clean'.
      """
    return outcome
  }

  // MARK: - The two ways

  private mutating func fast(
    _ sanitized: Bool, _ stop: CancellationFlag, _ onEvent: (Judge.Event) -> Void
  ) throws -> BuildOutcome<SpecRun> {
    let bench = try bench ?? JudgingBench(repository: repository, snapshot, isForOne: true)
    self.bench = bench
    let answer = AnswerSource(learnersAnswerTo: kata, in: repository)
    return try bench.compile(answer, sanitized: sanitized, in: folder, stop: stop).then {
      compiled in
      try watched(sanitized) { options in
        if !sanitized { onEvent(.testing) }
        return try compiled.run(options, stop: stop) { if !sanitized { onEvent(.news($0)) } }
      }
    }
  }

  private func plainly(
    _ sanitized: Bool, _ stop: CancellationFlag, _ onEvent: (Judge.Event) -> Void
  ) throws -> BuildOutcome<SpecRun> {
    let build = PlainBuild(
      repository: repository, toolchain: try Toolchain(for: repository), kata: kata,
      sanitized: sanitized)
    return try build.build(stop: stop).then {
      try watched(sanitized) { options in
        if !sanitized { onEvent(.testing) }
        return try build.runner.run(kata, options, stop: stop) {
          if !sanitized { onEvent(.news($0)) }
        }
      }
    }
  }

  /// Runs the spec, and checks afterwards what it has done to other files.
  private func watched(
    _ sanitized: Bool, run: (SpecRunner.Options) throws -> SpecRun
  ) throws -> BuildOutcome<SpecRun> {
    var options = SpecRunner.Options(timeout: judge.timeout)
    options.processesToExplore = SpecRunner.processesToExploreAlone
    if sanitized { options.timeout *= Judge.sanitizedSlowdown }
    let protected = ProtectedFiles(of: kata, in: repository, snapshot)
    defer { protected.restore() }
    return try ProcessRegistry.withTerminationCleanup({ protected.restore() }) {
      var run = try run(options)
      run.changes = protected.compare()
      return run.wasStopped ? .stopped : .built(run)
    }
  }
}
