import KataKit

/// The results of judging many submissions: `results.json` and `results.csv`.
package struct GradeReport: Codable, Sendable {
  /// The version of this format; see `SubmissionResult`.
  package static let currentVersion = 1

  package let version: Int
  /// How many katas of all submissions have each outcome; every outcome is included.
  package let summary: [String: Int]
  /// The submissions, by name.
  package let submissions: [SubmissionResult]

  init(_ results: [SubmissionResult]) {
    version = Self.currentVersion
    submissions = results.sorted { $0.participant < $1.participant }
    let outcomes = results.flatMap(\.katas).map(\.verdict)
    summary = Dictionary(
      uniqueKeysWithValues: Outcome.allCases.map { outcome in
        (outcome.rawValue, outcomes.count { $0 == outcome })
      })
  }

  /// Whether every kata of every submission has a verdict or is missing.
  var isJudged: Bool { submissions.allSatisfy(\.isJudged) }

  /// A row for each submission and kata.
  var table: CSVTable {
    var table = CSVTable(header: [
      "participant", "module", "kata", "verdict", "tests passed", "tests", "races checked",
      "failing test", "message", "looks like", "notes",
    ])
    for submission in submissions {
      for kata in submission.katas {
        table.append([
          submission.participant, kata.module.rawValue, kata.kata, kata.verdict.rawValue,
          "\(kata.passedTests)", "\(kata.tests.count)", kata.racesChecked ? "yes" : "no",
          kata.failingTest ?? "", Self.headline(of: kata.message ?? ""),
          kata.looksLike.map(\.mistake).joined(separator: "; "),
          kata.notes.joined(separator: " "),
        ])
      }
    }
    return table
  }

  /// The first paragraph, without the picture below it.
  private static func headline(of text: String) -> String {
    text.split(separator: "\n\n", maxSplits: 1).first.map(String.init) ?? ""
  }
}
