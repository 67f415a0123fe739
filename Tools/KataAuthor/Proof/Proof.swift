import Foundation
import KataKit

/// Proves the katas: right answers pass, the stub and every mistake are rejected as they must be,
/// and every test rejects something.
///
/// Each answer is judged by itself, as a learner's is.
package struct Proof: Sendable {
  let repository: Repository
  let timeout: Double
  /// How often each answer is judged.
  ///
  /// If more than once, under load.
  let repeats: Int
  let way: ProofWay
  /// Whether an outdated file of patterns is a shortfall.
  let isStrict: Bool
  let say: @Sendable (String) -> Void

  package init(
    repository: Repository, timeout: Double, repeats: Int = 1, way: ProofWay = .whole,
    isStrict: Bool = false, say: @escaping @Sendable (String) -> Void
  ) {
    self.repository = repository
    self.timeout = timeout
    self.repeats = repeats
    self.way = way
    self.isStrict = isStrict
    self.say = say
  }

  /// Proves `katas`.
  ///
  /// With `.whole`, new ways in which mistakes were rejected are written into the file of patterns,
  /// and pictures of them into the file of pictures; with `.named` nothing is written.
  ///
  /// Blocks until it's done.
  package func run(_ katas: [Kata]) throws -> ProofReport {
    let start = ContinuousClock.now
    var contracts: [String: Contract] = [:]
    var shortfalls: [String] = []
    for kata in katas {
      let stub = try repository.text(repository.stubPath(of: kata))
      let contract = Contract(of: kata, stub: stub)
      contracts[kata.name] = contract
      // A forgotten promise is reported before the specs run.
      for sentence in contract.shortfalls { say("  \(kata.name), \(sentence)\n") }
      let missing = Contract.missing(
        from: try repository.text(repository.referencePath(of: kata)), of: kata
      ).map { "the stub promises this, but the reference's documentation doesn't: \($0)" }
      let tests = try repository.testNames(of: kata)
      let own = (kata.shortfalls(tests: tests) + missing).map { "\(kata.name), \($0)" }
      for sentence in own { say("  \(sentence)\n") }
      shortfalls += own
    }
    let listings =
      way == .whole ? try ListingTrials.listings(of: katas, in: repository) : []
    let trials = try CandidateTrials(
      repository: repository, timeout: timeout, repeats: repeats,
      keepsPictures: way == .whole && repeats == 1, say: say)
    let results = try trials.results(of: katas.flatMap(candidates))
    let believed = way == .named ? try PatternBook.read(katas, in: repository) : PatternBook()
    var report = ProofSummary(
      katas: katas, results: results, contracts: contracts, believed: believed
    ).report
    report.noteShortfalls(shortfalls)
    report.note(
      listings,
      shortfalls: try ListingTrials(repository: repository, timeout: timeout, say: say)
        .shortfalls(of: listings))
    report.note(
      try PatternBook.update(katas, in: repository, with: results, way: way), isStrict: isStrict)
    if way == .whole, repeats == 1 {
      report.pictureChanges = try PictureBook.update(katas, in: repository, with: results)
    }
    report.repeats = repeats
    report.seconds = Int(start.duration(to: .now).components.seconds)
    return report
  }

  /// The answers to a kata, with the tests that are run on each.
  private func candidates(_ kata: Kata) throws -> [Candidate] {
    var candidates = try Candidate.all(of: kata, in: repository)
    switch way {
    case .whole: candidates += try Candidate.equivalents(of: kata, in: repository)
    case .named:
      let patterns = PatternBook.patterns(of: kata, in: repository)
      let tests = try repository.testNames(of: kata)
      for index in candidates.indices {
        guard case .mistake(let mistake) = candidates[index].role else { continue }
        let pattern = patterns.pattern(of: mistake.name, in: kata.name)
        candidates[index].only = mistake.namedTests(pattern: pattern, in: tests)
      }
    }
    return candidates
  }
}
