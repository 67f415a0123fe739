/// Guesses which mistake of the catalogue an answer makes, from how its spec rejects it.
///
/// A wrong guess is worse than none, so only a clear match is named.
///
/// **The formula.** Each mistake gets a score from 0 to 1: the mean *agreement* over the tests that reject
/// the answer and those that have rejected the mistake in every run. A test's agreement is how much
/// alike what it says of both is (``Complaint/likeness(to:)``), and 0 where it rejects only one of the
/// two. Tests that weren't reached don't count, nor does one that rejects the mistake only sometimes
/// and passes the answer. A mistake is named where its score reaches ``threshold`` and no other
/// comes within ``margin`` of it; two that are that close are both named, three are none. Nor is one
/// named where the stub's score is better: the answer hasn't got that far yet.
public struct Diagnosis: Sendable {
  /// The score below which nothing is named.
  static let threshold = 0.8
  /// By how much a score must exceed another to be clearly better.
  static let margin = 0.1

  private let kata: Kata
  private let patterns: [(mistake: Mistake, pattern: Pattern)]
  private let stub: Pattern

  /// A diagnosis of answers to `kata`, with what a clone knows of its mistakes.
  init(_ kata: Kata, in house: House) {
    self.init(kata, PatternBook.read(in: house) ?? PatternBook())
  }

  init(_ kata: Kata, _ book: PatternBook) {
    self.kata = kata
    patterns = kata.mistakes.map { mistake in
      (mistake, book.pattern(of: mistake.name, in: kata.name) ?? Pattern(unmeasured: mistake))
    }
    stub = book.pattern(of: PatternBook.stub, in: kata.name) ?? Pattern()
  }

  /// The verdict with what the answer looks like: one mistake, two that are equally likely, or none.
  func named(_ verdict: Verdict) -> Verdict {
    var named = verdict
    named.looksLike = guesses(verdict)
    return named
  }

  /// The names of the mistakes that a rejected answer looks like, the likeliest first.
  func guesses(_ verdict: Verdict) -> [String] {
    switch verdict.kind {
    case .failed, .hung, .crashed: guesses(Symptoms(verdict.tests))
    // The sanitizer shows the two lines that race. That these are in the functions where a mistake of the
    // catalogue races, too, says little: most functions can race in more ways than one.
    case .race: []
    case .notStarted, .doesNotCompile, .passed: []
    }
  }

  private func guesses(_ symptoms: Symptoms) -> [String] {
    let scores = patterns.map { (name: $0.mistake.name, score: score(of: $0.pattern, symptoms)) }
    guard let best = scores.map(\.score).max(), best >= Self.threshold,
      best >= score(of: stub, symptoms)
    else { return [] }
    let near = scores.filter { $0.score > best - Self.margin }
    // Of two that are equally good, the one that the catalogue has first.
    let isInOrder = near.first?.score == best
    return near.count <= 2 ? (isInOrder ? near : near.reversed()).map(\.name) : []
  }

  /// How well a pattern explains the symptoms of a run.
  private func score(of pattern: Pattern, _ symptoms: Symptoms) -> Double {
    let expected = pattern.always.keys.filter {
      symptoms.silent.contains($0) || symptoms.complaints[$0] != nil
    }
    let count = Set(expected).union(symptoms.complaints.keys).count
    let agreement = symptoms.complaints.reduce(0.0) { sum, symptom in
      sum + Self.agreement(of: symptom.value, with: pattern.said(by: symptom.key))
    }
    return count == 0 ? 0 : agreement / Double(count)
  }

  /// How much alike what a test says of the answer is to what it has said of a mistake; nil stands for
  /// a mistake that the test passes, and an empty set for one that nobody has measured.
  private static func agreement(
    of complaints: Set<Complaint>, with known: Set<Complaint>?
  ) -> Double {
    guard let known else { return 0 }
    if known.isEmpty { return 1 }
    let likeness = complaints.map { complaint in
      known.map { complaint.likeness(to: $0) }.max() ?? 0
    }
    return likeness.reduce(0, +) / Double(max(1, likeness.count))
  }
}
