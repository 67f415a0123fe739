import Foundation
import Testing

@testable import KataKit

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

  @Test mutating func `a failure is reported in this order: what broke, where, what else passed`()
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
