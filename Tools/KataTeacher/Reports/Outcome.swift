import KataKit

/// The outcome of judging one kata: one of the eight verdicts, or a reason why there is none.
package enum Outcome: String, Codable, CaseIterable, Sendable {
  /// The kata isn't in the submission.
  case missing
  case notStarted, doesNotCompile, failed, race, hung, crashed, racesNotChecked, passed
  /// There is no verdict, and a message says why.
  case error

  init(_ kind: Verdict.Kind) { self = Outcome(rawValue: kind.rawValue) ?? .error }

  /// The verdict, if there is one.
  var kind: Verdict.Kind? { Verdict.Kind(rawValue: rawValue) }
}
