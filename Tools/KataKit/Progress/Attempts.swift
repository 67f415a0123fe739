/// The verdicts so far on a learner's answers to one kata.
package struct Attempts: Codable, Equatable, Sendable {
  /// The number of verdicts on the learner's code; the stub isn't an attempt.
  package var count: Int
  /// The last verdict, as `Verdict.Kind` spells it; a later version may have more kinds.
  package var verdict: String
  /// The day of the last verdict, as an ISO 8601 date.
  package var day: String
  /// The mistakes that the last answer looked like, if any.
  package var looksLike: [String] = []

  /// The last verdict, if this version knows it.
  package var kind: Verdict.Kind? { Verdict.Kind(rawValue: verdict) }

  /// Merges the records of two machines: the larger count and the later verdict.
  ///
  /// Of two verdicts on the same day, a pass is the later one, then a pass without a check for
  /// races; the others are in the order of their spelling. Any fixed order will do, as long as
  /// merging is commutative.
  func merged(with other: Attempts) -> Attempts {
    var merged = isBefore(other) ? other : self
    merged.count = max(count, other.count)
    return merged
  }

  private func isBefore(_ other: Attempts) -> Bool {
    let (own, others) = (rank, other.rank)
    return own == others ? looksLike.lexicographicallyPrecedes(other.looksLike) : own < others
  }

  private var rank: (String, Int, String) {
    (day, kind == .passed ? 2 : kind == .racesNotChecked ? 1 : 0, verdict)
  }
}
