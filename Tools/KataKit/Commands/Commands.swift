import Foundation

/// The commands of the `kata` tool; each writes text and returns an exit code.
package struct Commands: Sendable {
  package let repository: Repository
  package let style: TextStyle
  package let print: @Sendable (String) -> Void
  /// The timeout of specs in seconds, if it's given.
  package let timeout: Double?
  /// The way to a verdict, if one is chosen.
  let way: JudgingWay?

  /// Creates the commands of a clone; `print` receives their output piece by piece, with line ends.
  package init(
    repository: Repository, style: TextStyle, timeout: Double?, way: JudgingWay? = nil,
    print: @escaping @Sendable (String) -> Void
  ) {
    self.repository = repository
    self.style = style
    self.timeout = timeout
    self.way = way
    self.print = print
  }

  var progress: ProgressFile { ProgressFile(repository: repository) }

  /// Reads the learner's progress; warns if it had to be rebuilt.
  func readProgress() -> Progress {
    let (progress, warning) = progress.read()
    if let warning { warn(warning) }
    return progress
  }

  /// The katas that an argument means; without one, the kata worked on last, or the first that
  /// isn't done.
  func katas(_ name: String?) throws -> [Kata] {
    if let name { return try Catalogue.katas(named: name) }
    return [readProgress().next ?? Catalogue.katas[0]]
  }

  // MARK: - run

  /// Judges one kata, a module, or all of them.
  ///
  /// If one kata fails, it shows the first failing test's message, or with `showsAll` all of them.
  package func run(_ name: String?, asJSON: Bool, showsAll: Bool = false) throws -> ExitCode {
    let katas = try katas(name)
    guard !showsAll || katas.count == 1 else {
      throw KataError(
        "ALL (--all) shows the failures of one kata: 'make run KATA=PhotoStore ALL=1'.", .usage)
    }
    var verdicts: [Verdict] = []
    for kata in katas {
      let isQuiet = asJSON || katas.count > 1
      do {
        guard let verdict = try judge(kata, quietly: isQuiet, showsAll: showsAll) else {
          return .notDone
        }
        verdicts.append(verdict)
      } catch let error as KataError where katas.count > 1 && !error.isOfMachine {
        // An unreadable file doesn't stop other katas from being judged.
        tell("\(kata.name) · \(error)\n")
        continue
      }
      let verdict = verdicts[verdicts.count - 1]
      if !asJSON { try record(verdict, isWorkedOn: katas.count == 1) }
      if katas.count > 1, !asJSON {
        print("\(VerdictText(repository: repository, style: style).headline(verdict))\n")
      }
    }
    if asJSON {
      try printJSON(verdicts)
      for verdict in verdicts { try record(verdict, isWorkedOn: katas.count == 1) }
    }
    return verdicts.count == katas.count ? ExitCode(verdicts.map(\.kind)) : .notDone
  }

  /// Records a verdict in the progress, after it was shown, in case that fails.
  package func record(_ verdict: Verdict, isWorkedOn: Bool = true) throws {
    try updateProgress { $0.record(verdict, isWorkedOn: isWorkedOn) }
  }

  /// Judges a kata, and prints each step.
  package func judge(
    _ kata: Kata, stop: CancellationFlag = CancellationFlag(), quietly: Bool = false,
    showsAll: Bool = false
  ) throws -> Verdict? {
    let text = VerdictText(repository: repository, style: style)
    let judge = makeJudge()
    var (hasFailed, hasExplored) = (false, false)
    let verdict = try withoutActuallyEscaping(
      { (event: Judge.Event) in
        guard !quietly else { return }
        switch event {
        case .building: print(style.dim("Building \(kata.name) …\n"))
        case .testing: break
        case .news(.explored):
          if !hasExplored { print(style.dim("The spec passes. Trying it in many schedules …\n")) }
          hasExplored = true
        case .checkingForRaces:
          let before = hasExplored ? "" : "The spec passes. "
          let note = "(the first time takes longest)"
          print(style.dim("\(before)Looking for data races … \(note)\n"))
        case .news(.failed(let test)):
          if !hasFailed { print(text.failure(test)) }
          hasFailed = true
        }
      }
    ) { try judge.judge(kata, stop: stop, onEvent: $0) }
    guard let verdict else { return nil }
    if !quietly {
      // A failure that only Thread Sanitizer's run has found isn't on the screen yet.
      if !hasFailed, let test = verdict.firstFailure { print(text.failure(test)) }
      if showsAll { for test in verdict.tests.failing.dropFirst() { print(text.failure(test)) } }
      let progress = readProgress()
      print(
        text.summary(
          verdict, kata, doneSince: progress.done[kata.name],
          beginsModule: progress.beginsModule(kata), showsAll: showsAll))
    }
    return verdict
  }

  // MARK: - hint

  /// Shows the next hint, and the ones before it.
  package func hint(_ name: String?) throws -> ExitCode {
    let kata = try katas(name)[0]
    let level = try takeHint(kata)
    print("\n\(kata.hintText(level, style))")
    if level < kata.hints.count {
      print(style.dim("'make hint KATA=\(kata.name)' again shows the next one.\n"))
    }
    return .done
  }

  /// The number of hints to show now: one more than before, up to all of them.
  func takeHint(_ kata: Kata) throws -> Int {
    let level = min(readProgress().hintsShown(for: kata) + 1, kata.hints.count)
    try progress.update { $0.recordHint(level, of: kata) }
    return level
  }

  // MARK: - reset

  /// Restores the stub, and keeps the discarded text beside it.
  package func reset(_ name: String?) throws -> ExitCode {
    guard let name else {
      throw KataError("Which kata? Name it: 'make reset KATA=PhotoStore'.", .usage)
    }
    print("\(try putStubBack(Catalogue.kata(named: name)))\n")
    return .done
  }

  /// Whether the learner's file is the stub.
  func hasStub(_ kata: Kata) -> Bool {
    let stub = try? repository.text(repository.stubPath(of: kata))
    return stub != nil && stub == (try? repository.text(repository.learnerPath(of: kata)))
  }

  /// Restores the stub; returns what was done and where the discarded text is.
  func putStubBack(_ kata: Kata) throws -> String {
    let path = repository.learnerPath(of: kata)
    let stub = try repository.text(repository.stubPath(of: kata))
    let current = try? repository.text(path)
    guard current != stub else { return "\(path) is the stub already." }
    let kept = try current.map { "Your text is kept as \(try keep($0, of: kata)).\n" } ?? ""
    try repository.write(stub, to: path)
    try progress.update { $0.forget(kata) }
    return "\(kept)\(path) is the stub again."
  }

  /// Keeps a discarded text in a hidden folder beside the stub, which the compiler ignores.
  private func keep(_ text: String, of kata: Kata) throws -> String {
    let folder = "Katas/\(kata.module.rawValue)/.discarded"
    var number = 1
    while repository.exists("\(folder)/\(kata.name)-\(number).swift") { number += 1 }
    let path = "\(folder)/\(kata.name)-\(number).swift"
    try repository.write(text, to: path)
    return path
  }

  // MARK: - Helpers

  /// Prints something on standard error, beside the output of a command.
  package func tell(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Throws if the reference of one of `katas` is missing because this is a handout.
  package func checkThatReferencesAreThere(for katas: [Kata]) throws {
    guard repository.exists(Repository.handoutMark),
      let kata = katas.first(where: { !repository.exists(repository.referencePath(of: $0)) })
    else { return }
    throw KataError(
      "This handout has no references, so it has no solution of \(kata.name); ask your "
        + "instructor for it.", .notDone)
  }

  package func printJSON(_ value: some Encodable) throws {
    print(try JSONText.of(value))
  }
}

extension Kata {
  /// Its difficulty as stars.
  package var stars: String {
    String(repeating: "●", count: difficulty) + String(repeating: "○", count: 5 - difficulty)
  }

  /// The first `count` hints.
  func hintText(_ count: Int, _ style: TextStyle) -> String {
    hints.prefix(count).enumerated().map { index, hint in
      "\(style.bold("Hint \(index + 1) of \(hints.count)"))\n\(style.reflow(hint, indent: 2))\n\n"
    }.joined()
  }
}
