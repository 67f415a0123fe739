import Foundation
import KataTesting
import Testing

@testable import KataKit
@testable import KataTeacher

/// Code from an app: finding it, what it lacks, and what its verdict comes to.
@Suite struct AppCodeTests {
  private let kata = Fixtures.kata

  // MARK: - Files

  @Test func `a folder stands for all Swift files in it, but hidden ones and the adapter`() throws {
    try Fixtures.withEmptyRepository { repository in
      for path in ["b.swift", "a/c.swift", ".hidden/d.swift", "notes.md", "Adapter.swift"] {
        try repository.write("", to: "app/\(path)")
      }
      let folder = repository.url("app").path
      let code = try AppCode([folder], as: kata, adapter: "\(folder)/Adapter.swift")
      #expect(code.files.map { repository.short($0.path) } == ["app/a/c.swift", "app/b.swift"])
      #expect(code.sources.last?.lastPathComponent == "Adapter.swift")
    }
  }

  @Test(arguments: [
    (["nowhere.swift"], nil, "There is no readable file '…/nowhere.swift'; name a Swift file."),
    (["notes.md"], nil, "'…/notes.md' isn't a Swift file; name one whose name ends in .swift."),
    (["empty"], nil, "There is no Swift file in '…/empty'; name the file to judge."),
    (
      ["a.swift"], "empty",
      "There is no readable file '…/empty'; name a Swift file."
    ),
    (
      ["a.swift", "twice/a.swift"], nil,
      "Two files are called 'a.swift', but a module can't have both: …/a.swift and …/twice/a.swift; name the one that counts."
    ),
    (
      ["a.swift"], "a.swift",
      "There is no code beside the adapter or the scenario; name the files with the code as well."
    ),
  ]) func `what can't be judged gets one sentence`(
    paths: [String], adapter: String?, sentence: String
  ) throws {
    try Fixtures.withEmptyRepository { repository in
      for path in ["a.swift", "notes.md", "empty/.swift", "twice/a.swift"] {
        try repository.write("", to: path)
      }
      func path(_ name: String) -> String { repository.url(name).path }
      let error = try #require(throws: KataError.self) {
        try AppCode(paths.map(path), as: kata, adapter: adapter.map(path))
      }
      #expect(error.exitCode == .usage)
      #expect(error.description.replacing(repository.root.path, with: "…") == sentence)
    }
  }

  @Test func `a scenario stands in for a kata, and isn't taken for code`() throws {
    try Fixtures.withEmptyRepository { repository in
      try repository.write("", to: "app/Account.swift")
      try repository.write("@Suite(.kata) struct AccountTests {}", to: "app/AccountTests.swift")
      let folder = repository.url("app").path
      let code = try AppCode([folder], by: "\(folder)/AccountTests.swift", adapter: nil)
      #expect(code.sources.map(\.lastPathComponent) == ["Account.swift"])
      #expect(code.kata.name == "AccountTests")
      try repository.write("@Suite struct AccountTests {}", to: "app/AccountTests.swift")
      let error = try #require(throws: KataError.self) {
        try AppCode([folder], by: "\(folder)/AccountTests.swift", adapter: nil)
      }
      #expect(error.exitCode == .usage)
      #expect(error.description.hasSuffix("write '@Suite(.kata) struct AccountTests { … }'."))
    }
  }

  // MARK: - The verdict

  private func verdict(
    _ alpha: TestReport.Status, _ beta: TestReport.Status, _ kind: Verdict.Kind = .failed
  ) -> AppCodeVerdict {
    var verdict = Verdict(kata, kind)
    verdict.tests = Fixtures.run(alpha: alpha, beta: beta).tests
    if verdict.firstFailure == nil { verdict.kind = .passed }
    let kata = Kata(
      "Sample", module: .barriers, title: "", difficulty: 1, minutes: 1, hints: [], mistakes: [],
      rightAnswers: [], beyondOperation: [BeyondOperation(verdict.tests[0].name, "why")])
    return AppCodeVerdict(verdict, on: kata)
  }

  @Test func `the contract is kept where nothing fails but what goes beyond it`() {
    for status in [TestReport.Status.failed, .hung, .crashed] {
      #expect(verdict(status, .passed).keepsContract)
      #expect(verdict(status, .passed).exitCode == .keepsContract)
      #expect(!verdict(status, .failed).keepsContract)
      #expect(!verdict(.passed, status).keepsContract)
      #expect(verdict(.passed, status).exitCode == .notDone)
    }
    #expect(!verdict(.failed, .notReached).keepsContract, "what wasn't run isn't known")
    #expect(verdict(.passed, .passed).exitCode == .done)
  }

  @Test func `a race that a schedule shows stays one`() {
    #expect(verdict(.passed, .failed, .race).verdict.kind == .race)
  }

  @Test func `what goes beyond it decides nothing while something else is broken`() {
    #expect(verdict(.crashed, .failed).verdict.kind == .failed)
    #expect(verdict(.failed, .hung).verdict.kind == .hung)
    #expect(verdict(.failed, .hung).contractFailure?.status == .hung)
  }

  @Test func `a race or a refusal keeps no contract`() {
    for kind in [Verdict.Kind.race, .doesNotCompile] {
      var judged = verdict(.failed, .passed)
      judged.verdict.kind = kind
      #expect(!judged.keepsContract)
    }
  }

  @Test func `in JUnit's words what goes beyond a contract that is kept is skipped`() throws {
    try Fixtures.withEmptyRepository { repository in
      try repository.write("", to: "a.swift")
      let code = try AppCode([repository.url("a.swift").path], as: kata, adapter: nil)
      func text(_ judged: AppCodeVerdict) -> String {
        JUnitReport(
          report: Report([KataReport(judged, on: code, in: repository, seconds: 0)])
        ).text
      }
      let kept = text(verdict(.failed, .passed))
      #expect(kept.contains(#"failures="0""#) && kept.contains(#"skipped="1""#))
      #expect(kept.contains(#"file="a.swift""#))
      let broken = text(verdict(.failed, .failed))
      #expect(broken.contains(#"failures="2""#) && !broken.contains("<skipped"))
    }
  }

  // MARK: - What it lacks

  /// The graph that the compiler would write of declarations, told by kind, path, access and text.
  private func declarations(
    _ symbols: [(kind: String, path: String, text: String)], inheriting: [String: String] = [:]
  ) throws -> Declarations {
    let graph: [String: Any] = [
      "symbols": symbols.map { symbol in
        [
          "identifier": ["precise": symbol.path], "kind": ["identifier": "swift.\(symbol.kind)"],
          "pathComponents": symbol.path.components(separatedBy: "."),
          "accessLevel": symbol.kind == "class" && !symbol.text.contains("final")
            ? "open" : "public",
          "declarationFragments": [["kind": "text", "spelling": symbol.text]],
        ] as [String: Any]
      },
      "relationships": inheriting.map { ["kind": "inheritsFrom", "source": $0, "target": $1] },
    ]
    return try Fixtures.withEmptyRepository { repository in
      try repository.write(
        JSONSerialization.data(withJSONObject: graph), to: "Stub.symbols.json")
      return try Declarations(of: "Stub", in: repository.root.path)
    }
  }

  private let stubText = """
    import Foundation

    open class Sample: Operation, @unchecked Sendable {  // Safe: not yet.
    }
    """

  private func stub() throws -> Declarations {
    try declarations([
      ("class", "Sample", "class Sample"), ("init", "Sample.init()", "override init()"),
      ("property", "Sample.isDone", "override var isDone: Bool { get }"),
      ("method", "Sample.finish()", "final func finish()"),
    ])
  }

  @Test func `a class that others override is given what it lacks by a subclass of its name`()
    throws
  {
    let own = try declarations([("class", "Sample", "class Sample")])
    let gap = InterfaceGap(between: own, and: try stub(), of: kata, stub: stubText)
    #expect(gap.missing.map(\.path) == [["Sample", "finish()"]])
    #expect(
      gap.adapter == [
        "import Foundation", "", "class AdaptedSample: Sample {",
        "  func finish() {",
        "    <#call yours#>", "  }", "}",
      ])
    #expect(gap.text.contains("    Sample: func finish()\n"))
  }

  @Test func `a type of another name gets the kata's`() throws {
    let own = try declarations([
      ("struct", "Helper", "struct Helper"), ("class", "Other", "class Other"),
      ("class", "Base", "class Base"), ("method", "Base.finish()", "func finish()"),
    ])
    let gap = InterfaceGap(between: own, and: try stub(), of: kata, stub: stubText)
    #expect(gap.adapter == ["import Foundation", "", "typealias Sample = Base"])
  }

  @Test func `what a superclass in the code has isn't missing`() throws {
    let own = try declarations(
      [
        ("class", "Base", "class Base"), ("method", "Base.finish()", "func finish()"),
        ("class", "Sample", "class Sample"),
      ], inheriting: ["Sample": "Base"])
    #expect(InterfaceGap(between: own, and: try stub(), of: kata, stub: stubText).missing.isEmpty)
  }

  @Test func `what is declared otherwise is reported beside what is expected`() throws {
    let own = try declarations([
      ("class", "Sample", "class Sample"),
      ("method", "Sample.finish()", "func finish() async"),
    ])
    let gap = InterfaceGap(between: own, and: try stub(), of: kata, stub: stubText)
    #expect(gap.missing.isEmpty)
    #expect(gap.different.map(\.expected) == ["Sample: func finish()"])
    #expect(gap.different.map(\.found) == ["Sample: func finish() async"])
    #expect(gap.text.contains("yours: Sample: func finish() async"))
  }

  @Test func `a type that nothing in the code could be is begun as the stub begins it`() throws {
    let gap = InterfaceGap(
      between: try declarations([("struct", "Other", "struct Other")]), and: try stub(), of: kata,
      stub: stubText)
    #expect(
      gap.adapter == [
        "import Foundation", "",
        "class Sample: Operation, @unchecked Sendable {", "  func finish() {",
        "    <#call yours#>", "  }", "}",
      ])
  }

  @Test(arguments: [
    ("class", "final class Sample", "Your Sample is final"),
    ("class", "@MainActor class Sample", "Your Sample is isolated to the main actor"),
    ("struct", "struct Sample", "Your Sample is a struct, and the spec's is a class"),
  ]) func `what a name can't tell is reported`(kind: String, text: String, sentence: String) throws
  {
    let own = try declarations([
      (kind, "Sample", text), ("method", "Sample.finish()", "func finish()"),
    ])
    let gap = InterfaceGap(between: own, and: try stub(), of: kata, stub: stubText)
    #expect(gap.text.hasPrefix(sentence))
  }

  @Test func `a class without init() is reported that it needs one`() throws {
    let own = try declarations([
      ("class", "Sample", "class Sample"), ("method", "Sample.finish()", "func finish()"),
      ("init", "Sample.init(name:)", "init(name: String)"),
    ])
    let gap = InterfaceGap(between: own, and: try stub(), of: kata, stub: stubText)
    #expect(
      gap.obstacles == [
        "Your Sample has no init() without arguments, but the spec's operations call it."
      ])
  }
}
