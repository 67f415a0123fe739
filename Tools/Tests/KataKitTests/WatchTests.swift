import Foundation
import Testing

@testable import KataKit

@Suite struct KeyReaderTests {
  @Test(arguments: [
    ("h", [Key.character("h")]),
    ("é👍", [.character("é"), .character("👍")]),
    ("\u{1B}[A\u{1B}[B", [.up, .down]),
    ("\u{1B}OA\u{1B}OB", [.up, .down]),
    ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
    ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]),
    ("\r\u{7F}\n", [.enter, .backspace, .enter]),
    ("\u{1B}[15~x", [.character("x")]),
    ("\u{01}q", [.character("q")]),
  ])
  func `bytes are told as keys`(bytes: String, keys: [Key]) {
    var reader = KeyReader()
    #expect(reader.keys(of: Array(bytes.utf8)) == keys)
    #expect(!reader.isWaiting)
  }

  @Test func `a key may come in pieces`() {
    var reader = KeyReader()
    #expect(reader.keys(of: [0x1B]) == [])
    #expect(reader.keys(of: [UInt8(ascii: "[")]) == [])
    #expect(reader.isWaiting)
    #expect(reader.keys(of: [UInt8(ascii: "A")]) == [.up])
    let letter = Array("é".utf8)
    #expect(reader.keys(of: [letter[0]]) == [])
    #expect(reader.keys(of: [letter[1]]) == [.character("é")])
  }

  @Test func `an escape that nothing follows is the escape key`() {
    var reader = KeyReader()
    #expect(reader.keys(of: [0x1B]) == [])
    #expect(reader.giveUpWaiting() == [.escape])
    #expect(!reader.isWaiting)
    #expect(reader.keys(of: [0x1B, UInt8(ascii: "q")]) == [.escape, .character("q")])
  }

  @Test func `bytes that are no text are skipped`() {
    var reader = KeyReader()
    #expect(
      reader.keys(of: [0xFF, 0xC3, 0x28, UInt8(ascii: "q")]) == [.character("("), .character("q")])
  }
}

@Suite struct ScreenTextTests {
  private let red = "\u{1B}[31m"
  private let plain = "\u{1B}[0m"

  @Test(arguments: [
    ("abc", 3), ("ä├─", 3), ("日本", 4), ("👍🏽", 2), ("\u{1B}[31ma\u{1B}[0m", 1), ("", 0),
  ])
  func `width is counted in columns`(text: String, columns: Int) {
    #expect(ScreenText.width(of: text) == columns)
  }

  @Test func `what fits stays, and what doesn't says so`() {
    #expect(ScreenText.clipped("abcd", to: 4) == "abcd")
    #expect(ScreenText.clipped("abcde", to: 4) == "abc…")
    #expect(ScreenText.clipped("日本語", to: 5) == "日本…")
    #expect(ScreenText.clipped("a", to: 0) == "")
  }

  @Test func `a colour ends where its text is cut off`() {
    #expect(ScreenText.clipped("\(red)abcde\(plain)", to: 3) == "\(red)ab…\(plain)")
    #expect(ScreenText.clipped("\(red)abc\(plain)", to: 3) == "\(red)abc\(plain)")
  }

  @Test func `a place is a link where the terminal makes links, and takes no more columns`() {
    let path = "Tests/A b/C.swift"
    let style = TextStyle(hasColours: false, width: 80, linkRoot: "/root/of it")
    let place = style.place(path, "12:5", indent: 4)
    let link = "\u{1B}]8;;file:///root/of%20it/Tests/A%20b/C.swift#L12\u{1B}\\"
    #expect(place == "\(link)\(path):12:5\u{1B}]8;;\u{1B}\\")
    #expect(ScreenText.width(of: place) == path.count + 5)
    #expect(ScreenText.clipped(place, to: 80) == place)
    #expect(ScreenText.clipped(place, to: 6) == "\(link)Tests…\u{1B}]8;;\u{1B}\\")
    #expect(TextStyle(hasColours: false).place(path, "12", indent: 4) == "\(path):12")
    #expect(ScreenText.clipped("\u{1B}]8;;https://a.b\u{1B}\\x", to: 80) == "]8;;https://a.b\\x")
  }

