import Foundation
import Testing

@testable import KataKit

/// What an answer prints, by the test that ran then.
@Suite struct PrintedTextTests {
  private func text(
    of test: String = "alpha", console hasConsole: Bool = false, _ chunks: String...
  ) -> String? {
    let printed = PrintedText(hasConsole: hasConsole)
    for chunk in chunks { Array(chunk.utf8).withUnsafeBytes(printed.take) }
    return printed.text(of: test)
  }

  @Test func `lines belong to the test whose mark came last, also where they come in pieces`() {
    let chunks = [
      "before\n\n\u{1}al", "pha\none\n\ntw", "o\n\n\u{1}beta\nthree\n\n\u{1}alpha\nfour",
    ]
    #expect(text(chunks[0], chunks[1], chunks[2]) == "one\ntwo\nfour")
    #expect(text(of: "beta", chunks[0], chunks[1], chunks[2]) == "three")
    #expect(text(of: "gamma", chunks[0], chunks[1], chunks[2]) == nil)
    #expect(text("\u{1}alpha\n\n  \n") == nil)
  }

  @Test func `of many runs in one test the lines of the last are kept, up to its end`() {
    let first = (1...50).map { "first \($0)\n" }.joined()
    let runs =
      "\u{1}alpha\nbefore\n\u{2}alpha\n\(first)\u{1}\nafter\n"
      + "\u{2}alpha\nsecond\n\u{1}\nend\n"
    #expect(text(runs) == "second")
    #expect(text(of: "", runs) == nil)
    #expect(text("\u{1}alpha\none\n\u{2}alpha\n\u{1}\nend\n") == nil)
  }

  @Test func `the lines of a schedule or of a sequence of calls are introduced as such`() {
    func shown(_ name: String) -> String {
      var verdict = Verdict(Fixtures.kata, .failed)
      verdict.tests = [TestReport(name: name, status: .failed, line: 1, id: name)]
      verdict.tests[0].printed = "1"
      return VerdictText(
        repository: Fixtures.repository, style: TextStyle(hasColours: false)
      ).details(verdict, Fixtures.kata)
    }
    #expect(shown("in every schedule it counts").contains("\n  Printed in this schedule:\n"))
    #expect(shown("in any sequence of calls it counts").contains("\n  Printed in these calls:\n"))
  }

  @Test(arguments: [1, 7, 1_000_000]) func `of many lines the first and the last are kept`(
    pieces: Int
  ) {
    let all = "\u{1}alpha\n" + (1...10_000).map { "\($0)\n" }.joined() + "\u{1}beta\nend\n"
    let printed = PrintedText(hasConsole: false)
    let bytes = Array(all.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      bytes[start..<min(start + pieces, bytes.count)].withUnsafeBytes(printed.take)
    }
    let lines =
      (1...10).map(String.init) + ["… 9980 more lines …"] + (9991...10_000).map(String.init)
    #expect(printed.text(of: "alpha") == lines.joined(separator: "\n"))
    #expect(printed.text(of: "beta") == "end")
  }

  @Test func `nothing that is printed moves a cursor, and no line is endless`() {
    #expect(text("\u{1}alpha\n\u{1B}[2Ja\tb\u{7}\r\n") == "[2Ja  b")
    let long = String(repeating: "é", count: 5000)
    #expect(text("\u{1}alpha\n\(long)\n") == "\(long.prefix(400))…")
  }

  @Test func `Swift Testing's own lines aren't the answer's`() {
    let lines =
      "\u{1}alpha\n\u{1B}[90m◇\u{1B}[0m Test started.\n✘ Test failed\nmine\n→ mine\n\u{1B}[1mfat\n"
    #expect(text(console: true, lines) == "mine\n→ mine\n[1mfat")
    let many = (1...50).map { "\($0)\n\u{1B}[91m✘\u{1B}[0m no\n" }.joined()
    #expect(text(console: true, "\u{1}alpha\n\(many)")?.contains("no") == false)
    #expect(text(lines)?.contains("✘ Test failed") == true)
  }

