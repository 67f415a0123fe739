import Foundation

/// The commands of the `kata` tool; each writes text and returns an exit code.
package struct Commands: Sendable {
  package let repository: Repository
  package let style: TextStyle
  package let print: @Sendable (String) -> Void
  /// How long specs wait, in seconds, where somebody has said so.
  package let timeout: Double?
  /// The way to a verdict, where somebody has chosen one.
  let way: JudgingWay?

  /// Creates the commands of a clone; `print` takes their output, piece by piece, with line ends.
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

  /// The learner's progress; says so where it had to be rebuilt.
  func readProgress() -> Progress {
    let (progress, warning) = progress.read()
    if let warning { warn(warning) }
    return progress
  }

  /// The katas that an argument stands for; without one, that worked on last, or the first that isn't done.
  func katas(_ name: String?) throws -> [Kata] {
    if let name { return try Catalogue.katas(named: name) }
    return [readProgress().next ?? Catalogue.katas[0]]
  }

  // MARK: - run

  /// Judges one kata, a module, or all of them.
  ///
  /// Of one kata that fails it shows the first failing test's message, or with `showsAll` each one's.
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
        // One file keeps no other kata from being judged.
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

  /// Takes a verdict into the progress; after it was shown, in case that fails.
  package func record(_ verdict: Verdict, isWorkedOn: Bool = true) throws {
    try updateProgress { $0.record(verdict, isWorkedOn: isWorkedOn) }
  }

  /// Judges a kata and tells as it goes.
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
      // A failure that only Thread Sanitizer's run has shown isn't on the screen yet.
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

  /// Shows the next hint, and those before it.
  package func hint(_ name: String?) throws -> ExitCode {
    let kata = try katas(name)[0]
    let level = try takeHint(kata)
    print("\n\(kata.hintText(level, style))")
    if level < kata.hints.count {
      print(style.dim("'make hint KATA=\(kata.name)' again shows the next one.\n"))
    }
    return .done
  }

  /// How many hints to show now: one more than before, and at most all.
  func takeHint(_ kata: Kata) throws -> Int {
    let level = min(readProgress().hintsShown(for: kata) + 1, kata.hints.count)
    try progress.update { $0.recordHint(level, of: kata) }
    return level
  }

  // MARK: - reset

  /// Puts the stub back and keeps the discarded text beside it.
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

  /// Puts the stub back; says what was done and where the discarded text is.
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

  /// Keeps a discarded text in a hidden folder beside the stub, where the compiler doesn't look.
  private func keep(_ text: String, of kata: Kata) throws -> String {
    let folder = "Katas/\(kata.module.rawValue)/.discarded"
    var number = 1
    while repository.exists("\(folder)/\(kata.name)-\(number).swift") { number += 1 }
    let path = "\(folder)/\(kata.name)-\(number).swift"
    try repository.write(text, to: path)
    return path
  }

  // MARK: - Helpers

  /// Says something beside the output of a command, on standard error.
  package func tell(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Throws a sentence where the reference of one of `katas` isn't there because this is a handout.
  package func checkThatReferencesAreThere(for katas: [Kata]) throws {
    guard repository.exists(Repository.handoutMark),
      let kata = katas.first(where: { !repository.exists(repository.referencePath(of: $0)) })
    else { return }
    throw KataError(
      "This handout has no references, so there is no solution of \(kata.name) in it; ask whoever "
        + "gave it to you.", .notDone)
  }

  package func printJSON(_ value: some Encodable) throws {
    print(try JSONText.of(value))
  }
}

extension Kata {
  /// How hard it is, as a picture.
  package var stars: String {
    String(repeating: "●", count: difficulty) + String(repeating: "○", count: 5 - difficulty)
  }

  /// The first so many hints.
  func hintText(_ count: Int, _ style: TextStyle) -> String {
    hints.prefix(count).enumerated().map { index, hint in
      "\(style.bold("Hint \(index + 1) of \(hints.count)"))\n\(style.reflow(hint, indent: 2))\n\n"
    }.joined()
  }
}
