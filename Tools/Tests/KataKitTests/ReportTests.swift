import Foundation
import Testing

@testable import KataKit
@testable import KataTeacher

@Suite struct ReportTests {
  private let repository = Fixtures.repository

  @Test(arguments: Verdict.Kind.allCases)
  func `a verdict keeps its word`(kind: Verdict.Kind) {
    #expect(Outcome(kind).rawValue == kind.rawValue)
  }

  @Test func `the shape has its version and every word`() throws {
    let report = Report(Samples.all)
    let text = try JSONText.of(report)
    let shape = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(Set(shape.keys) == ["version", "summary", "katas"])
    #expect(shape["version"] as? Int == 1)
    #expect(
      Set(report.summary.verdicts.keys) == [
        "notStarted", "doesNotCompile", "failed", "race", "hung", "crashed",
        "racesNotChecked", "passed", "error",
      ])
    #expect(
      Set(report.summary.tests.keys) == ["passed", "failed", "hung", "crashed", "notReached"])
    #expect(report.summary.katas == Samples.all.count)
    #expect(report.summary.verdicts.values.reduce(0, +) == Samples.all.count)
    let katas = try #require(shape["katas"] as? [[String: Any]])
    for kata in katas {
      #expect(
        Set(kata.keys).subtracting(["message", "schedules"]) == [
          "kata", "module", "title", "file", "spec", "verdict", "seconds", "tests",
          "compilerMessages", "race", "looksLike", "notes",
        ])
    }
    let tests = katas.compactMap { $0["tests"] as? [[String: Any]] }.flatMap { $0 }
    for test in tests {
      #expect(Set(test.keys).isSuperset(of: ["name", "status", "file"]))
      #expect(
        Set(test.keys).isSubset(of: [
          "name", "status", "message", "expected", "file", "line", "testFile", "testLine",
          "heldAt",
        ]))
    }
    // Reading it back gives what was written.
    let copy = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
    #expect(try JSONText.of(copy) == text)
  }

  @Test func `a pass in which nothing ran is an error`() {
    for statuses in [[], [.notReached], [.passed, .notReached], [.passed, .failed]]
      as [[TestReport.Status]]
    {
      let kata = Samples.report(.passed, statuses)
      #expect(kata.verdict == .error)
      #expect(Report([kata]).exitCode == .notDone)
      #expect(kata.problem?.sentence == kata.message)
    }
    #expect(Samples.report(.passed, [.passed]).verdict == .passed)
    #expect(Report([Samples.report(.passed, [.passed])]).exitCode == .done)
  }

  @Test func `a kata that isn't done has a failing test or a problem`() {
    for kind in Verdict.Kind.allCases where kind != .passed {
      for statuses in [[], [.passed], [.notReached], [.passed, .notReached]]
        as [[TestReport.Status]]
      {
        #expect(Samples.report(kind, statuses).problem != nil, "\(kind), \(statuses)")
      }
    }
    #expect(Samples.report(.failed, [.failed]).problem == nil)
    #expect(Samples.report(.race, [.passed]).problem?.name == "no data race")
  }

  @Test func `a test says what broke, where, and what it looks like`() {
    let kata = Samples.failed
    #expect(kata.tests[0].status == .failed)
    #expect(kata.tests[0].file == "Tests/BarriersTests/Sample/SampleTests.swift")
    #expect(kata.tests[0].line == 12 && kata.tests[0].testLine == 1)
    #expect(kata.tests[1].line == 2, "A test that passed stands where the spec has it.")
    #expect(
      kata.details(of: kata.tests[0]) == """
        A reader came in.

          writer  ├────┤

        Expected: count == 0

        In Tests/BarriersTests/Sample/SampleTests.swift:12

        Looks like: first. Do this.
        """)
  }

  @Test func `a race is reported by its places in the folder Katas`() {
    let race = Samples.race.race
    #expect(race.map(\.kind) == ["write", "read"])
    #expect(race.map(\.file) == ["Katas/Barriers/Sample.swift", "Tools/KataTesting/Race.swift"])
    #expect(Samples.race.problem?.sentence.contains("Katas/Barriers/Sample.swift:7") == true)
  }

  @Test func `texts lose the codes of terminals and the clone's own path`() {
    let root = repository.root.path
    #expect(
      repository.portable("\u{1B}[1;31mred\u{1B}[0m \u{1B}]0;title\u{07}\(root)/Katas/A.swift:3")
        == "red Katas/A.swift:3")
    #expect(repository.portable("plain [31m text") == "plain [31m text")
    let long = repository.portable(String(repeating: "é", count: 100_000))
    #expect(long.utf8.count <= 16 * 1024 && long.hasSuffix("é…"))
  }

  @Test func `a text is cut between characters`() {
    for limit in 3...16 {
      let cut = "aé🧵é🧵z".bounded(toBytes: limit)
      #expect(cut.utf8.count <= limit)
      #expect(!cut.contains("\u{FFFD}"))
      #expect(cut == "aé🧵é🧵z" || cut.hasSuffix("…"))
    }
  }

  @Test func `the body of every test is found in its spec`() throws {
    for kata in Catalogue.katas {
      for path in try repository.specPaths(of: kata) {
        let text = try repository.text(path)
        let source = SpecSource(text)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.hasPrefix("  @Test") {
          let body = source.body(ofTestAt: index + 1) ?? ""
          #expect(!body.isEmpty, "\(path), line \(index + 1)")
          #expect(!body.contains("@Test"), "\(path), line \(index + 1)")
        }
      }
    }
    #expect(SpecSource("").body(ofTestAt: 3) == nil)
  }

  @Test func `a body stands without its indentation`() {
    let source = SpecSource(
      """
      @Suite struct S {
        @Test(arguments: [
          1, 2,
        ])
        func `it holds`(number: Int) throws {
          if number > 1 {
            check()
          }

          check()
        }
      }
      """)
    #expect(source.body(ofTestAt: 2) == "if number > 1 {\n  check()\n}\n\ncheck()")
  }
}

@Suite struct OutputFileTests {
  @Test func `a file is written with its folders, and a folder refused`() throws {
    try Fixtures.withEmptyRepository { repository in
      let path = repository.url("a/b/report.json").path
      try OutputFile(path).check()
      #expect(!repository.exists("a"), "A check makes nothing.")
      try OutputFile(path).write("one")
      try OutputFile(path).write("two")
      #expect(try repository.text("a/b/report.json") == "two")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: repository.url("a/b").path) == [
          "report.json"
        ])
      let folder = #expect(throws: KataError.self) {
        try OutputFile(repository.url("a").path).check()
      }
      #expect(folder?.exitCode == .usage)
      let belowFile = #expect(throws: KataError.self) { try OutputFile(path + "/x").check() }
      #expect(belowFile?.exitCode == .environment)
    }
  }

  @Test func `a device is written to, not replaced`() throws {
    try OutputFile("/dev/null").check()
    try OutputFile("/dev/null").write("text")
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }
}
