import KataKit

/// The part of a kata's page that shows every wrong answer of the catalogue: what breaks, pictures
/// of the wrong run and the right run, how to fix it, and the tests that reject it.
struct MistakeGallery {
  let facts: KataFacts

  private var kata: Kata { facts.kata }

  /// The gallery as Markdown; adds its pictures to `pictures`.
  func markdown(_ pictures: inout SitePictures) -> String {
    let entries = kata.mistakes.map { entry($0, &pictures) }
    return (["## What goes wrong", introduction(pictures.book)] + entries).joined(separator: "\n\n")
  }

  private func introduction(_ book: PictureBook) -> String {
    let showsSchedules = kata.mistakes.contains { mistake in
      guard let objection = book.objection(to: mistake.name, in: kata.name) else { return false }
      return objection.run != nil && TestReport.Run(ofTest: objection.test) == .schedule
    }
    let introduction = """
      These are wrong answers that learners write. Each is rejected by the spec or by Thread Sanitizer; `make \
      verify KATA=\(kata.name)` proves it.
      """
    return showsSchedules
      ? "\(introduction) Columns show a schedule: see <doc:EverySchedule>." : introduction
  }

  private func entry(_ mistake: Mistake, _ pictures: inout SitePictures) -> String {
    var parts = ["### \(mistake.name.sentenceCased)"]
    if let run = pictures.book.objection(to: mistake.name, in: kata.name)?.run {
      parts.append("```\n\(run.joined(separator: "\n"))\n```")
    }
    if let sentence = says(of: mistake, pictures.book) {
      parts.append("> The spec says: \(Prose(sentence).markdown)")
    }
    if let pair = pair(of: mistake, &pictures) { parts.append(pair) }
    parts.append("**How to fix it.** \(mistake.advice)")
    parts.append(judges(of: mistake))
    return parts.joined(separator: "\n\n")
  }

  private func says(of mistake: Mistake, _ book: PictureBook) -> String? {
    // The paragraphs after the first list the moves.
    if let says = book.objection(to: mistake.name, in: kata.name)?.says,
      let paragraph = says.split(separator: "\n\n", maxSplits: 1).first
    {
      return String(paragraph)
    }
    return facts.says(of: mistake) ?? mistake.verdict.whatBreaks
  }

  /// The wrong run beside the right one, if there are pictures.
  private func pair(of mistake: Mistake, _ pictures: inout SitePictures) -> String? {
    let book = pictures.book
    guard let wrong = book.picture(ofMistake: mistake.name, in: kata.name) else { return nil }
    let test = book.objection(to: mistake.name, in: kata.name)?.test ?? ""
    var columns = [pictures.image(of: wrong, caption: "With the mistake: \(mistake.name)")]
    if let right = book.picture(of: test, in: kata.name) {
      columns.append(pictures.image(of: right, caption: "As it should be: \(test)"))
    }
    return Self.row(columns)
  }

  /// Parts of Markdown side by side.
  static func row(_ columns: [String]) -> String {
    let columns = columns.map { "  @Column {\n\($0.indented(by: 4))\n  }" }
    return "@Row {\n\(columns.joined(separator: "\n"))\n}"
  }

  /// The tests that reject it, and its verdict.
  private func judges(of mistake: Mistake) -> String {
    let tests = mistake.rejectedBy.map { "*\(Prose.escaped($0))*" }.joined(separator: " · ")
    let verdict = VerdictText.words(for: mistake.verdict)
    return "Verdict: **\(verdict)**. Rejected by \(tests)."
  }
}

extension Verdict.Kind {
  /// What is wrong with an answer that gets this verdict, if the spec has no sentence for it.
  fileprivate var whatBreaks: String? {
    switch self {
    case .race:
      "Two threads touch the same memory, one of them changes it, and nothing orders them."
    case .hung: "Something waits for an event that never comes, or loops forever."
    case .crashed: "The process dies in the middle of the test."
    case .doesNotCompile: "The compiler refuses it."
    case .failed, .notStarted, .racesNotChecked, .passed: nil
    }
  }
}

extension String {
  /// The text with its non-empty lines indented.
  func indented(by count: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.isEmpty ? "" : String(repeating: " ", count: count) + $0
    }.joined(separator: "\n")
  }
}
