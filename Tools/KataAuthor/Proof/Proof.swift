import Foundation
import KataKit

/// Proves the katas: right answers pass, the stub and every mistake are rejected as they must be,
/// and every test rejects something.
///
/// Each answer is judged by itself, as a learner's is.
package struct Proof: Sendable {
  let repository: Repository
  let patience: Double
  /// How often each answer is judged.
  ///
  /// Beyond one, under load.
  let repeats: Int
  /// Whether a file of patterns that was left behind is a shortfall.
  let isStrict: Bool
  let say: @Sendable (String) -> Void

  package init(
    repository: Repository, patience: Double, repeats: Int = 1, isStrict: Bool = false,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.repository = repository
    self.patience = patience
    self.repeats = repeats
    self.isStrict = isStrict
    self.say = say
  }

  /// Proves `katas`, and writes how their mistakes were rejected into the file of patterns where it
  /// doesn't say so yet, and what that looked like into the file of pictures.
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
      // Whoever has forgotten a quotation hears of it before the specs run.
      for sentence in contract.shortfalls { say("  \(kata.name), \(sentence)\n") }
      let missing = Contract.missing(
        from: try repository.text(repository.referencePath(of: kata)), of: stub
      ).map { "the stub promises what the reference's documentation doesn't: \($0)" }
      let spec = try repository.spec(of: kata)
      let own = (kata.shortfalls(spec: spec) + missing).map { "\(kata.name), \($0)" }
      for sentence in own { say("  \(sentence)\n") }
      shortfalls += own
    }
    let listings = try ListingTrials.listings(of: katas, in: repository)
    let trials = try CandidateTrials(
      repository: repository, patience: patience, repeats: repeats, say: say)
    let results = try trials.results(
      of: katas.flatMap {
        try Candidate.all(of: $0, in: repository) + Candidate.equivalents(of: $0, in: repository)
      })
    var report = ProofSummary(katas: katas, results: results, contracts: contracts).report
    report.noteShortfalls(shortfalls)
    report.note(
      listings,
      shortfalls: try ListingTrials(repository: repository, patience: patience, say: say)
        .shortfalls(of: listings))
    report.note(try PatternBook.update(katas, in: repository, with: results), isStrict: isStrict)
    if repeats == 1 {
      report.pictureChanges = try PictureBook.update(katas, in: repository, with: results)
    }
    report.repeats = repeats
    report.seconds = Int(start.duration(to: .now).components.seconds)
    return report
  }
}
