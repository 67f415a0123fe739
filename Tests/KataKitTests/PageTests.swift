import Foundation
import Testing

@testable import KataKit

/// Pages, solutions and the compiler's errors as a terminal shows them.
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

  // MARK: - The compiler

  @Test(arguments: CompilerAdvice.allCases)
  func `each advice has its section, which quotes what the compiler says`(
    advice: CompilerAdvice
  ) throws {
    let page = try DocumentationPage(CompilerAdvice.page, in: Self.repository).markdown
    let sections = page.components(separatedBy: "\n### ")
    let section = try #require(sections.first { $0.hasPrefix("\(advice.heading)\n\n") })
    let quotation = try #require(section.firstMatch(of: #/\n\*(.+)\*\n/#))
    #expect(CompilerAdvice(on: String(quotation.1)) == advice)
    #expect(!advice.text.isEmpty)
  }

  @Test(
    arguments: [
      (
        "stored property 'a' of 'Sendable'-conforming class 'A' contains non-Sendable type 'B'",
        .sharedValue
      ),
      (
        "converting non-Sendable function value to '@Sendable () -> Void' may introduce data races",
        .capturedValue
      ),
      (
        "call to main actor-isolated instance method 'show()' in a synchronous nonisolated context",
        .actorsState
      ),
      (
        "explicit use of 'self' is required when 'self' is optional, to make control flow explicit",
        .explicitSelf
      ),
      (
        "cannot pass function of type '@Sendable () async -> ()' to parameter expecting synchronous function type",
        .asynchronousCall
      ),
      ("cannot assign to property: 'isFinished' is a get-only property", .operationsFlag),
      ("assigning non-escaping parameter 'body' to an '@escaping' closure", .escapingParameter),
      ("actor-isolated property 'n' can not be mutated from a nonisolated context", nil),
    ] as [(String, CompilerAdvice?)])
  func `other words for the same get the same advice`(message: String, advice: CompilerAdvice?) {
    #expect(CompilerAdvice(on: message) == advice)
  }

  @Test func `an error of another kind gets no advice`() {
    for message in [
      "left side of mutating operator isn't mutable: 'hits' is a get-only property",
      "cannot find 'quue' in scope", "missing return in instance method",
    ] {
      #expect(CompilerAdvice(on: message) == nil)
    }
  }

  @Test func `one kind of error is explained once`() {
    var verdict = Verdict(Fixtures.kata, .doesNotCompile)
    verdict.compilerMessages = ["a", "b"].map { name in
      CompilerMessage(
        file: "/elsewhere/A.swift", line: 3, column: 5,
        message: "stored property '\(name)' of 'Sendable'-conforming class 'A' is mutable",
        excerpt: [])
    }
    let text = VerdictText(repository: Self.repository, style: Self.style)
      .details(verdict, Fixtures.kata)
    #expect(text.components(separatedBy: "you answer for it.").count == 2)
    #expect(text.contains("'make page KATA=CompilerErrors' says more"))
  }

  @Test(arguments: [
    (
      "public func add(_ photo: Photo) {", "public func append(_ photo: Photo) {",
      "The stub has `public func add(_ photo: Photo)`, and your file doesn't."
    ),
    (
      "public func run(\n    _ work: () -> Int, done: Int = 3\n  ) {\n",
      "public func run(_ job: () -> Int, completion: Int) {",
      """
      The stub has `public func run(_ work: () -> Int, done: Int = 3)`; yours is `public func run(_ job: () -> Int, \
      completion: Int)`, in line 1.
      """
    ),
    ("public func run(_ work: Int) {", "public func run(_ job: Int) {", nil),
    (
      "public var count: Int { 1 }\npublic init(f: () -> Int = { 3 }) {",
      "public let count = 1\npublic init(f: () -> Int) {",
      "The stub has `public var count: Int`, and your file doesn't."
    ),
  ])
  func `what the stub declares and the answer doesn't is said`(
    stub: String, answer: String, sentence: String?
  ) {
    let said = WrittenDeclarations(answer).sentence(lacking: WrittenDeclarations(stub), saying: [])
    #expect(said == sentence)
  }

  @Test func `members come before the types that are named with them`() {
    let stub = WrittenDeclarations("public final class A: Sendable {\n  public func add() {\n  }\n")
    let answer = WrittenDeclarations("public final class B: @unchecked Sendable {\r\n}\r\n")
    #expect(
      answer.sentence(lacking: stub, saying: ["value of type 'A' has no member 'add'"])
        == "The stub has `public func add()`, and your file doesn't.")
    let unchecked = WrittenDeclarations(
      "public final class A: @unchecked Sendable {\n  public func add() {\n")
    #expect(unchecked.sentence(lacking: stub, saying: []) == nil)
  }

  @Test func `a crash names files that are there`() {
    var test = TestReport(name: "a", status: .crashed, line: 1, id: "1")
    test.crash =
      "It said: AsyncOperationsKatas/FinishOnce.swift:74: Fatal error: OtherKatas/A.swift"
    let text = VerdictText(
      repository: Self.repository, style: TextStyle(hasColours: false, width: 100)
    )
    .failure(test)
    #expect(
      text.contains("Katas/AsyncOperations/FinishOnce.swift:74: Fatal error: OtherKatas/A.swift"))
  }

  @Test func `what the compiler names is said first`() {
    let stub = WrittenDeclarations("public func a()\npublic func b()\n")
    let said = WrittenDeclarations("").sentence(
      lacking: stub, saying: ["value of type 'X' has no member 'b'"])
    #expect(said == "The stub has `public func b()`, and your file doesn't.")
    for kata in Catalogue.katas {
      for path in [Self.repository.stubPath(of: kata), Self.repository.referencePath(of: kata)] {
        #expect(throws: Never.self) { try WrittenDeclarations(Self.repository.text(path)) }
      }
    }
  }

  @Test func `no reference lacks what its stub declares`() throws {
    for kata in Catalogue.katas {
      let stub = WrittenDeclarations(try Self.repository.text(Self.repository.stubPath(of: kata)))
      let reference = WrittenDeclarations(try Self.repository.referenceAsAnswer(to: kata))
      #expect(!stub.all.isEmpty, "\(kata.name)")
      #expect(reference.sentence(lacking: stub, saying: []) == nil, "\(kata.name)")
    }
  }
}

