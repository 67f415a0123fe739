import Foundation
import Testing

@testable import KataKit

/// Pages and solutions as a terminal shows them.
@Suite struct PageTests {
  private static let repository = Fixtures.repository
  private static let style = TextStyle(hasColours: false)
  private static let widths = [60, 80, 100]

  private func text(_ markdown: String, width: Int = 40) -> String {
    MarkdownText(style: TextStyle(hasColours: false, width: width)) { "the page \($0)" }
      .text(of: markdown)
  }

  @Test func `what pages are made of is set as text`() {
    let page = """
      # Title

      What it *is*, in **a word**, and `*code*`.

      ## Overview

      @Row {
        @Column { left out }
      }

      See <doc:Other>; ``/Some/symbol`` too.

      - one that is long enough to need a second line
      - two
      1. three

      > Note: a quote that is long enough to need
      > a second line.

      ![A caption.](picture:A/b)

      ```swift
      let a = 1

        // indented
      ```
      """
    #expect(
      text(page) == """
        Title

        What it is, in a word, and `*code*`.

        See the page Other; `Some/symbol` too.

        • one that is long enough to need a
          second line
        • two
        1. three

        │ Note: a quote that is long enough to
        │ need a second line.

        ▸ A caption.

          let a = 1

            // indented

        """)
  }

  @Test func `a table keeps its columns, and gives way where it's too wide`() {
    let table = """
      | A | Some words |
      |---|---|
      | `x` | one \\| two |
      | y | more words than there is room for in one line |
      """
    #expect(
      text(table) == """
          A    Some words
          `x`  one | two
          y    more words than there is room for
               in one line

        """)
  }

  @Test(arguments: widths)
  func `every page is set within its width, and nothing of Markdown is left`(width: Int) throws {
    let style = TextStyle(hasColours: false, width: width)
    let names = try Self.repository.files(below: "Docs/ConcurrencyKatas.docc")
      .filter { $0.hasSuffix(".md") }
      .map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
    #expect(names.count > 90)
    for name in names {
      let text = try DocumentationPage(name, in: Self.repository).text(style)
      for line in text.split(separator: "\n") {
        // What has no place to break at stays whole: a path, a long name.
        let isWhole = !line.drop { " •│▸-+".contains($0) }.contains(" ")
        #expect(line.count <= width || isWhole, "\(name): \(line)")
        for mark in ["<doc:", "](picture:", "**", "```", "@Row"] {
          let isPattern = line.contains("/**")
          #expect(!line.contains(mark) || isPattern, "\(name): \(line)")
        }
      }
    }
  }

  @Test func `a kata, a module and any other page are found by their names`() throws {
    let found = try ["photostore", "Barriers", "PhotoStoreTests.swift", "CompilerErrors"].map {
      try DocumentationPage($0, in: Self.repository).name
    }
    #expect(found == ["PhotoStore", "BarriersChapter", "PhotoStore", "CompilerErrors"])
    for kata in Catalogue.katas {
      #expect(try DocumentationPage(kata.name, in: Self.repository).name == kata.name)
      let stub = try Self.repository.text(Self.repository.stubPath(of: kata))
      let path = DocumentationPage.path(ofPage: kata.name)
      #expect(stub.hasPrefix("// Page: make page KATA=\(kata.name) (\(path))\n"))
      #expect(Self.repository.exists(path))
    }
    let error = #expect(throws: KataError.self) {
      try DocumentationPage("Deadlok", in: Self.repository)
    }
    #expect(error?.description == "There is no page 'Deadlok'; did you mean Deadlock?")
    #expect(error?.exitCode == .usage)
    try Fixtures.withEmptyRepository { repository in
      let error = #expect(throws: KataError.self) {
        try DocumentationPage("PhotoStore", in: repository)
      }
      #expect(error?.description == "The pages aren't in this folder; a whole clone has them.")
    }
  }

  // MARK: - Solutions

  private let solution = SolutionText(
    own: "/// Mine.\nlet a = 1\n\n// TODO: b\nlet c = 3\n", at: "Katas/A.swift",
    reference: "/// Theirs.\n/// More.\nlet a = 1\n\nlet b = 2\nlet c = 3\n", at: "Modules/A.swift")

  @Test func `a solution is the difference of the code, with the learner's lines`() {
    #expect(
      solution.difference(Self.style) == """

          - Katas/A.swift
          + Modules/A.swift

          line 2
            let a = 1

          - // TODO: b
          + let b = 2
            let c = 3

        """)
    let windows = SolutionText(
      own: "// Page: make page KATA=A (Docs)\r\n\r\nlet a = 1\r\n", at: "A",
      reference: "let a = 1\n", at: "B")
    #expect(windows.difference(Self.style).contains("are the same, letter by letter"))
    #expect(
      solution.whole(Self.style) == """

          Modules/A.swift, without its documentation:

          let a = 1

          let b = 2
          let c = 3

        """)
  }

  @Test func `where only the documentation differs, the code is the same`() {
    let same = SolutionText(
      own: "/// Mine.\nlet a = 1\n", at: "A", reference: "let a = 1\n", at: "B")
    #expect(same.difference(Self.style).contains("are the same, letter by letter"))
    let alone = SolutionText(own: nil, at: "A", reference: "let a = 1\n", at: "B")
    #expect(alone.difference(Self.style) == alone.whole(Self.style))
  }

  @Test(arguments: widths)
  func `every solution is shown whole, within its width`(width: Int) throws {
    let style = TextStyle(hasColours: false, width: width)
    for kata in Catalogue.katas {
      let reference = try Self.repository.referenceAsAnswer(to: kata)
      let text = SolutionText(
        own: try Self.repository.text(Self.repository.stubPath(of: kata)), at: "Katas/\(kata.file)",
        reference: reference, at: "Modules/\(kata.file)")
      let whole = text.whole(style)
      for line in (whole + text.difference(style)).split(separator: "\n") {
        #expect(line.count <= width, "\(kata.name): \(line)")
      }
      let letters = reference.split(separator: "\n").filter { !$0.contains(#/^ *\/\/\//#) }.joined()
        .filter { !$0.isWhitespace }
      #expect(whole.filter { !$0.isWhitespace }.hasSuffix(letters), "\(kata.name)")
    }
  }

  @Test func `a row of the list keeps its width`() {
    for width in Self.widths {
      for kata in Catalogue.katas {
        let row = KataRow(
          kata: kata, isDone: true, style: TextStyle(hasColours: false, width: width),
          isWide: width >= 72)
        for line in row.lines.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
        #expect(
          row.lines.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .hasSuffix(kata.title))
      }
    }
  }

  @Test func `a picture that is too wide loses columns in which nothing happens`() {
    let style = TextStyle(hasColours: false, width: 30)
    let text = """
      It was:

        writer  ├───────────────────────────────┤
        reader                 ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      """
    let rows = style.reflow(text, indent: 4).split(separator: "\n").dropFirst().map(Array.init)
    #expect(rows.count == 2 && rows.allSatisfy { $0.count <= 30 })
    #expect(rows[0].last == "┤" && rows[1].last == "┤")
    #expect(rows[0].lastIndex(of: "┤") == rows[1].firstIndex(of: "├"))
    // Wide characters take two columns, and are never split.
    let code = TextStyle(hasColours: false, width: 24).folded(
      "// " + String(repeating: "日", count: 30), indent: 0)
    #expect(code.split(separator: "\n").allSatisfy { ScreenText.width(of: String($0)) <= 24 })
    #expect(code.filter { $0 == "日" }.count == 30)
    let wide = TextStyle(hasColours: false, width: 80)
    #expect(wide.reflow(text, indent: 0) == text)
  }
}
