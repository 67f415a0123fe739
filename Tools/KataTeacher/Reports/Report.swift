import KataKit

/// The results of judging katas, for programs: the format of `kata report --format json`.
///
/// Within a version, fields may be added; removing a field or word, or changing its meaning, makes
/// a new version.
package struct Report: Codable, Sendable {
  /// The version of this format.
  package static let currentVersion = 1

  /// The figures of a report.
  package struct Summary: Codable, Equatable, Sendable {
    /// How many katas were judged.
    package let katas: Int
    /// How many katas have each verdict; every verdict is included.
    package let verdicts: [String: Int]
    /// How many tests have each status; every status is included.
    package let tests: [String: Int]
  }

  package let version: Int
  package let summary: Summary
  /// The katas in teaching order.
  package let katas: [KataReport]

  init(_ katas: [KataReport]) {
    version = Self.currentVersion
    self.katas = katas
    let tests = katas.flatMap(\.tests)
    summary = Summary(
      katas: katas.count,
      verdicts: Self.counts(Outcome.allCases.filter { $0 != .missing }, in: katas.map(\.verdict)),
      tests: Self.counts(
        [.passed, .failed, .hung, .crashed, .notReached], in: tests.map(\.status)))
  }

  /// The exit code for the verdicts; a kata without one isn't done.
  var exitCode: ExitCode {
    let kinds = katas.compactMap(\.verdict.kind)
    return kinds.count == katas.count ? ExitCode(kinds) : .notDone
  }

  private static func counts<Word: RawRepresentable & Equatable>(
    _ words: [Word], in found: [Word]
  ) -> [String: Int] where Word.RawValue == String {
    Dictionary(
      uniqueKeysWithValues: words.map { word in (word.rawValue, found.count { $0 == word }) })
  }
}
