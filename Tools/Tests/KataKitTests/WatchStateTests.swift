import Foundation
import Testing

@testable import KataKit

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
    verdict.tests[1].issues[0] = verdict.tests[1].issues[0].saying(
      "held", heldAt: [TestIssue.Line(file: "/own.swift", line: 5)])
    state.end(.verdict(verdict))
    #expect(state.lineInOwnFile { $0 == "/own.swift" } == 5)
    _ = state.press(.character("f"))
    #expect(state.lineInOwnFile { $0 == "/own.swift" } == nil)
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