@Suite struct EditorCommandTests {
  @Test(arguments: [
    ("code", "code --goto '/a b/C.swift':7"),
    ("/usr/bin/code -n", "/usr/bin/code -n --goto '/a b/C.swift':7"),
    ("xed", "xed --line 7 '/a b/C.swift'"), ("bbedit", "bbedit +7 '/a b/C.swift'"),
    ("'/My Apps/bin/code' -n", "'/My Apps/bin/code' -n --goto '/a b/C.swift':7"),
    ("subl", "subl '/a b/C.swift':7"), ("emacsclient -n", "emacsclient -n +7 '/a b/C.swift'"),
    ("unheard-of", "unheard-of '/a b/C.swift'"),
    ("tmux split-window vim +{line} {file}", "tmux split-window vim +7 '/a b/C.swift'"),
  ])
  func `an editor is given the file and the line as it takes them`(text: String, line: String) {
    #expect(EditorCommand(text).shellLine(file: "/a b/C.swift", line: 7) == line)
  }

  @Test func `a name may hold what a shell would obey`() throws {
    let file = "/tmp/it's $HOME `x` {line}.swift"
    let line = EditorCommand("printf %s").shellLine(file: file, line: 7)
    let shell = ChildProcess("/bin/sh", ["-c", line], in: Fixtures.repository.root)
    try shell.start()
    #expect(shell.waitForEnd() == .exited(0))
    #expect(shell.output == file)
  }

  @Test func `without EDIT there is none`() {
    #expect(EditorCommand(environment: [:]) == nil)
    #expect(EditorCommand(environment: ["EDIT": " "]) == nil)
    #expect(EditorCommand(environment: ["EDIT": "code"]) == EditorCommand("code"))
  }
}
