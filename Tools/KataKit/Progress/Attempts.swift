/// What the runner has said so far of a learner's answers to one kata.
package struct Attempts: Codable, Equatable, Sendable {
  /// How many verdicts there were on what the learner wrote; the stub isn't an attempt.
  package var count: Int
  /// The last verdict, as `Verdict.Kind` spells it; a later version may know more words.
  package var verdict: String
  /// The day of the last verdict, as an ISO 8601 date.
  package var day: String
  /// The mistakes that the last answer looked like, if any.
  package var looksLike: [String] = []

  /// The last verdict, where this version knows it.
  package var kind: Verdict.Kind? { Verdict.Kind(rawValue: verdict) }

  /// What is known where two machines are put together: the larger count and the later verdict.
  ///
  /// Of two on the same day a pass is the later, then a pass without a look for races, and the rest go by
  /// their spelling: any order will do, as long as it doesn't matter which of the two machines is asked first.
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
