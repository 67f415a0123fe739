import Foundation
import KataKit

/// Judges the mutants of katas: a mutant that passes is a wrong answer that the spec misses, or it
/// behaves the same.
package struct MutationTrial: Sendable {
  let repository: Repository
  let timeout: Double
  let say: @Sendable (String) -> Void

  package init(repository: Repository, timeout: Double, say: @escaping @Sendable (String) -> Void) {
    self.repository = repository
    self.timeout = timeout
    self.say = say
  }

  /// Judges the mutants of the references of `katas`, and reports which pass, under Thread
  /// Sanitizer too.
  ///
  /// Blocks until it's done.
  package func run(_ katas: [Kata]) throws -> MutationReport {
    let start = ContinuousClock.now
    let results = try CandidateTrials(
      repository: repository, timeout: timeout, repeats: 1, say: say
    )
    .results(of: katas.flatMap { try Candidate.mutants(of: $0, in: repository) })
    var report = MutationReport()
    for kata in katas {
      let own = results.filter { $0.candidate.kata.name == kata.name }
      report.katas.append(MutationReport.Score(kata, own))
    }
    report.seconds = Int(start.duration(to: .now).components.seconds)
    return report
  }
}

/// The results of mutants.
package struct MutationReport: Codable, Sendable {
  /// The mutants of one kata.
  package struct Score: Codable, Sendable {
    package let kata: String
    /// The number of mutants that compile.
    package let mutants: Int
    package let rejected: Int
    /// The number of mutants that pass and are listed as equivalent.
    package let equivalent: Int
    /// The names of the mutants that pass and aren't listed.
    package let survivors: [String]
    /// Entries of the lists without a passing mutant, in a sentence each.
    package let outdated: [String]
  }

  package internal(set) var katas: [Score] = []
  /// How long it took.
  package internal(set) var seconds = 0

  package var holds: Bool { katas.allSatisfy { $0.survivors.isEmpty && $0.outdated.isEmpty } }

  /// The figures in one line.
  package var line: String {
    func sum(_ count: (Score) -> Int) -> Int { katas.map(count).reduce(0, +) }
    return """
      \(katas.count) katas · \(sum(\.mutants)) mutants · \(sum(\.rejected)) rejected · \
      \(sum(\.equivalent)) equivalent · \(sum(\.survivors.count)) survivors · \(seconds) s
      """
  }
}

extension MutationReport.Score {
  /// Creates the score of a kata from the results of its mutants.
  init(_ kata: Kata, _ results: [CandidateResult]) {
    let compiled = results.filter { $0.compilerMessages.isEmpty }
    let passed = compiled.filter { result in
      result.passedEveryTime && result.sanitized.allSatisfy(\.races.isEmpty)
    }.map(\.candidate.name)
    let listed = Set(kata.equivalents.map(\.mutant))
    let names = Set(compiled.map(\.candidate.name))
    self.init(
      kata: kata.name, mutants: compiled.count, rejected: compiled.count - passed.count,
      equivalent: passed.count(where: listed.contains),
      survivors: passed.filter { !listed.contains($0) },
      outdated: listed.subtracting(names).sorted()
        .map { "there is no such mutant, or it doesn't compile: \($0)" }
        + listed.intersection(names).subtracting(passed).sorted()
        .map { "listed as equivalent, but rejected: \($0)" })
  }
}

extension Candidate {
  /// The mutants of a kata's reference, as answers in `Katas/`.
  static func mutants(of kata: Kata, in repository: Repository) throws -> [Candidate] {
    let borrowed = kata.borrowedTypes
    let stub = try repository.text(repository.stubPath(of: kata))
    return Mutant.all(of: try repository.text(repository.referencePath(of: kata)), stub: stub).map {
      Candidate(kata: kata, role: .mutant($0.name), text: borrowed.named(in: $0.text))
    }
  }

  /// The mutants that are listed as equivalent; an entry without a mutant is reported by `kata
  /// mutate`.
  static func equivalents(of kata: Kata, in repository: Repository) throws -> [Candidate] {
    guard !kata.equivalents.isEmpty else { return [] }
    let listed = Set(kata.equivalents.map(\.mutant))
    return try mutants(of: kata, in: repository).filter { listed.contains($0.name) }.map {
      Candidate(kata: kata, role: .equivalent($0.name), text: $0.text)
    }
  }
}
