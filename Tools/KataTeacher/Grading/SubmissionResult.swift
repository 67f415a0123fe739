import Foundation
import KataKit

/// The result of judging a submission, stored in a file of its own.
///
/// Within a version, fields may be added; removing a field or word, or changing its meaning, makes
/// a new version.
package struct SubmissionResult: Codable, Sendable {
  /// The version of this format.
  package static let currentVersion = 1

  package let version: Int
  /// The participant: the name of the folder.
  package let participant: String
  /// The detected layout of the folder.
  let layout: Submission.Layout
  /// A hash of the answers, the katas that count, and what judged them; if it's unchanged, nothing
  /// is judged again.
  let fingerprint: String
  /// When it was judged, in ISO 8601 to the second, so that results sort by time.
  package let judged: String
  /// How long it took, including building and waiting for a slot.
  package let seconds: Double
  /// Remarks on the submission, in a sentence each.
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

  /// Whether every kata that counts has a verdict or is missing.
  var isJudged: Bool { count(.error) == 0 }

  /// The number of katas with each outcome: "3 passed, 1 failed".
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
