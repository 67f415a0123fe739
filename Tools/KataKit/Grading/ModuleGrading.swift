import Foundation

/// Judges a submission's answers to katas of one module, which are built together.
struct ModuleGrading: Sendable {
  let slot: GradingSlot
  let terms: GradingTerms
  let module: Module
  /// The katas with an answer, in teaching order.
  let katas: [Kata]

  /// A verdict, and whether races were looked for.
  struct Outcome {
    var verdict: Verdict
    var racesChecked = false
  }

  /// Judges the answers; what came of each, by the name of its kata.
  ///
  /// Blocks until it's done. Throws only what keeps every submission from being judged.
  func outcomes(of answers: AnswerRoom.Answers) throws -> [String: GradedKata] {
    var answers = answers
    let refused: AnswerRoom.Refusals
    do {
      refused = try terms.build(answers, in: slot.room(of: module, sanitized: false))
    } catch let problem as KataError where !problem.isOfMachine(in: slot.clone) {
      return try outcomesApart(of: answers, problem)
    }
    var outcomes: [String: Outcome] = [:]
    for (name, messages) in refused {
      guard let kata = kata(name) else { continue }
      outcomes[name] = Outcome(verdict: Verdict(kata, refusedWith: messages, in: slot.house))
      answers.texts[name] = nil
    }
    var graded: [String: GradedKata] = [:]
    let standing = katas.filter { answers.texts[$0.name] != nil }
    for (kata, trial) in try runs(of: standing, answers, sanitized: false) {
      switch trial.run {
      case .success(let run):
        outcomes[kata.name] = Outcome(verdict: trial.noting(Judge.verdict(kata, run)))
      case .failure(let problem): graded[kata.name] = trial.failed(kata, problem, in: slot.house)
      }
    }
    if terms.looksForRaces { try lookForRaces(&outcomes, &graded, answers) }
    for (name, outcome) in outcomes {
      guard let kata = kata(name), graded[name] == nil else { continue }
      graded[name] = GradedKata(
        Diagnosis(kata, terms.book).named(outcome.verdict), on: kata, in: slot.house,
        racesChecked: outcome.racesChecked)
    }
    return graded
  }

  private func kata(_ name: String) -> Kata? { katas.first { $0.name == name } }

  // MARK: - Races

  /// Runs what has passed once more, with Thread Sanitizer built in.
  private func lookForRaces(
    _ outcomes: inout [String: Outcome], _ graded: inout [String: GradedKata],
    _ answers: AnswerRoom.Answers
  ) throws {
    let passed = katas.filter { outcomes[$0.name]?.verdict.kind == .passed }
    guard !passed.isEmpty else { return }
    let refused = try sanitizedBuild(of: answers)
    let left = refused.map { refused in passed.filter { refused[$0.name] == nil } } ?? []
    for kata in passed where !left.contains(where: { $0.name == kata.name }) {
      outcomes[kata.name]?.verdict.notes.append("Thread Sanitizer couldn't be built in.")
    }
    for (kata, trial) in try runs(of: left, answers, sanitized: true) {
      guard let before = outcomes[kata.name]?.verdict else { continue }
      switch trial.run {
      case .success(let run):
        let verdict = Judge.verdict(
          before, afterSanitizing: run, source: answers.texts[kata.name] ?? "")
        // Where it came to no test, the sanitizer itself doesn't run.
        let hasRun = !run.races.isEmpty || run.tests.contains { !$0.id.isEmpty }
        outcomes[kata.name] = Outcome(verdict: trial.noting(verdict), racesChecked: hasRun)
      case .failure(let problem): graded[kata.name] = trial.failed(kata, problem, in: slot.house)
      }
    }
  }

  /// Builds with Thread Sanitizer, in a slot that is made anew where it doesn't work; nil where it
  /// doesn't work then either.
  private func sanitizedBuild(of answers: AnswerRoom.Answers) throws -> AnswerRoom.Refusals? {
    for isLast in [false, true] {
      do {
        return try terms.build(answers, in: slot.room(of: module, sanitized: true))
      } catch let problem as KataError where !problem.isOfMachine(in: slot.clone) {
        if !isLast { try slot.reset() }
      }
    }
    return nil
  }

  // MARK: - One by one

  /// Judges answers that couldn't be built together, for a reason that names none of them.
  private func outcomesApart(
    of answers: AnswerRoom.Answers, _ problem: KataError
  ) throws -> [String: GradedKata] {
    if !answers.companions.isEmpty {
      let names = answers.companions.keys.sorted().joined(separator: ", ")
      return try outcomes(of: AnswerRoom.Answers(texts: answers.texts)).mapValues {
        $0.noting("It was built without \(names), with which the module can't be built.")
      }
    }
    guard answers.texts.count < 2 else {
      var graded: [String: GradedKata] = [:]
      for (name, text) in answers.texts.sorted(by: { $0.key < $1.key }) {
        graded.merge(try outcomes(of: AnswerRoom.Answers(texts: [name: text]))) { $1 }
      }
      return graded
    }
    guard let name = answers.texts.keys.first, let kata = kata(name) else { return [:] }
    // Where not even the references can be built, it's the slot.
    var problem = problem
    do {
      if try !canBuildReferences() {
        try slot.reset()
        _ = try terms.build(AnswerRoom.Answers(), in: slot.room(of: module, sanitized: false))
        _ = try terms.build(answers, in: slot.room(of: module, sanitized: false))
        return try outcomes(of: answers)
      }
    } catch let error as KataError where !error.isOfMachine(in: slot.clone) {
      problem = error
      guard try canBuildReferences() else {
        return [name: GradedKata(kata, .error, message: slot.house.portable("\(error)"))]
      }
    }
    var verdict = Verdict(kata, .doesNotCompile)
    verdict.notes.append("It can't be built: \(problem)")
    return [name: GradedKata(verdict, on: kata, in: slot.house, racesChecked: false)]
  }

