import Foundation
import KataKit

/// What came of judging a submission: a file of its own among the results.
///
/// Within a version fields may be added; a field or word that is taken away or means something else
/// makes a new version.
package struct SubmissionResult: Codable, Sendable {
  /// The version of this shape.
  package static let currentVersion = 1

  package let version: Int
  /// Whose it is: the name of the folder.
  package let participant: String
  /// What the folder was taken for.
  let layout: Submission.Layout
  /// What stands for the answers, the katas that count, and what judged them; where it's the same,
  /// nothing is judged again.
  let fingerprint: String
  /// When it was judged, to the second, as ISO 8601 has it: a later one sorts behind.
  package let judged: String
  /// How long it took, building and waiting for a turn included.
  package let seconds: Double
  /// What should be known of the submission, a sentence each.
  package let notes: [String]
  /// The katas that count, in teaching order.
  package let katas: [GradedKata]

  init(
    _ submission: Submission, fingerprint: String, seconds: Double, notes: [String],
    katas: [GradedKata]
  ) {
    version = Self.currentVersion
    participant = submission.participant
    layout = submission.layout
    self.fingerprint = fingerprint
    judged = Date().formatted(.iso8601)
    self.seconds = (seconds * 1000).rounded() / 1000
    self.notes = notes
    self.katas = katas
  }

  func count(_ outcome: Outcome) -> Int { katas.count { $0.verdict == outcome } }

  /// Whether every kata that counts has got a verdict, or isn't there.
  var isJudged: Bool { count(.error) == 0 }

  /// How many katas have which outcome: "3 passed, 1 failed".
  var figures: String {
    let words = Outcome.allCases.reversed().compactMap { outcome in
      let count = count(outcome)
      return count == 0 ? nil : "\(count) \(Self.words(for: outcome))"
    }
    return words.joined(separator: ", ")
  }

  private static func words(for outcome: Outcome) -> String {
    switch outcome {
    case .missing: "missing"
    case .error: "without a verdict"
    case .race: "with a data race"
    case .doesNotCompile: "that don't compile"
    default: outcome.kind.map(VerdictText.words(for:)) ?? ""
    }
  }
}
