import Foundation
import Testing

@testable import KataKit
@testable import KataTeacher

extension UnbuiltCloneTests {
  /// The built command's reports, of katas that can't be judged, so that there is nothing to build.
  @Suite struct ReportCommandTests {
    private let clone: Clone
    private let katas = Catalogue.katas(of: .gcdBasics)

    init() throws {
      clone = try Clone.unbuilt()
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
      let output = try clone.kata(
        ["report", "GCDBasics", "--output=report.json"], path: "/nowhere")
      #expect(output.code == 3)
      #expect(
        output.standardError.hasSuffix("install Swift 6.3 or newer from swift.org/install.\n"))
      #expect(!clone.repository.exists("report.json"))
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
        try FileManager.default.contentsOfDirectory(atPath: clone.repository.url("out").path)
          .sorted()
          == katas.map(\.name).sorted())
    }
  }
}
