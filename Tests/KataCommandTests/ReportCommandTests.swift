import Foundation
import KataTesting
import Testing

@testable import KataKit
@testable import KataTeacher

/// The built command's reports, of katas that can't be judged, so that there is nothing to build.
@Suite(.serialized, .kata, .enabled(if: isMakeTest, "part of 'make test'"))
struct ReportCommandTests {
  private let clone: Clone
  private let katas = Catalogue.katas(of: .gcdBasics)

  init() throws {
    clone = try Clone()
    for kata in katas {
      try FileManager.default.removeItem(
        at: clone.repository.url(clone.repository.learnerPath(of: kata)))
    }
  }

  @Test func `a kata that can't be judged is an entry, not the end`() throws {
    let output = try clone.kata("report", "GCDBasics")
    #expect(output.code == 1)
    let report = try output.decoded(Report.self)
    #expect(report.katas.map(\.kata) == katas.map(\.name))
    #expect(report.summary.verdicts["error"] == katas.count)
    for kata in katas {
      #expect(output.standardError.contains("\(kata.name) · Katas/GCDBasics/\(kata.name).swift"))
    }
    #expect(
      report.katas.last?.message?.contains("'make reset KATA=\(katas[katas.count - 1].name)'")
        == true)
  }

  @Test func `what only one kata's files are to blame for is an entry`() throws {
    let kata = katas[2]
    try Data([0xFF, 0xFE, 0x00]).write(
      to: clone.repository.url(clone.repository.learnerPath(of: kata)))
    let output = try clone.kata("report", kata.name)
    #expect(output.code == 1)
    let report = try output.decoded(Report.self)
    #expect(report.katas.first?.verdict == .error)
    #expect(report.katas.first?.message?.contains("isn't UTF-8 text") == true)
  }

  @Test func `a machine that can't judge ends the report with its sentence`() throws {
    let kata = katas[2]
    let stub = try clone.repository.text(clone.repository.stubPath(of: kata))
    try clone.repository.write(stub, to: clone.repository.learnerPath(of: kata))
    let output = try clone.kata(["report", "GCDBasics", "--output=report.json"], path: "/nowhere")
    #expect(output.code == 3)
    #expect(output.standardError.hasSuffix("install Swift 6.3 or newer from swift.org/install.\n"))
    #expect(!clone.repository.exists("report.json"))
  }

  @Test func `an option that makes no sense gets one sentence`() throws {
    for (arguments, sentence) in [
      (["list", "a"], "kata: 'a' is one word too many; list takes no name.\n"),
      (["run", "--json=1"], "kata: --json takes no value.\n"),
      (
        ["hint", "--output=a"],
        "kata: --output goes with report, judge, export, grade, handout and scoreboard, not with hint.\n"
      ),
      (["list", "--yes"], "kata: --yes goes with solution, not with list.\n"),
      (
        ["report", "--format", "xml"],
        "kata: --format takes json, junit or exercism: 'kata report --format junit'.\n"
      ),
      (
        ["report", "--format=exercism"],
        """
        kata: Exercism's results.json is about one kata; name one, or name a folder with --output.\n
        """
      ),
      (["report", "--output", "/tmp"], "kata: '/tmp' is a folder; name a file.\n"),
      (["export", "--name="], "kata: --name takes a name: 'kata export --name Ada'.\n"),
      (["import"], "kata: Which file? Name it: 'make import IN=progress.json'.\n"),
      (
        ["import", "gone.json"],
        "kata: There is no 'gone.json'; name a file that 'make export' has written.\n"
      ),
    ] {
      let output = try clone.kata(arguments)
      #expect(output.code == 2)
      #expect(output.standardError == sentence)
      #expect(output.standardOutput == "")
    }
  }

  @Test func `a report goes to a file, and nothing else to standard output`() throws {
    let output = try clone.kata(
      "report", "GCDBasics", "--format", "junit", "--output", "ci/report.xml")
    #expect(output.code == 1)
    #expect(output.standardOutput == "")
    let text = try clone.repository.text("ci/report.xml")
    #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "))
    #expect(text.contains(" tests=\"\(katas.count)\" failures=\"0\" errors=\"\(katas.count)\""))
  }

  @Test func `Exercism's results go to a folder, one for each kata`() throws {
    #expect(
      try clone.kata("report", "GCDBasics", "--format=exercism", "--output=out").code == 1)
    #expect(
      try clone.kata("report", "SerialLog", "--format=exercism", "--output=one").code == 1)
    #expect(
      try clone.kata("report", "SerialLog", "--format=exercism", "--output=a.json").code == 1)
    let printed = try clone.kata("report", "SerialLog", "--format=exercism")
    #expect(try printed.decoded(ExercismResults.self).status == .error)
    for path in ["one/results.json", "a.json", "out/SerialLog/results.json"] {
      #expect(try clone.repository.text(path) == printed.standardOutput)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: clone.repository.url("out").path).sorted()
        == katas.map(\.name).sorted())
  }
}

