import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit

extension SharedCloneTests {
  /// The built command soaks right answers.
  @Suite struct SoakCommandTests {
    private let clone: Clone
    private let kata: Kata

    init() throws {
      clone = try Clone.shared()
      kata = try Catalogue.kata(named: "SerialLog")
    }

    private func soak() throws -> (code: Int32, report: SoakReport) {
      let output = try clone.kata(
        "soak", "SerialLog", "--minutes", "0.01", "--json", timeout: 20)
      return (output.code, try output.decoded(SoakReport.self))
    }

    @Test func `right answers pass in every condition, and nothing is left`() throws {
      let (code, report) = try soak()
      #expect(code == 0 && report.records.isEmpty)
      #expect(report.rows.count + report.leftOut.count == SoakCondition.allCases.count)
      for row in report.rows { #expect(row.passes + row.sanitizedPasses > 0, "\(row)") }
      #expect(report.passesBySuite.keys.sorted() == ["SerialLog"])
      try clone.expectNothingLeft()
    }

    @Test func `an answer that fails is recorded, and the others go on`() throws {
      let answer = try #require(
        kata.rightAnswers.compactMap { answer in
          if case .file(let file) = answer.answer { file } else { nil }
        }.first)
      let path = "\(clone.repository.answersPath(of: kata))/\(answer)"
      let before = try clone.repository.text(path)
      defer { try? clone.repository.write(before, to: path) }
      let stub = try clone.repository.text(clone.repository.stubPath(of: kata))
      try clone.repository.write(stub, to: path)
      let (code, report) = try soak()
      #expect(code == 1)
      #expect(report.rows.contains { $0.passes + $0.sanitizedPasses > 0 })
      let place = try #require(report.records.first)
      let verdict = try clone.repository.text("\(place)/verdict.txt")
      #expect(verdict.hasPrefix("SerialLog, "))
      #expect(verdict.contains("✘"))
      #expect(try clone.repository.text("\(place)/answer.swift") == stub)
      #expect(try clone.repository.text("\(place)/0/events.jsonl").contains("testEnded"))
    }
  }
}