  @Test(arguments: [
    (["TERM_PROGRAM": "iTerm.app"], true), (["TERM_PROGRAM": "Apple_Terminal"], false),
    (["VTE_VERSION": "7600"], true), (["VTE_VERSION": "4600"], false), ([:], false),
    (["KITTY_WINDOW_ID": "1"], true), (["TERM_PROGRAM": "vscode", "TMUX": "/tmp/x"], false),
  ])
  func `links are made where terminals know them`(environment: [String: String], hasLinks: Bool) {
    #expect(TextStyle.hasLinks(environment) == hasLinks)
  }

  @Test func `nothing in a text can move the cursor`() {
    #expect(ScreenText.clipped("a\u{1B}[2Jb\u{07}c\rd\te", to: 20) == "a[2Jbcd  e")
  }
}

@Suite struct WatchStateTests {
  private var state = WatchState(kata: Catalogue.katas[0], progress: KataKit.Progress())

  @Test mutating func `each key has its action`() {
    #expect(state.press(.character("q")) == .quit)
    #expect(state.press(.character("r")) == .run)
    #expect(state.press(.character("h")) == .nextHint)
    #expect(state.press(.endOfInput) == .quit)
    #expect(state.press(.character("n")) == .open(Catalogue.katas[1].name))
    #expect(state.press(.character("z")) == nil)
  }

  @Test mutating func `next passes over what is done, and previous doesn't`() {
    let katas = Catalogue.katas
    state.progress = done(katas[1], katas[2])
    #expect(state.next?.name == katas[3].name)
    state.open(katas[3])
    #expect(state.previous?.name == katas[2].name)
    #expect(state.next?.name == katas[4].name)
    state.open(katas[katas.count - 1])
    #expect(state.next?.name == katas[0].name)
  }

  @Test mutating func `where all is done, next is the kata after this one`() {
    state.progress = done(Catalogue.katas)
    #expect(state.next?.name == Catalogue.katas[1].name)
    state.open(Catalogue.katas[Catalogue.katas.count - 1])
    #expect(state.press(.character("n")) == nil)
    #expect(state.notice == "This is the last kata.")
    #expect(state.press(.character("z")) == nil)
    #expect(state.notice == nil)
  }

  @Test mutating func `reset asks first`() {
    #expect(state.press(.character("x")) == nil)
    #expect(state.page == .question(.reset))
    #expect(state.press(.character("n")) == nil)
    #expect(state.page == .verdict)
    _ = state.press(.character("x"))
    #expect(state.press(.character("y")) == .reset)
  }

  @Test mutating func `the stub itself can't be reset`() {
    state.isStub = true
    #expect(state.press(.character("x")) == nil)
    #expect(state.page == .verdict)
    #expect(state.notice == "The file is the stub already.")
  }

  @Test mutating func `docs are the kata's page, and then its chapter`() throws {
    let kata = state.kata
    #expect(state.press(.character("d")) == .showPage(kata.name))
    state.showPage(try DocumentationPage(kata.name, in: Fixtures.repository))
    #expect(state.press(.character("d")) == .showPage(kata.module.rawValue))
    state.showPage(try DocumentationPage(kata.module.rawValue, in: Fixtures.repository))
    #expect(state.press(.character("d")) == .showPage(kata.name))
    #expect(state.press(.escape) == nil)
    #expect(state.page == .verdict)
  }

  @Test mutating func `the solution is the difference, and then the whole reference`() {
    let solution = SolutionText(own: "a\n", at: "A", reference: "b\n", at: "B")
    state.showSolution(solution)
    #expect(state.page == .solution(solution, isWhole: false))
    _ = state.press(.character("s"))
    #expect(state.page == .solution(solution, isWhole: true))
    _ = state.press(.character("s"))
    #expect(state.page == .solution(solution, isWhole: false))
  }

