import KataKit

/// A page for instructors about a module's katas, generated from the catalogue.
///
/// It's a page of the documentation, called `WorkshopBarriers` and so on: an overview, then for
/// each kata where learners get stuck, what to say, and what to ask afterwards.
package struct FacilitatorPage {
  private let module: Module

  /// Creates the page about `module`.
  package init(_ module: Module) {
    self.module = module
  }

  /// The page's name, which is its file's without the extension.
  package var name: String { "Workshop\(module.rawValue)" }

  /// The page in DocC's Markdown.
  package var markdown: String {
    let katas = Catalogue.katas(of: module)
    let minutes = katas.map(\.minutes).reduce(0, +)
    return """
      # Teaching \(module.rawValue)

      Where people get stuck in these \(katas.count) katas, what to say then, and what to ask afterwards.

      ## Overview

      The minutes are for a learner who has done the katas before; all of them together take
      \(minutes / 60) h \(minutes % 60) min. How to run the room is in <doc:Workshop>, ready-made
      days are in <doc:Agendas>.

      \(overview(of: katas))

      \(katas.map(section).joined(separator: "\n\n"))

      """
  }

  private func overview(of katas: [Kata]) -> String {
    let rows = katas.map { kata in
      "| <doc:\(kata.name)> | \(kata.minutes) | \(kata.stars) | \(links(kata.needs)) |"
    }
    return (["| Kata | Minutes | Difficulty | First |", "|---|---|---|---|"] + rows)
      .joined(separator: "\n")
  }

  private func links(_ names: [String]) -> String {
    names.isEmpty ? "–" : names.map { "<doc:\($0)>" }.joined(separator: ", ")
  }

  private func section(_ kata: Kata) -> String {
    let first = kata.needs.isEmpty ? "" : ", after \(links(kata.needs))"
    return """
      ## \(kata.name)

      \(Prose(kata.title).markdown). <doc:\(kata.name)>, \(kata.minutes) minutes\(first).

      ### Where people get stuck in \(kata.name)

      First the nudge, whatever the mistake: \(kata.hints.first ?? "")

      | What they have written | The verdict | What to say if the nudge wasn't enough |
      |---|---|---|
      \(kata.mistakes.map(row).joined(separator: "\n"))

      ### Questions after \(kata.name)

      \(kata.questions.map(item).joined(separator: "\n"))
      """
  }

  /// A mistake, and how an instructor recognises it on a learner's screen: by the failing test.
  private func row(_ mistake: Mistake) -> String {
    let test = mistake.rejectedBy.first.map { ": *\(Prose.escaped($0))*" } ?? ""
    let verdict = VerdictText.words(for: mistake.verdict)
    let advice = mistake.advice.cell
    return "| \(mistake.name.cell) | \(verdict)\(test) | \(advice) |"
  }

  private func item(_ question: Question) -> String {
    "- **\(question.text)** \(question.answer)"
  }
}