  @Test func `the stack that Swift's runtime prints isn't the answer's either`() {
    let trace = """
      Current stack trace:
      0    libswiftCore.so                    0x00007fbb7c3795e0 swift::fatalError + 25
      12   libFoundation.so                   0x00007fbb7c3783b7 <unavailable> + 3638199
      """
    #expect(text("\u{1}alpha\n1\n\(trace)\n") == "1")
    let many = (1...100).map { "\($0)\n" }.joined()
    #expect(text("\u{1}alpha\n\(many)\(trace)\n")?.hasSuffix("\n99\n100") == true)
  }

  // MARK: - The verdict

  @Test(arguments: [
    (100, "Tests/CancellationTests/CancelRace/CancelRaceTests.swift:123"),
    (60, "Tests/…/CancelRaceTests.swift:123"),
    (30, "…elRaceTests.swift:123"),
  ])
  func `a path that is too long for the screen keeps its line`(width: Int, place: String) {
    let style = TextStyle(hasColours: false, width: width, cutsLines: true)
    let path = "Tests/CancellationTests/CancelRace/CancelRaceTests.swift"
    let text = style.place(path, "123", indent: 8)
    #expect(text == place)
    #expect(text.count <= width - 8)
    #expect(
      TextStyle(hasColours: false, width: width).place(path, "123", indent: 8) == "\(path):123")
  }

  private func shown(_ change: (inout [TestReport]) -> Void) -> String {
    var verdict = Verdict(Fixtures.kata, .failed)
    verdict.tests = Fixtures.run(alpha: .passed, beta: .failed, gamma: .crashed).tests
    change(&verdict.tests)
    if verdict.firstFailure == nil { verdict.kind = .passed }
    let text = VerdictText(
      repository: Fixtures.repository, style: TextStyle(hasColours: false))
    return text.details(verdict, Fixtures.kata)
  }

  @Test func `the failing test's lines are shown, and that others printed too`() {
    let text = shown { tests in
      tests[0].printed = "from alpha"
      tests[1].printed = "from beta\nagain"
    }
    #expect(text.contains("\n  Printed in this test:\n\n    from beta\n    again\n"))
    #expect(!text.contains("from alpha"))
    #expect(text.contains("\n  It printed in 1 other test, too.\n"))
  }

  @Test func `where that one printed nothing, the first that did is shown`() {
    #expect(shown { $0[0].printed = "from alpha" }.contains("Printed in the test alpha:"))
    #expect(!shown { _ in }.contains("Printed in"))
    let passed = shown { tests in
      for index in tests.indices { tests[index].status = .passed }
      tests[2].printed = "from gamma"
    }
    #expect(passed.contains("Printed in the test gamma:\n\n    from gamma\n"))
    #expect(!passed.contains("other test"))
  }

  @Test func `where more than one test fails, a command is reported that shows them all`() {
    var verdict = Verdict(Fixtures.kata, .failed)
    verdict.tests = Fixtures.run(alpha: .failed, gamma: .crashed).tests
    let text = VerdictText(repository: Fixtures.repository, style: TextStyle(hasColours: false))
    let advice = "'make run KATA=Sample ALL=1' shows every failure."
    func summary(_ verdict: Verdict, showsAll: Bool = false) -> String {
      text.summary(verdict, Fixtures.kata, showsAll: showsAll).replacing("\n", with: " ")
    }
    #expect(summary(verdict).contains(advice))
    #expect(!summary(verdict, showsAll: true).contains(advice))
    verdict.kind = .notStarted
    #expect(!summary(verdict).contains(advice))
  }

  @Test func `the last words of a crash aren't told twice`() {
    let text = shown { tests in
      tests[1].status = .crashed
      tests[1].crash = "It said: a.swift:3: Fatal error: dry"
      tests[1].printed = "a.swift:3: Fatal error: dry"
    }
    #expect(!text.contains("Printed in"))
  }
}