/// The built command's progress, between clones and between commands at once.
@Suite(.serialized, .kata, .enabled(if: isMakeTest, "part of 'make test'"))
struct ProgressCommandTests {
  private let clone: Clone
  private var file: ProgressFile { ProgressFile(repository: clone.repository) }

  init() throws {
    clone = try Clone()
  }

  @Test func `progress moves from one clone to another`() throws {
    let other = try Clone()
    for kata in Catalogue.katas.prefix(3) {
      try ProgressFile(repository: other.repository).update { $0.record(Verdict(kata, .passed)) }
    }
    try file.update { $0.record(Verdict(Catalogue.katas[0], .passed)) }
    let exported = try other.kata("export", "--name", "Ada")
    #expect(exported.code == 0)
    #expect(try exported.decoded(SharedProgress.self).name == "Ada")
    #expect(try other.kata("export", "--output", "\(clone.root.path)/ada.json").code == 0)

    let first = try clone.kata("import", "ada.json")
    #expect(first.code == 0)
    #expect(first.standardOutput == "2 katas were new. 3 of \(Catalogue.katas.count) are done.\n")
    let second = try clone.kata("import", "ada.json")
    #expect(
      second.standardOutput == "No kata was new. 3 of \(Catalogue.katas.count) are done.\n")
    #expect(try clone.kata("list").standardOutput.contains("3 of \(Catalogue.katas.count) done."))
  }

  @Test(arguments: [
    ("{\"version\": 1, \"done\": {\"A\"", Int32(2), "isn't what 'make export' writes, or"),
    ("[1, 2]", 2, "isn't what 'make export' writes, or"),
    ("{\"version\": 7}", 3, "was written by a newer version; update this clone"),
  ])
  func `a file that makes no sense changes nothing`(
    text: String, code: Int32, sentence: String
  ) throws {
    try file.update { $0.record(Verdict(Catalogue.katas[0], .passed)) }
    let before = try clone.repository.text(ProgressFile.path)
    try clone.repository.write(text, to: "strange.json")
    let output = try clone.kata("import", "strange.json")
    #expect(output.code == code)
    #expect(output.standardError.contains(sentence))
    #expect(try clone.repository.text(ProgressFile.path) == before)
  }

  @Test func `katas that this version doesn't know are kept`() throws {
    try clone.repository.write(
      "{\"version\": 1, \"done\": {\"Later\": \"2027-01-01\"}}", to: "later.json")
    let output = try clone.kata("import", "later.json")
    #expect(output.code == 0)
    #expect(output.standardOutput.contains("1 kata in it isn't in this version; kept for another."))
    #expect(file.read().progress.done == ["Later": "2027-01-01"])
  }

  @Test func `what can't be read isn't exported as nothing done`() throws {
    try FileManager.default.createDirectory(
      at: clone.repository.url(ProgressFile.path), withIntermediateDirectories: true)
    let output = try clone.kata("export")
    #expect(output.code == 3)
    #expect(output.standardOutput == "")
    #expect(output.standardError.contains("\(ProgressFile.path) can't be read"))
  }

  @Test func `commands at once lose nothing of each other's`() throws {
    let katas = Catalogue.katas.prefix(16)
    let codes = try clone.kataAtOnce(katas.map { ["hint", $0.name] })
    #expect(codes.allSatisfy { $0 == 0 })
    let progress = file.read().progress
    for kata in katas { #expect(progress.hintsShown(for: kata) == 1, "\(kata.name)") }
  }

  @Test func `a command that is killed, at whatever moment, leaves the progress whole`() throws {
    var before = 0
    for (number, kata) in Catalogue.katas.prefix(40).enumerated() {
      _ = try clone.kataAtOnce([["hint", kata.name]], killedAfter: Double(number) * 0.002)
      let (progress, warning) = file.read()
      #expect(warning == nil)
      #expect(progress.hints.count >= before)
      before = progress.hints.count
    }
    // Nothing that was left behind is in the way.
    #expect(try clone.kata("hint", "CancelCascade").code == 0)
    #expect(file.read().progress.hints["CancelCascade"] == 1)
  }
}
