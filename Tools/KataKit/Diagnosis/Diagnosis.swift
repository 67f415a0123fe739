/// Guesses which mistake of the catalogue an answer makes, from how its spec rejects it.
///
/// A wrong guess is worse than none, so only a clear match is named.
///
/// **The formula.** Each mistake gets a score from 0 to 1: the mean *agreement* over the tests that
/// reject the answer and those that have rejected the mistake in every run. A test's agreement is
/// how similar its messages about the two are (``FailureSignature/likeness(to:)``), and 0 if it
/// rejects only one of them. Tests that weren't reached don't count. Neither does a test that
/// rejects the mistake only sometimes and passes the answer.
///
/// The best mistake is named if its score reaches ``threshold`` and the stub's score isn't better;
/// if it is, the answer isn't complete enough yet. A *rival* comes within ``margin`` of it. A
/// mistake with a score of ``rivalScore`` or more is also a rival if it explains all failures: the
/// mean over these tests alone reaches the threshold, too. With another design, some tests may
/// pass. It's no rival if a test says of the answer, word for word, what it says of the best
/// mistake, and never says that of the other. One rival is named as the second of two; with several
/// rivals, nothing is named.
package struct Diagnosis: Sendable {
  /// The score below which nothing is named.
  static let threshold = 0.85
  /// A score must exceed another by this much to be clearly better.
  static let margin = 0.1
  /// What is left of a score if about a third of its tests pass.
  static let rivalScore = 0.65

  private let kata: Kata
  private let patterns: [(mistake: Mistake, pattern: Pattern)]
  private let stub: Pattern

  /// Creates a diagnosis of answers to `kata`, with the measured patterns of its mistakes in a
  /// clone.
  package init(_ kata: Kata, in repository: Repository) {
    self.init(kata, PatternBook.patterns(of: kata, in: repository))
  }

  package init(_ kata: Kata, _ book: PatternBook) {
    self.kata = kata
    patterns = kata.mistakes.map { mistake in
      (mistake, book.pattern(of: mistake.name, in: kata.name) ?? Pattern(unmeasured: mistake))
    }
    stub = book.pattern(of: PatternBook.stub, in: kata.name) ?? Pattern()
  }

  /// The verdict with its likely mistake: one, two that are equally likely, or none.
  package func named(_ verdict: Verdict) -> Verdict {
    var named = verdict
    named.looksLike = guesses(verdict)
    return named
  }

  /// The names of the mistakes that a rejected answer looks like, the likeliest first.
  package func guesses(_ verdict: Verdict) -> [String] {
    switch verdict.kind {
    case .failed, .hung, .crashed: guesses(FailureProfile(verdict.tests))
    // The sanitizer shows the two lines that race. If a mistake of the catalogue races in the same
    // functions, that says little: most functions can race in more ways than one.
    case .race: []
    case .notStarted, .doesNotCompile, .racesNotChecked, .passed: []
    }
  }

  private func guesses(_ profile: FailureProfile) -> [String] {
    let matches = patterns.map { (known: $0, match: Match(of: $0.pattern, profile)) }
    // Of equally good ones, the first in the catalogue.
    guard let score = matches.map(\.match.score).max(), score >= Self.threshold,
      score >= Match(of: stub, profile).score,
      let best = matches.first(where: { $0.match.score == score })
    else { return [] }
    let rivals = matches.filter { known, match in
      (match.score > score - Self.margin
        || (match.explained >= Self.threshold && match.score >= Self.rivalScore))
        && known.mistake.name != best.known.mistake.name
        && !profile.says(what: best.known.pattern, butNever: known.pattern)
    }
    return rivals.count <= 1 ? ([best] + rivals).map(\.known.mistake.name) : []
  }
}

/// How well a pattern explains how a run failed.
private struct Match {
  /// The mean agreement over all tests that count.
  let score: Double
  /// The mean agreement over the tests that reject the answer.
  let explained: Double

  init(of pattern: Pattern, _ profile: FailureProfile) {
    let failing = profile.signatures
    let expected = pattern.always.keys.filter {
      profile.silent.contains($0) || failing[$0] != nil
    }
    let agreement = failing.reduce(0.0) { sum, failure in
      sum + Self.agreement(of: failure.value, with: pattern.said(by: failure.key))
    }
    score = agreement / Double(max(1, Set(expected).union(failing.keys).count))
    explained = agreement / Double(max(1, failing.count))
  }

  /// How similar a test's messages about the answer and a mistake are.
  ///
  /// Nil means that the test passes the mistake, and an empty set that the mistake hasn't been
  /// measured.
  private static func agreement(
    of signatures: Set<FailureSignature>, with known: Set<FailureSignature>?
  ) -> Double {
    guard let known else { return 0 }
    if known.isEmpty { return 1 }
    let likeness = signatures.map { signature in
      known.map { signature.likeness(to: $0) }.max() ?? 0
    }
    return likeness.reduce(0, +) / Double(max(1, likeness.count))
  }
}
