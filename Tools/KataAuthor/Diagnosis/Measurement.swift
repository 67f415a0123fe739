import Foundation
import KataKit

/// The result of one run of a mistake in another right answer, stored so that it can be diagnosed
/// again without a build.
struct Measurement: Codable, Sendable {
  /// The name of the mistake.
  let mistake: String
  /// The name of the right answer that contains the mistake.
  let host: String
  /// Whether the compiler refuses it there.
  let isRefused: Bool
  /// The tests, in the order of the spec.
  let tests: [TestReport]
  /// Thread Sanitizer's reports.
  let races: [RaceReport]

  /// The runs of a result for a mistake in another answer; empty for other results.
  static func all(of result: CandidateResult) -> [Measurement] {
    guard case .transplant(let mistake, let host) = result.candidate.role else { return [] }
    func measurement(_ run: SpecRun, isRefused: Bool = false) -> Measurement {
      Measurement(
        mistake: mistake.name, host: host.name, isRefused: isRefused, tests: run.tests,
        races: run.races)
    }
    guard result.compilerMessages.isEmpty else {
      return [measurement(SpecRun(), isRefused: true)]
    }
    // If the spec alone passes it, the sanitizer's runs count.
    return (result.sanitized.isEmpty ? result.runs : result.sanitized).map { measurement($0) }
  }

  /// The verdict that a learner would get.
  func verdict(on kata: Kata) -> Verdict {
    var run = SpecRun()
    run.tests = tests
    let verdict = Judge.verdict(kata, run)
    guard let race = races.first, verdict.kind == .passed else { return verdict }
    var raced = verdict
    raced.kind = .race
    raced.race = race
    return raced
  }

  // MARK: - The file

  static func write(_ measurements: [Measurement], of kata: Kata, in repository: Repository) throws
  {
    let text = String(decoding: try JSONEncoder().encode(measurements), as: UTF8.self)
    try repository.write(text, to: path(of: kata))
  }

  /// The measurements of a kata; nil if there are none.
  static func read(_ kata: Kata, in repository: Repository) -> [Measurement]? {
    guard let text = try? repository.text(path(of: kata)) else { return nil }
    return try? JSONDecoder().decode([Measurement].self, from: Data(text.utf8))
  }

  private static func path(of kata: Kata) -> String { ".build/diagnosis/\(kata.name).json" }
}