  private func canBuildReferences() throws -> Bool {
    do {
      _ = try terms.build(AnswerRoom.Answers(), in: slot.room(of: module, sanitized: false))
      return true
    } catch let error as KataError where !error.isOfMachine(in: slot.clone) {
      return false
    }
  }

  // MARK: - Runs

  /// What a run has shown, and what it did to the slot.
  private struct Trial {
    let run: Result<SpecRun, any Error>
    var changes = Surroundings.Changes()

    func noting(_ verdict: Verdict) -> Verdict { verdict.taking(changes) }

    /// A run that couldn't be: the answer's fault where it has changed what it's run with.
    func failed(_ kata: Kata, _ problem: any Error, in house: House) -> GradedKata {
      let isOwnFault = !changes.notes.isEmpty
      let message = (isOwnFault ? changes.notes : ["\(problem)"]).joined(separator: " ")
      return GradedKata(kata, isOwnFault ? .crashed : .error, message: house.portable(message))
    }
  }

  /// Runs specs, several at once.
  ///
  /// Where one of them changes what isn't its own, which one it was shows when each runs alone.
  private func runs(
    of katas: [Kata], _ answers: AnswerRoom.Answers, sanitized: Bool
  ) throws -> [(Kata, Trial)] {
    let together = try ThreadedMap(katas, width: terms.runsAtOnce) { kata in
      try Result { try run(kata, sanitized: sanitized) }.orMachineError(in: slot.clone)
    }.outputs()
    let changes = try self.changes(answers)
    if changes.notes.isEmpty { return zip(katas, together).map { ($0, Trial(run: $1)) } }
    if katas.count == 1 { return [(katas[0], Trial(run: together[0], changes: changes))] }
    return try katas.map { kata in
      _ = try terms.build(answers, in: slot.room(of: module, sanitized: sanitized))
      let run = try Result { try self.run(kata, sanitized: sanitized) }.orMachineError(
        in: slot.clone)
      return (kata, Trial(run: run, changes: try self.changes(answers)))
    }
  }

  private func run(_ kata: Kata, sanitized: Bool) throws -> SpecRun {
    do {
      return try runOnce(kata, sanitized: sanitized)
    } catch let error as KataError where error.description == KataError.diskFull.description {
      // Its desk is cleared. Whoever had filled the disk, there may be room now.
      if DiskSpace.isShort(of: DiskSpace.neededByBuild, in: slot.house.root) { throw error }
      do {
        return try runOnce(kata, sanitized: sanitized)
      } catch let error as KataError where error.description == KataError.diskFull.description {
        throw KataError("The disk was full while its spec ran, and isn't now.", .notDone)
      }
    }
  }

  private func runOnce(_ kata: Kata, sanitized: Bool) throws -> SpecRun {
    var options = SpecRunner.Options(patience: terms.patience)
    if sanitized { options.patience *= Judge.sanitizedSlowdown }
    let desk = try slot.desk()
    defer { desk.clear() }
    return try SpecRunner(
      house: slot.house, build: slot.build(of: module, sanitized: sanitized), desk: desk,
      limits: terms.limits(sanitized: sanitized)
    ).run(kata, options)
  }

  /// What runs have done to the slot, which is right again afterwards.
  private func changes(_ answers: AnswerRoom.Answers) throws -> Surroundings.Changes {
    var changes = Surroundings.Changes()
    for kata in katas {
      guard let text = answers.texts[kata.name] else { continue }
      let path = slot.house.learnerPath(of: kata)
      guard (try? slot.house.text(path)) != text else { continue }
      let what = slot.house.exists(path) ? "changed" : "deleted"
      changes.notes.append("\(path) was \(what) while the spec ran; this is about the text before.")
    }
    let others = try slot.putRight()
    if !others.isEmpty {
      changes.spoilsVerdict = true
      let more = others.count > 3 ? " and \(others.count - 3) more" : ""
      changes.notes.append(
        """
        \(others.prefix(3).joined(separator: ", "))\(more) was deleted or changed while the spec ran, \
        so this run counts for nothing.
        """)
    }
    return changes
  }
}

extension Result where Failure == any Error {
  /// The result, unless it's an error that keeps every submission from being judged.
  fileprivate func orMachineError(in house: House) throws -> Result {
    if case .failure(let error as KataError) = self, error.isOfMachine(in: house) { throw error }
    return self
  }
}
