import KataKit

/// A module's chapter: the hand-written text, followed by the module's katas.
struct ChapterPage {
  let module: Module
  /// The module's katas, in teaching order.
  let katas: [Kata]

  /// Completes the hand-written page.
  func complete(_ page: inout HandWrittenPage) {
    page.addMetadata(module.metadata + ["@TitleHeading(\"Chapter\")"])
    // A numbered list rather than a table, since a phone shows all of it.
    let entries = katas.map { kata in
      "1. <doc:\(kata.name)>: \(Prose(kata.title).markdown). \(kata.stars), \(kata.minutes) minutes."
    }
    page.append("## The katas\n\n\(entries.joined(separator: "\n"))")
    // The list above shows the katas; this one only places them in the navigator.
    page.append("@Options(scope: local) {\n  @TopicsVisualStyle(hidden)\n}")
    page.addTopics("### Katas\n\n" + katas.map { "- <doc:\($0.name)>" }.joined(separator: "\n"))
  }
}
