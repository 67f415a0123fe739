import Foundation
import KataKit

/// Updates the files with the measurements of a proof.
extension PatternBook {
  /// The patterns of some katas: empty if there are no files; throws if one is damaged.
  static func read(_ katas: [Kata], in repository: Repository) throws -> PatternBook {
    var book = PatternBook()
    for kata in katas where repository.exists(path(of: kata)) {
      book.patterns[kata.name] = try read(kata, in: repository)
    }
    return book
  }

  /// The text of a kata's file: a line for each mistake.
  func text(of kata: String) throws -> String {
    "\(try GeneratedJSON.object(patterns[kata] ?? [:]))\n"
  }

  // MARK: - Keeping the files up to date

  /// The changes of a proof, in a sentence each.
  struct Update: Equatable {
    /// Entries with more than before, and katas that were measured for the first time.
    ///
    /// These aren't defects: a mistake may fail in a different way by chance.
    var widened: [String] = []
    /// Entries that were missing in a kata with others, that don't fit, or that are about something
    /// that no longer exists.
    ///
    /// Chance doesn't explain these: the file wasn't updated.
    var stale: [String] = []

    var isEmpty: Bool { widened.isEmpty && stale.isEmpty }
  }

  /// Updates the files of a clone with the measurements of a proof of `katas`.
  ///
  /// If only the named tests were run, nothing is written, and the returned sentences say what the
  /// files lack.
  ///
  /// A damaged file isn't overwritten, since it may contain what this proof hasn't measured.
  static func update(
    _ katas: [Kata], in repository: Repository, with results: [CandidateResult],
    way: ProofWay = .whole
  ) throws -> Update {
    let before: PatternBook
    do {
      before = try read(katas, in: repository)
    } catch {
      var update = Update()
      update.stale = ["\(error)"]
      return update
    }
    var book = before
    var update = book.update(with: results, catalogue: katas)
    if way == .named {
      update.widened = []
      return update
    }
    for kata in katas where before.patterns[kata.name] != book.patterns[kata.name] {
      if book.patterns[kata.name] == nil {
        try? FileManager.default.removeItem(at: repository.url(path(of: kata)))
      } else {
        try repository.write(book.text(of: kata.name), to: path(of: kata))
      }
    }
    return update
  }

  /// Adds the measurements of a proof, and removes entries that the catalogue no longer has.
  mutating func update(with results: [CandidateResult], catalogue: [Kata]) -> Update {
    var update = Update()
    forget(allBut: catalogue, &update)
    let known = patterns
    for result in results {
      let kata = result.candidate.kata.name
      switch result.candidate.role {
      case .reference where result.passedEveryTime:
        forget(allBut: Set(result.tests), of: kata, &update)
      case .mistake, .stub: take(result.profiles, of: result.candidate.name, in: kata, &update)
      case .reference, .rightAnswer, .transplant, .mutant, .equivalent: break
      }
    }
    for (kata, patterns) in patterns.sorted(by: { $0.key < $1.key }) {
      let missing = patterns.keys.filter { known[kata]?[$0] == nil }.sorted()
      guard let first = missing.first else { continue }
      if known[kata] == nil {
        update.widened.append("\(kata): it was measured for the first time.")
        continue
      }
      update.stale.append(
        missing.count == 1
          ? "\(kata), \(first): its pattern was missing."
          : "\(kata): \(missing.count) patterns were missing.")
    }
    return update
  }

  private mutating func take(
    _ runs: [FailureProfile], of mistake: String, in kata: String, _ update: inout Update
  ) {
    guard !runs.isEmpty else { return }
    let known = pattern(of: mistake, in: kata)
    let isKnown = known.map { known in runs.contains { known.overlaps($0) } } ?? false
    var pattern = isKnown ? known ?? Pattern() : Pattern()
    for run in runs { pattern.widen(by: run) }
    guard pattern != known else { return }
    patterns[kata, default: [:]][mistake] = pattern
    let name = "\(kata), \(mistake)"
    if isKnown {
      update.widened.append("\(name): it was rejected in a new way.")
    } else if known != nil {
      update.stale.append("\(name): its pattern has no test in common with those that reject it.")
    }
  }

  /// Removes the tests that the spec of a kata no longer has.
  private mutating func forget(
    allBut tests: Set<String>, of kata: String, _ update: inout Update
  ) {
    guard !tests.isEmpty, let known = patterns[kata] else { return }
    for (mistake, pattern) in known.sorted(by: { $0.key < $1.key }) {
      let gone = pattern.tests.subtracting(tests).sorted()
      guard !gone.isEmpty else { continue }
      var kept = pattern
      kept.keep(tests: tests)
      patterns[kata]?[mistake] = kept.isEmpty ? nil : kept
      let names = gone.map { "'\($0)'" }.joined(separator: ", ")
      update.stale.append("\(kata), \(mistake): the spec no longer has \(names).")
    }
  }

  /// Removes the katas and the mistakes that the catalogue no longer has.
  private mutating func forget(allBut catalogue: [Kata], _ update: inout Update) {
    for (kata, known) in patterns.sorted(by: { $0.key < $1.key }) {
      let names = catalogue.first { $0.name == kata }.map { $0.mistakes.map(\.name) + [Self.stub] }
      for mistake in known.keys.sorted() where names?.contains(mistake) != true {
        patterns[kata]?[mistake] = nil
        update.stale.append("\(kata), \(mistake): the catalogue no longer has it.")
      }
      if patterns[kata]?.isEmpty == true { patterns[kata] = nil }
    }
  }
}

extension Pattern {
  /// Whether a run has a test in common with the pattern.
  ///
  /// The tests that must reject a mistake do so in every run, or its proof falls short. So chance
  /// can change their messages and the other failing tests, but always leaves a common test.
  fileprivate func overlaps(_ profile: FailureProfile) -> Bool {
    !tests.isDisjoint(with: profile.signatures.keys)
  }
}

extension CandidateResult {
  /// The result of each run of a wrong answer; empty if its proof falls short, or if only the
  /// sanitizer can reject it.
  fileprivate var profiles: [FailureProfile] {
    guard shortfall == nil, candidate.mistake?.verdict != .race else { return [] }
    return runs.map { FailureProfile($0.tests) }.filter { !$0.signatures.isEmpty }
  }
}