  @Test mutating func `a question mark explains the keys, each of which does something`() {
    _ = state.press(.character("?"))
    #expect(state.page == .keys)
    #expect(
      WatchView.keys.map(\.key) == [
        "h", "d", "f", "n", "p", "l", "s", "e", "t", "x", "r", "q", "↑ ↓", "esc",
      ])
  }

  @Test mutating func `the editor opens the file, and the test that is shown`() {
    #expect(state.press(.character("e")) == .edit)
    #expect(state.press(.character("t")) == nil)
    #expect(state.notice == "No test has failed.")
    var verdict = Verdict(state.kata, .failed)
    verdict.tests = ["one", "two"].map { name in
      var test = TestReport(name: name, status: .failed, line: 1, id: name)
      test.issues = [
        TestIssue(expectation: "", message: name, file: "/\(name).swift", line: name.count)
      ]
      return test
    }
    state.end(.verdict(verdict))
    #expect(state.press(.character("t")) == .editSpec(file: "/one.swift", line: 3))
    _ = state.press(.character("f"))
    #expect(state.press(.character("t")) == .editSpec(file: "/two.swift", line: 3))
    #expect(state.lineInOwnFile { _ in true } == nil)
    var refused = Verdict(state.kata, .doesNotCompile)
    refused.compilerMessages = [("/other.swift", 1), ("/own.swift", 7)].map {
      CompilerMessage(file: $0, line: $1, column: 1, message: "", excerpt: [])
    }
    state.end(.verdict(refused))
    #expect(state.lineInOwnFile { $0 == "/own.swift" } == 7)
  }

  @Test mutating func `a sentence about a key stays while its own run goes on, and no longer`() {
    state.notice = "The stub again."
    state.begin()
    #expect(state.notice == "The stub again.")
    state.begin()
    #expect(state.notice == nil)
  }

  @Test mutating func `a module begins once`() {
    let first = Catalogue.katas(of: .barriers)
    #expect(state.progress.beginsModule(first[0]) && !state.progress.beginsModule(first[1]))
    state.progress.record(Verdict(first[1], .failed))
    #expect(!state.progress.beginsModule(first[0]))
  }

  @Test mutating func `the solution asks first, unless the kata is done`() {
    #expect(state.press(.character("s")) == nil)
    #expect(state.press(.escape) == nil)
    _ = state.press(.character("s"))
    #expect(state.press(.character("y")) == .showSolution)
    state.progress = done(state.kata)
    #expect(state.press(.character("s")) == .showSolution)
  }

  @Test mutating func `a run that begins shows its verdict`() {
    _ = state.press(.character("l"))
    state.begin()
    #expect(state.page == .verdict)
    #expect(state.activity == .building)
  }

  @Test mutating func `a question stays until it is answered`() {
    _ = state.press(.character("x"))
    state.begin()
    #expect(state.press(.character("n")) == nil)
    #expect(state.page == .verdict)
  }

  @Test mutating func `the first failure is shown while the others still run`() {
    state.hear(.testing)
    state.hear(.news(.failed(TestReport(name: "one", status: .failed, line: 1, id: "1"))))
    state.hear(.news(.failed(TestReport(name: "two", status: .failed, line: 2, id: "2"))))
    guard case .failing(let test) = state.outcome else {
      Issue.record("The failure isn't shown.")
      return
    }
    #expect(test.name == "one")
    #expect(state.activity == .finishing)
  }

  @Test mutating func `a spec that has passed shows how many schedules were tried`() {
    state.hear(.testing)
    state.hear(.news(.explored(412)))
    #expect(state.activity == .exploring(412))
    state.hear(.checkingForRaces)
    #expect(state.activity == .checkingForRaces)
  }

  @Test mutating func `the list finds a kata by what it is typed`() throws {
    _ = state.press(.character("l"))
    for letter in "photo" { _ = state.press(.character(letter)) }
    guard case .list(let list) = state.page else {
      Issue.record("The list has gone.")
      return
    }
    #expect(list.katas.contains { $0.name == "PhotoStore" })
    #expect(list.katas.count < Catalogue.katas.count)
    #expect(state.press(.enter) == .open(try #require(list.selected)))
  }

  @Test mutating func `escape clears a search, and then leaves the list`() {
    _ = state.press(.character("l"))
    for letter in "zzz" { _ = state.press(.character(letter)) }
    #expect(state.press(.enter) == nil)
    _ = state.press(.escape)
    #expect(state.page == .list(KataList(selecting: Catalogue.katas[0].name)))
    _ = state.press(.escape)
    #expect(state.page == .verdict)
  }

  @Test func `the selection moves among what is found, and no further`() {
    var list = KataList(selecting: Catalogue.katas[0].name)
    list.press(.up, visibleRows: 5)
    #expect(list.selectedIndex == 0)
    list.press(.pageDown, visibleRows: 5)
    #expect(list.selectedIndex == 4)
    list.press(.end, visibleRows: 5)
    #expect(list.selectedIndex == Catalogue.katas.count - 1)
    list.press(.pageUp, visibleRows: 5)
    #expect(list.selectedIndex == Catalogue.katas.count - 5)
    list.press(.home, visibleRows: 5)
    #expect(list.selected == Catalogue.katas[0].name)
  }

  private func done(_ katas: Kata...) -> KataKit.Progress { done(katas) }

  private func done(_ katas: [Kata]) -> KataKit.Progress {
    var progress = KataKit.Progress()
    for kata in katas { progress.record(Verdict(kata, .passed)) }
    return progress
  }
}

