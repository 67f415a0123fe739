import KataKit

/// A module's chapter: what is written by hand, and below it the module's katas.
struct ChapterPage {
  let module: Module
  /// The module's katas, in teaching order.
  let katas: [Kata]

  /// Completes the hand-written page.
  func complete(_ page: inout HandWrittenPage) {
    page.addMetadata(module.metadata + ["@TitleHeading(\"Chapter\")"])
    // A numbered list rather than a table: a phone shows all of it.
    let entries = katas.map { kata in
      "1. <doc:\(kata.name)>: \(Prose(kata.title).markdown). \(kata.stars), \(kata.minutes) minutes."
    }
    page.append("## The katas\n\n\(entries.joined(separator: "\n"))")
    // That list has said it; this one only gives the katas their place in the navigator.
    page.append("@Options(scope: local) {\n  @TopicsVisualStyle(hidden)\n}")
    page.addTopics("### Katas\n\n" + katas.map { "- <doc:\($0.name)>" }.joined(separator: "\n"))
  }
}
