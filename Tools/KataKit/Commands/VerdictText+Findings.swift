import Foundation

// MARK: - What was found, beside the tests

extension VerdictText {
  /// The compiler's errors with their explanations; what the spec misses comes first.
  func compilerText(_ verdict: Verdict) -> String {
    guard verdict.kind == .doesNotCompile else { return "" }
    var text = notes(verdict)
    var explained: [CompilerAdvice] = []
    // If something is missing, all places that use it are alike.
    let isInSpec =
      verdict.compilerMessages.first.map { repository.short($0.file).hasPrefix("Tests/") } ?? false
    let count = isInSpec ? 1 : 3
    for message in verdict.compilerMessages.prefix(count) {
      text +=
        "\n  \(style.bold(style.place(repository.short(message.file), "\(message.line):\(message.column)", indent: 2)))\n"
      text += "\(style.reflow(message.message, indent: 4))\n"
      for line in message.excerpt { text += style.dim("    \(line)\n") }
      for note in message.notes.prefix(2) {
        let place = note.file == message.file ? "line \(note.line)" : repository.short(note.file)
        text += "\(style.reflow("Note (\(place)): \(note.message)", indent: 4))\n"
      }
      // Each kind of error is explained once.
      if let advice = CompilerAdvice(on: message.message), !explained.contains(advice) {
        explained.append(advice)
        text += "\n\(style.reflow(advice.text, indent: 4))\n"
      }
    }
    if verdict.compilerMessages.count > count {
      text += "\n    … and \(verdict.compilerMessages.count - count) more\n"
    }
    if let advice = explained.first,
      repository.exists(DocumentationPage.path(ofPage: CompilerAdvice.page))
    {
      let more = """
        'make page KATA=\(CompilerAdvice.page)' says more: see "\(advice.heading)".
        """
      text += "\n\(style.reflow(more, indent: 4))\n"
    }
    return text
  }

  /// What the answer printed in the failing test that is shown, or else in the first test in which
  /// it printed.
  func printed(_ verdict: Verdict, showing shown: TestReport?) -> String {
    let all = verdict.tests.filter { $0.printed != nil }
    guard let test = all.first(where: { $0.id == shown?.id }) ?? all.first,
      let printed = test.printed
    else { return "" }
    // The crash message is already shown.
    let lines = printed.split(separator: "\n").filter { test.crash?.contains($0) != true }
    guard !lines.isEmpty else { return "" }
    let more = all.count - 1
    let also =
      more == 0
      ? ""
      : style.dim("\n  It printed in \(more) other test\(more == 1 ? "" : "s"), too.\n")
    let when = test.id == shown?.id ? Self.part(test) : "the test \(style.bold(test.name))"
    return "\n  Printed in \(when):\n\n"
      + lines.map { style.dim("    \($0)\n") }.joined() + also
  }

  /// Which part of a test its printed lines are from: of many runs, the one that its message shows.
  private static func part(_ test: TestReport) -> String {
    switch TestReport.Run(ofTest: test.name) {
    case .schedule: "this schedule"
    case .sequence: "these calls"
    case nil: "this test"
    }
  }

  func raceText(_ race: RaceReport) -> String {
    var text = "\n"
    text += style.reflow(
      RaceReport.sentence(isLearners: race.accesses.contains(where: \.isLearners)), indent: 4)
    text += "\n\n"
    if race.sides.allSatisfy({ $0.place == nil }) {
      text += style.reflow(RaceReport.withoutPlaces, indent: 4) + "\n"
    }
    for access in race.sides {
      guard let frame = access.place else { continue }
      let place = style.place(
        repository.short(frame.file), "\(frame.line)", indent: 6 + access.word.count)
      text += "    \(access.word)  \(place)\n"
      if let line = sourceLine(frame) { text += style.dim("      \(line)\n") }
    }
    return text
  }

  /// The line at a place in the code of this package, without its indentation.
  private func sourceLine(_ frame: RaceReport.Frame) -> String? {
    guard let text = try? repository.text(frame.file) else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(frame.line - 1) else { return nil }
    return lines[frame.line - 1].trimmingCharacters(in: .whitespaces)
  }
}
