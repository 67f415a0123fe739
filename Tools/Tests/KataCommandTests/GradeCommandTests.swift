import Foundation
import Testing

@testable import KataKit
@testable import KataTeacher

extension UnbuiltCloneTests {
  /// The built command's grading, of submissions in which there is nothing to build.
  @Suite struct GradeCommandTests {
    private let clone: Clone
    private let names = ["ada", "barbara", "edsger", "grace"]

    /// Submissions that haven't been begun, and one without a kata.
    init() throws {
      clone = try Clone.unbuilt()
      let kata = try Catalogue.kata(named: "SerialLog")
      let stub = try clone.repository.text(clone.repository.stubPath(of: kata))
      for name in names {
        try clone.repository.write(stub, to: "handed in/\(name)/SerialLog.swift")
      }
      try clone.repository.write("An essay.", to: "handed in/essay/essay.txt")
    }

    private func report(_ folder: String) throws -> GradeReport {
      try JSONDecoder().decode(
        GradeReport.self, from: Data(contentsOf: clone.repository.url("\(folder)/results.json")))
    }

    @Test func `what isn't begun or isn't there is reported without a build`() throws {
      let output = try clone.kata("grade", "handed in", "--kata", "GCDBasics", "--output", "out")
      #expect(output.code == 0)
      #expect(
        output.standardError.hasPrefix(
          "5 submissions, 8 katas: 4 files in one folder; 1 no kata in it.\n"))
      #expect(output.standardOutput.contains("ada: 1 not started, 7 missing\n"))
      #expect(output.standardOutput.contains("essay: 8 missing\n"))
      #expect(output.standardOutput.hasSuffix("5 submissions; the results are in out.\n"))
      let report = try report("out")
      #expect(
        report.submissions.map(\.participant) == ["ada", "barbara", "edsger", "essay", "grace"])
      #expect(report.summary["missing"] == 4 * 7 + 8 && report.summary["notStarted"] == 4)
      let rows = try clone.repository.text("out/results.csv").split(separator: "\r\n")
      #expect(rows.count == 1 + 5 * 8)
      #expect(
        rows.contains { $0.hasPrefix("\"grace\",\"GCDBasics\",\"SerialLog\",\"notStarted\",") })
    }

    @Test func `shards put together are the whole`() throws {
      for number in 1...3 {
        let output = try clone.kata(
          "grade", "handed in", "--shard", "\(number)/3", "--output", "parts/\(number)")
        #expect(output.code == 0)
      }
      let sizes = try (1...3).map { try report("parts/\($0)").submissions.count }
      #expect(sizes.reduce(0, +) == 5 && sizes.allSatisfy { $0 < 5 })
      let merged = try clone.kata("grade", "--merge", "parts", "--output", "whole")
      #expect(merged.code == 0)
      #expect(try clone.kata("grade", "handed in", "--output", "at once").code == 0)
      #expect(
        try clone.repository.text("whole/results.csv")
          == clone.repository.text("at once/results.csv")
      )
      // What was put together is as good as what was judged.
      let again = try clone.kata("grade", "handed in", "--output", "whole")
      #expect(again.standardError.contains("5 of 5 were judged before."))
    }

    @Test func `results that can't be written are reported before anything is judged`() throws {
      try clone.repository.write("a file", to: "taken")
      let output = try clone.kata("grade", "handed in", "--output", "taken/results")
      #expect(output.code == 3)
      #expect(output.standardError.contains("taken/results can't be written"))
    }
  }
}