@Suite struct WatchViewTests {
  private var state = WatchState(kata: Catalogue.katas[0], progress: KataKit.Progress())

  @Test(arguments: [(80, 24), (40, 12), (24, 8), (132, 50), (10, 3)])
  mutating func `no page is wider or longer than its screen`(columns: Int, rows: Int) {
    let keys: [[Key]] = [
      [], [.character("l")], [.character("l"), .end], [.character("x")], [.character("s")],
    ]
    for outcome in outcomes {
      for keys in keys {
        state.open(state.kata)
        state.end(outcome)
        for key in keys { _ = state.press(key) }
        let lines = draw(columns, rows)
        #expect(lines.count <= rows)
        for line in lines { #expect(ScreenText.width(of: line) <= columns, "\(line)") }
      }
    }
  }

  @Test mutating func `a failure is told in this order: what broke, where, what else passed`()
    throws
  {
    state.end(outcomes[2])
    let text = draw(80, 40).joined(separator: "\n")
    let parts = ["· failed", "✘ alpha", "The promise was broken", "Spec.swift:7", "✔ beta"]
    let places = try parts.map { try #require(text.range(of: $0)?.lowerBound, "\($0) in \(text)") }
    #expect(places == places.sorted())
  }

  @Test mutating func `a key goes from one failing test to the next, with what it printed`() throws
  {
    #expect(state.press(.character("f")) == nil)
    #expect(state.notice == "No test has failed.")
    state.end(outcomes[2])
    _ = state.press(.character("f"))
    #expect(state.notice == "No other test has failed.")
    #expect(!draw(80, 40).joined().contains("next failure"))

    guard case .verdict(var verdict) = outcomes[2] else { return }
    verdict.tests[1].status = .hung
    verdict.tests[1].issues = [
      TestIssue(expectation: "", message: "It waits.", file: "/elsewhere/Spec.swift", line: 9)
    ]
    verdict.tests[0].printed = "from alpha"
    verdict.tests[1].printed = "from beta"
    state.end(.verdict(verdict))
    let first = draw(80, 40).joined(separator: "\n")
    #expect(first.contains("✘ alpha (failure 1 of 2)") && first.contains("from alpha"))
    #expect(first.contains("f next failure"))
    _ = state.press(.character("f"))
    let second = draw(80, 40).joined(separator: "\n")
    #expect(second.contains("✘ beta (failure 2 of 2)") && second.contains("It waits."))
    #expect(second.contains("from beta") && !second.contains("from alpha"))
    _ = state.press(.character("f"))
    #expect(draw(80, 40).joined().contains("(failure 1 of 2)"))
    _ = state.press(.character("f"))
    state.begin()
    state.end(.verdict(verdict))
    #expect(
      draw(80, 40).joined().contains("(failure 1 of 2)"), "A new verdict begins with the first.")
  }

  @Test mutating func `what is longer than the screen can be scrolled to its end`() {
    state.end(.refused((1...60).map { " line \($0)" }.joined(separator: "\n")))
    #expect(draw(80, 24).joined().contains("line 1"))
    #expect(draw(80, 24).joined().contains("of 60"))
    _ = state.press(.end)
    #expect(draw(80, 24).joined().contains("line 60"))
    _ = state.press(.pageUp)
    _ = state.press(.home)
    #expect(draw(80, 24).joined().contains("line 1"))
  }

  @Test mutating func `the keys are shown, in as many rows as they need`() {
    state.end(outcomes[2])
    for word in ["hint", "next", "previous", "list", "solution", "reset", "run", "quit"] {
      #expect(draw(80, 24).suffix(3).joined().contains(word))
      #expect(draw(30, 24).suffix(6).joined().contains(word))
    }
    _ = state.press(.character("x"))
    #expect(draw(80, 24).joined().contains("y yes"))
  }

  @Test mutating func `after the last hint no other is offered`() {
    state.showHints(1)
    #expect(draw(80, 24).joined().contains("h next hint"))
    state.showHints(3)
    #expect(!draw(80, 24).joined().contains("h next hint"))
    #expect(draw(80, 40).joined().contains("Hint 3 of 3"))
  }

  @Test mutating func `before a module's first kata its chapter is named, once`() {
    state.end(.verdict(Verdict(Catalogue.katas[0], .notStarted)))
    #expect(draw(80, 40).joined(separator: " ").contains("GCDBasics begins here; d, pressed twice"))
    state.progress.record(Verdict(Catalogue.katas[0], .failed))
    #expect(!draw(80, 40).joined(separator: " ").contains("begins here"))
  }

  @Test(arguments: [(60, 20), (80, 24), (100, 40)])
  mutating func `every page fits every window`(columns: Int, rows: Int) throws {
    let kata = state.kata
    let all: [(inout WatchState) throws -> Void] = [
      { $0.showHints(3) }, { _ = $0.press(.character("l")) }, { _ = $0.press(.character("?")) },
      { $0.showPage(try DocumentationPage(kata.name, in: Fixtures.repository)) },
      {
        $0.showSolution(
          SolutionText(
            own: "a\n", at: "Katas/\(kata.file)",
            reference: try Fixtures.repository.referenceAsAnswer(to: kata),
            at: "Modules/\(kata.file)"))
      },
      { _ = $0.press(.character("x")) },
    ]
    for show in all {
      _ = state.press(.escape)
      try show(&state)
      let lines = draw(columns, rows)
      #expect(lines.count == rows)
      for line in lines { #expect(ScreenText.width(of: line) <= columns) }
      #expect(!lines.contains { $0.hasSuffix("…") && !$0.contains(" ") }, "\(lines)")
    }
  }

  @Test mutating func `a title gives up what matters less before it is cut`() {
    let kata = Catalogue.katas[2]
    state.open(kata)
    #expect(draw(100, 24)[1].hasSuffix(kata.module.rawValue))
    #expect(draw(60, 24)[1].hasPrefix("\(kata.name)  ") && draw(60, 24)[1].hasSuffix(kata.title))
  }

  @Test mutating func `the list keeps the selected kata on the screen`() {
    _ = state.press(.character("l"))
    for _ in Catalogue.katas.dropLast() { _ = state.press(.down) }
    #expect(
      draw(80, 24).contains {
        $0.hasPrefix("›") && $0.contains(Catalogue.katas[Catalogue.katas.count - 1].name)
      })
  }

  @Test mutating func `without colours nothing but text is drawn`() {
    state.end(outcomes[2])
    #expect(!draw(80, 24).joined().contains("\u{1B}"))
  }

  private var outcomes: [WatchState.Outcome] {
    var failed = Verdict(Catalogue.katas[0], .failed)
    var test = TestReport(name: "alpha", status: .failed, line: 1, id: "1")
    test.issues = [
      TestIssue(
        expectation: "Expectation failed: a == b", message: "The promise was broken.\n  a ├──┤ b",
        file: "/elsewhere/Spec.swift", line: 7)
    ]
    failed.tests = [test, TestReport(name: "beta", status: .passed, line: 2, id: "2")]
    return [.nothing, .refused("The disk is full; free some space."), .verdict(failed)]
  }

  private mutating func draw(_ columns: Int, _ rows: Int) -> [String] {
    WatchView(
      repository: Fixtures.repository, style: TextStyle(hasColours: false, width: columns - 2),
      columns: columns, rows: rows
    ).draw(&state)
  }
}
