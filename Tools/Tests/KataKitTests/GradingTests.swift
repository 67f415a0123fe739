import Foundation
import Testing

@testable import KataKit
@testable import KataTeacher

@Suite struct ResultsFolderTests {
  private let kata = Catalogue.katas[0]

  private func result(
    of participant: String, _ outcome: Outcome = .passed, _ fingerprint: String = "1-1"
  ) throws -> SubmissionResult {
    try Fixtures.withEmptyRepository { repository in
      try repository.write("", to: "\(participant)/PhotoStore.swift")
      let submission = try #require(try Submission.all(in: [repository.root.path]).first)
      return SubmissionResult(
        submission, fingerprint: fingerprint, seconds: 1, notes: [],
        katas: [GradedKata(kata, outcome, message: outcome == .error ? "It can't be." : nil)])
    }
  }

  @Test(arguments: [
    "ada", "Ada Lovelace", "ádá", "=1+1", "a.b~c", String(repeating: "x", count: 200),
  ])
  func `a result is found again by its participant`(name: String) throws {
    try Fixtures.withEmptyRepository { repository in
      let folder = ResultsFolder("results", relativeTo: repository.root)
      try folder.prepare()
      #expect(folder.result(of: name) == nil)
      try folder.keep(result(of: name))
      #expect(folder.result(of: name)?.participant == name)
      #expect(folder.result(of: name)?.katas.map(\.verdict) == [.passed])
      #expect(try ResultsFolder.all(in: repository.url("results").path)?.count == 1)
    }
  }

  @Test func `names that differ in upper case alone have files of their own`() {
    let names = ["ada", "Ada", "ADA", "ada_", "ada "].map(ResultsFolder.fileName)
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
  }

  @Test func `a result that is damaged or of another version counts as none`() throws {
    try Fixtures.withEmptyRepository { repository in
      let folder = ResultsFolder("results", relativeTo: repository.root)
      try folder.prepare()
      try folder.keep(result(of: "ada"))
      let path = "results/submissions/ada.json"
      let text = try repository.text(path)
      for damaged in [
        String(text.prefix(40)), text.replacing("\"version\" : 1", with: "\"version\" : 2"),
      ] {
        #expect(damaged != text)
        try repository.write(damaged, to: path)
        #expect(folder.result(of: "ada") == nil)
        #expect(throws: KataError.self) {
          try ResultsFolder.all(in: repository.url("results").path)
        }
      }
    }
  }

  @Test func `results of several machines are found in one folder`() throws {
    try Fixtures.withEmptyRepository { repository in
      for (number, name) in ["ada", "grace"].enumerated() {
        let folder = ResultsFolder("all/grade-\(number)", relativeTo: repository.root)
        try folder.prepare()
        try folder.keep(result(of: name))
      }
      #expect(
        try ResultsFolder.all(in: repository.url("all").path)?.map(\.participant) == [
          "ada", "grace",
        ])
      #expect(try ResultsFolder.all(in: repository.url("all/grade-0").path)?.count == 1)
      #expect(try ResultsFolder.all(in: repository.url("all/grade-0/submissions").path) == nil)
    }
  }

  @Test func `the table has a row for each submission and kata`() throws {
    let report = GradeReport([try result(of: "=grace", .error), try result(of: "ada")])
    #expect(!report.isJudged)
    #expect(report.summary["passed"] == 1 && report.summary["error"] == 1)
    #expect(report.summary.count == Outcome.allCases.count)
    #expect(report.submissions.map(\.participant) == ["=grace", "ada"])
    let rows = report.table.text.split(separator: "\r\n")
    #expect(rows.count == 3)
    #expect(
      rows[1].hasPrefix("\"'=grace\",\"GCDBasics\",\"\(kata.name)\",\"error\",\"0\",\"0\",\"no\""))
    #expect(rows[1].contains("\"It can't be.\""))
  }
}

@Suite struct GradingTermsTests {
  @Test(arguments: [(16, 64, 32), (2, 8, 4), (16, 7, 7), (2, 0, 1)])
  func `as many answers are judged at once as cores and memory allow`(
    cores: Int, gigabytes: UInt64, runs: Int
  ) {
    #expect(GradingTerms.runsAtOnce(cores: cores, memory: gigabytes << 30) == runs)
  }

  @Test func `all that judges has a part in what stands for it`() throws {
    let terms = try GradingTerms(
      katas: [Catalogue.katas[0]], timeout: 1, looksForRaces: true, in: Fixtures.repository)
    for path in [
      "Tools/KataTesting/Quiet.swift", "Tools/KataKit/Running/Judge.swift",
      "Tests/Gallery/GCDBasics/SerialLog/Patterns.json", "Modules/Images/RGBImage.swift",
      "Tests/GCDBasicsTests/SerialLog/SerialLogTests.swift",
      "Tests/Gallery/GCDBasics/SerialLog/Answers/Stub.swift",
    ] { #expect(terms.decides(path), "\(path)") }
    #expect(!terms.decides("Tools/Tests/KataKitTests/GradingTests.swift"))
  }

  @Test func `a run among several may use less`() {
    let memory = UInt64(8) << 30
    let alone = ResourceLimits(sanitized: false, machineMemory: memory).memory
    let limits = [1, 2, 8, 1000].map {
      ResourceLimits(sanitized: false, oneOf: $0, machineMemory: memory).memory
    }
    #expect(limits == [alone, 3 << 30, (6 << 30) / 8, 256 << 20])
  }

  @Test func `the stub is the stub, whatever its line ends`() throws {
    let kata = Catalogue.katas[0]
    let terms = try GradingTerms(
      katas: [kata], timeout: 1, looksForRaces: true, in: Fixtures.repository)
    let stub = try Fixtures.repository.text(Fixtures.repository.stubPath(of: kata))
    #expect(terms.isStub(stub, of: kata))
    #expect(terms.isStub(stub.replacing("\n", with: "\r\n"), of: kata))
    #expect(!terms.isStub(stub + " ", of: kata))
  }
}

@Suite struct DeskTests {
  @Test func `a run sees a home of its own, and no tokens`() throws {
    try Fixtures.withEmptyRepository { repository in
      let sandbox = try Sandbox(repository.url("sandbox"))
      #expect(sandbox.environment["HOME"]?.hasPrefix(sandbox.folder.path) == true)
      #expect(sandbox.environment["TMPDIR"]?.hasPrefix(sandbox.folder.path) == true)
      #expect(sandbox.environment["PATH"] == ProcessInfo.processInfo.environment["PATH"])
      let ours = ["HOME", "TMPDIR", "PATH", "LANG", "TZ"]
      #expect(
        sandbox.environment.keys.allSatisfy { name in
          ours.contains(name) || name.hasPrefix("LC_") || name.contains("PATH")
            || name.hasPrefix("SWIFTLY_")
            || ["DEVELOPER_DIR", "SDKROOT", "TOOLCHAINS"].contains(name)
        })
      sandbox.clear()
      #expect(!FileManager.default.fileExists(atPath: sandbox.folder.path))
    }
  }
}

@Suite struct CrashReasonTests {
  @Test(arguments: [0, 20_000])
  func `the last words are reported, without what was printed before them in that line`(flood: Int)
  {
    let output = "one\n\(String(repeating: "x", count: flood))A.swift:3: Fatal error: dry\nend\n"
    let text = CrashReason.text(.killed(signal: SIGILL), output: output)
    let words = flood == 0 ? "A.swift:3: Fatal error: dry" : "…Fatal error: dry"
    #expect(text == "The process was brought down by a trap (SIGILL). It said: \(words)")
  }
}
