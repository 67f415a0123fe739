import Foundation

/// A verdict as text for a terminal or a log.
package struct VerdictText {
  let repository: Repository
  let style: TextStyle
  /// What is added to the name of a test that hasn't passed.
  private let remarks: [String: String]

  package init(repository: Repository, style: TextStyle, remarks: [String: String] = [:]) {
    self.repository = repository
    self.style = style
    self.remarks = remarks
  }

  /// A failing test: what is wrong, the picture, and the place.
  package func failure(_ test: TestReport, remark: String = "") -> String {
    var paragraphs = ["\n  \(style.bad("✘")) \(named(test, remark, style.bold))"]
    if let crash = test.crash {
      paragraphs.append(style.reflow(Self.withPaths(crash), indent: 4))
    }
    if test.status == .hung, test.issues.isEmpty {
      paragraphs.append(
        style.reflow(
          """
          This test made no progress, so its process was killed: something waits for what never \
          happens, or loops forever.
          """, indent: 4))
    }
    if let issue = test.issues.first {
      paragraphs.append(style.reflow(issue.sentence, indent: 4))
      var details: [String] = []
      if !issue.isHang, let expected = issue.expected {
        details.append(style.folded("expected  \(expected)", indent: 4))
      }
      if let file = issue.file, let line = issue.line {
        let place = style.place(repository.short(file), "\(line)", indent: 14)
        details.append("    in        \(place)")
      }
      paragraphs.append(
        details.flatMap { $0.split(separator: "\n") }.map { style.dim(String($0)) }
          .joined(separator: "\n"))
    }
    return paragraphs.joined(separator: "\n\n") + "\n"
  }

  /// A message of the runtime with full paths of existing files: it says
  /// "BarriersKatas/PhotoStore.swift".
  private static func withPaths(_ words: String) -> String {
    words.replacing(#/\b(\w+)Katas\/(\w+\.swift)/#) { match in
      let module = Module(rawValue: String(match.1))
      return module.map { "Katas/\($0.rawValue)/\(match.2)" } ?? String(match.0)
    }
  }

  /// Everything after the first failure, or the whole verdict if nothing failed.
  func summary(
    _ verdict: Verdict, _ kata: Kata, doneSince day: String? = nil, beginsModule: Bool = false,
    showsAll: Bool = false
  ) -> String {
    let failing = verdict.kind == .notStarted || showsAll ? 0 : verdict.tests.failing.count
    let module = verdict.module.rawValue
    let steps = [
      Self.staysDone(verdict, since: day),
      beginsModule && verdict.kind == .notStarted
        && DocumentationPage.hasChapter(verdict.module, in: repository)
        ? "\(module) begins here; 'make page KATA=\(module)' shows its chapter." : nil,
      nextStep(verdict),
      failing > 1 ? "'make run KATA=\(verdict.kata) ALL=1' shows every failure." : nil,
    ].compactMap(\.self)
    return details(verdict, kata)
      + "\n\(headline(verdict))\n\(style.reflow(steps.joined(separator: " "), indent: 0))\n"
  }

  /// What is said if a kata that is done gets another verdict; nil if there is nothing to say.
  static func staysDone(_ verdict: Verdict, since day: String?) -> String? {
    guard let day, ![.passed, .racesNotChecked, .notStarted].contains(verdict.kind) else {
      return nil
    }
    return "It was done on \(day), and stays done."
  }

  /// The likely mistake, the errors of the compiler or Thread Sanitizer, and which other tests
  /// passed.
  ///
  /// Printed lines are those of the failing test that is shown, by default the first.
  package func details(
    _ verdict: Verdict, _ kata: Kata, showing shown: TestReport? = nil
  ) -> String {
    var text = ""
    let alike = verdict.looksLike.compactMap { name in kata.mistakes.first { $0.name == name } }
    for (index, mistake) in alike.enumerated() {
      let start = index == 0 ? "Looks like" : "Or like"
      text += "\n\(style.reflow("\(start): \(mistake.name). \(mistake.advice)", indent: 4))\n"
    }
    text += compilerText(verdict)
    if let race = verdict.race { text += raceText(race) }
    text += printed(verdict, showing: shown ?? verdict.firstFailure)
    text += testList(verdict)
    if verdict.kind != .doesNotCompile { text += notes(verdict) }
    return text
  }

  func notes(_ verdict: Verdict) -> String {
    verdict.notes.map { "\n\(style.reflow("Note: \($0)", indent: 2))\n" }.joined()
  }

  private func testList(_ verdict: Verdict) -> String {
    guard !verdict.tests.isEmpty else { return "" }
    var text = "\n"
    for test in verdict.tests {
      let mark =
        switch test.status {
        case .passed: style.good("✔")
        case .notReached: style.dim("·")
        case .failed, .hung, .crashed: style.bad("✘")
        }
      let remark =
        switch test.status {
        case .notReached: " (not reached)"
        case .hung: " (hung)"
        case .crashed: " (crashed)"
        case .passed, .failed: ""
        }
      let own = test.status == .passed ? nil : remarks[test.name].map { " (\($0))" }
      text += "  \(mark) \(named(test, remark + (own ?? "")) { $0 })\n"
    }
    return text
  }

  /// A test's mark and name with a remark, wrapped.
  private func named(
    _ test: TestReport, _ remark: String, _ emphasis: (String) -> String
  ) -> String {
    let words = test.name.split(separator: " ").map { emphasis(String($0)) }
    let remarks = remark.split(separator: " ").map { style.dim(String($0)) }
    return style.broken((words + remarks).joined(separator: " "), to: style.width - 4)
      .joined(separator: "\n    ")
  }

  /// One line: the kata, the verdict, how many tests pass.
  package func headline(_ verdict: Verdict) -> String {
    let passed = verdict.tests.count { $0.status == .passed }
    let count = verdict.tests.isEmpty ? "" : " · \(passed) of \(verdict.tests.count) tests pass"
    let schedules = verdict.schedules.map { " · \($0) schedules" } ?? ""
    let word = Self.words(for: verdict.kind)
    let coloured =
      switch verdict.kind {
      case .passed: style.good(word)
      case .racesNotChecked: style.bold(word)
      default: style.bad(word)
      }
    return "\(style.bold(verdict.kata)) · \(coloured)\(count)\(schedules)"
  }

  private func nextStep(_ verdict: Verdict) -> String {
    switch verdict.kind {
    // A handout may contain no reference.
    case .passed
    where !repository.exists("Modules/\(verdict.module.rawValue)/\(verdict.kata).swift"):
      "Done. 'make kata' continues with the next kata."
    case .passed:
      "Done. 'make solution KATA=\(verdict.kata)' shows how the reference does it, and 'make page "
        + "KATA=\(verdict.kata)' explains it."
    case .notStarted:
      "Open Katas/\(verdict.module.rawValue)/\(verdict.kata).swift and begin; 'make hint "
        + "KATA=\(verdict.kata)' helps."
    case .racesNotChecked: Self.withoutRaces
    default:
      "Continue in Katas/\(verdict.module.rawValue)/\(verdict.kata).swift; 'make hint "
        + "KATA=\(verdict.kata)' helps."
    }
  }

  /// What to do if the spec passes but Thread Sanitizer doesn't run.
  static let withoutRaces = """
    It counts as done once Thread Sanitizer has checked it: 'make doctor' says why it doesn't run \
    here, and 'make export' takes your progress to a machine where it does.
    """

  /// The verdict in words.
  package static func words(for kind: Verdict.Kind) -> String {
    switch kind {
    case .notStarted: "not started"
    case .doesNotCompile: "doesn't compile"
    case .failed: "failed"
    case .race: "data race"
    case .hung: "hung"
    case .crashed: "crashed"
    case .racesNotChecked: "passed, races not looked for"
    case .passed: "passed"
    }
  }
}
