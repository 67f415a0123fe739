import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct ProseTests {
  @Test(arguments: [
    ("Submit it with async.", "Submit it with async."),
    ("call `done` first", "call `done` first"),
    ("`a<b>` and `c*`", "`a<b>` and `c*`"),
    ("a lone ` here", "a lone \\` here"),
    ("a <b and c* d _now_ ~x~ &amp;", #"a \<b and c\* d \_now\_ \~x\~ \&amp;"#),
  ])
  func `what stands between backticks is code, and the rest is text`(
    text: String, markdown: String
  ) {
    #expect(Prose(text).markdown == markdown)
  }

  @Test(arguments: [
    ("either | or", "either \\| or"), ("code with a `|` in it", "code with a `\\|` in it"),
    ("none", "none"),
  ])
  func `a bar doesn't end a cell`(text: String, cell: String) {
    #expect(text.cell == cell)
  }

  @Test(arguments: [
    ("- first", "\\- first"), ("1. first", "1\\. first"), ("@Row is a word", "\\@Row is a word"),
    ("} ends", "\\} ends"), ("# first", "\\# first"),
  ])
  func `the beginning of a line makes no list and no directive`(text: String, markdown: String) {
    #expect(Prose(text).markdown == markdown)
  }

  @Test func `several lines become one`() {
    #expect(Prose("one\ntwo\n\n- three").markdown == "one two - three")
  }

  @Test func `an argument of a directive has no quotes in it`() {
    #expect(Prose.argument("say \"no\"\nto `it`\\") == "say 'no' to it")
  }

  @Test func `a heading begins with a capital unless it begins with code`() {
    #expect("no barrier".sentenceCased == "No barrier")
    #expect("`isReady` forgets super".sentenceCased == "`isReady` forgets super")
  }

  @Test(arguments: Catalogue.katas.map(\.name)) func `the Markdown of a kata leaves no code open`(
    name: String
  ) throws {
    let kata = try Catalogue.kata(named: name)
    for text in kata.hints + kata.mistakes.flatMap({ [$0.name, $0.advice] }) {
      #expect(text.count { $0 == "`" }.isMultiple(of: 2), "'\(text)' leaves code open")
    }
  }
}
