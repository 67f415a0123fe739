import KataKit

/// A kata's page: the hand-written text, with generated parts around it.
struct KataPage {
  let facts: KataFacts
  /// The next kata; nil for the last.
  let next: Kata?

  private var kata: Kata { facts.kata }

  /// Completes the hand-written page; adds its pictures to `pictures`.
  func complete(_ page: inout HandWrittenPage, _ pictures: inout SitePictures) {
    page.addMetadata(kata.module.metadata + ["@TitleHeading(\"\(kata.module.rawValue) · kata\")"])
    if let overview = page.index(of: "## Overview") { page.insert(head, below: overview) }
    page.append(contract)
    page.append(hints)
    page.append(MistakeGallery(facts: facts).markdown(&pictures))
    page.append(links)
    page.append("@Options(scope: local) {\n  @AutomaticSeeAlso(disabled)\n}")
  }

  /// What a reader wants to know before starting.
  ///
  /// A line rather than a table, since a phone shows all of it.
  private var head: String {
    let needs = kata.needs.map { "<doc:\($0)>" }.joined(separator: " and ")
    let facts = [
      "Chapter: <doc:\(kata.module.chapter)>", "\(kata.stars)", "\(kata.minutes) minutes",
      needs.isEmpty ? "no prerequisites" : "do first: \(needs)",
    ]
    return """
      \(facts.joined(separator: " · "))

      ```
      make kata KATA=\(kata.name)
      ```
      """
  }

  /// Each promise with the tests that reject an answer that breaks it.
  private var contract: String {
    let lines = facts.contract.promises.compactMap { promise -> String? in
      guard let mistakes = facts.contract.breaking[promise.name] else { return nil }
      let names = mistakes.flatMap(\.rejectedBy)
      let tests = facts.tests.filter(names.contains)
      let held = tests.map { "*\(Prose.escaped($0))*" }.joined(separator: " · ")
      // A stub's symbols have no pages to link to.
      return "- \(promise.text.replacing("``", with: "`"))\n\n  \(held)"
    }
    return """
      ## The contract

      What the stub promises, and below each promise the tests that reject an answer that breaks it.

      \(lines.joined(separator: "\n"))
      """
  }

  /// The hints in tabs, of which the first shows none.
  private var hints: String {
    let count = kata.hints.count == 3 ? "Three" : "\(kata.hints.count)"
    var tabs = [
      (
        "Not yet",
        """
        \(count) hints, from a nudge to nearly the answer. In the runner, `h` shows them one by one.
        """
      )
    ]
    tabs += kata.hints.enumerated().map { ("Hint \($0 + 1)", $1) }
    let body = tabs.map { "  @Tab(\"\($0)\") {\n\($1.indented(by: 4))\n  }" }
    return "## Hints\n\n@TabNavigator {\n\(body.joined(separator: "\n"))\n}"
  }

  private var links: String {
    let symbols = facts.symbols.map { "``/\($0)``" }.joined(separator: ", ")
    var columns = [
      "**The reference, as a library**\n\n\(symbols)",
      "**The chapter**\n\n<doc:\(kata.module.chapter)>",
    ]
    if let next { columns.append("**The next kata**\n\n<doc:\(next.name)>") }
    return "## Where to go from here\n\n" + MistakeGallery.row(columns)
  }
}

extension Module {
  /// Lines of `@Metadata` with the colour and pictures of the module's pages; the pictures' files
  /// begin with `images`.
  func metadata(images: String) -> [String] {
    [
      "@PageColor(\(colour))",
      "@PageImage(purpose: icon, source: \"\(images)-icon\", alt: \"\(rawValue)\")",
      "@PageImage(purpose: card, source: \"\(images)-card\", alt: \"\(rawValue)\")",
    ]
  }

  /// The lines of `@Metadata` of the module's pages.
  var metadata: [String] { metadata(images: rawValue) }

  /// The prefix of picture files in the module's symbol documentation.
  ///
  /// The catalogues are merged, so file names must be unique.
  var libraryImages: String { "\(rawValue)-library" }

  /// One of DocC's colours.
  private var colour: String {
    switch self {
    case .gcdBasics: "blue"
    case .groupsSemaphores: "green"
    case .barriers: "orange"
    case .operations: "purple"
    case .asyncOperations: "red"
    case .cancellation: "gray"
    }
  }
}
