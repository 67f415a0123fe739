import Testing

@testable import KataAuthor
@testable import KataKit

extension SharedCloneTests {
  /// The built command proves a kata.
  @Suite struct ProofCommandTests {
    private let clone: Clone

    init() throws {
      clone = try Clone.shared()
    }

    private func prove(_ options: String...) throws -> ProofReport {
      let output = try clone.kata(["verify", "SerialLog", "--json"] + options)
      let report = try output.decoded(ProofReport.self)
      #expect(output.code == 0 && report.fellShort.isEmpty, "\(options): \(report.fellShort)")
      return report
    }

    @Test func `by whole specs and by the named tests a proof comes to the same`() throws {
      let kata = try Catalogue.kata(named: "SerialLog")
      let patterns = "\(kata.folder)/Patterns.json"
      let before = try clone.repository.text(patterns)
      let named = try prove("--named")
      #expect(try clone.repository.text(patterns) == before, "The named way writes nothing.")
      let whole = try prove()
      for figure: KeyPath<ProofReport, Int> in [
        \.referencesPassed, \.stubsRejected, \.mistakes, \.mistakesRejected,
        \.rightAnswers, \.rightAnswersPassed, \.promises, \.promisesProven, \.idleTests,
      ] { #expect(named[keyPath: figure] == whole[keyPath: figure], "\(figure)") }
      #expect(whole.mistakesRejected == kata.mistakes.count)
      // What the named tests say of a mistake, the whole spec says, too.
      for (mistake, tests) in named.patterns["SerialLog"] ?? [:] {
        let all = whole.patterns["SerialLog"]?[mistake] ?? []
        #expect(Set(tests).isSubset(of: all), "\(mistake)")
      }
    }
  }
}
