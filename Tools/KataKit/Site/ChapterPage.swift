/// A module's chapter: what is written by hand, and below it the module's katas.
struct ChapterPage {
  let module: Module
  /// The module's katas, in teaching order.
  let katas: [Kata]

  /// Completes the hand-written page.
  func complete(_ page: inout HandWrittenPage) {
    page.addMetadata(module.metadata + ["@TitleHeading(\"Chapter\")"])
    let rows = katas.map { kata in
      "| <doc:\(kata.name)> | \(Prose(kata.title).markdown) | \(kata.stars) | \(kata.minutes) min |"
    }
    let table = "| Kata | You build | How hard | How long |\n| --- | --- | --- | --- |\n"
    page.append("## The katas\n\n\(table)\(rows.joined(separator: "\n"))")
    // The table has said it; the list only gives the katas their place in the navigator.
    page.append("@Options(scope: local) {\n  @TopicsVisualStyle(hidden)\n}")
    page.addTopics("### Katas\n\n" + katas.map { "- <doc:\($0.name)>" }.joined(separator: "\n"))
  }
}
