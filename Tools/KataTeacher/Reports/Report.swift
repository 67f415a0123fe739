import KataKit

/// What came of judging katas, for programs: the shape of `kata report --format json`.
///
/// Within a version fields may be added; a field or word that is taken away or means something else
/// makes a new version.
package struct Report: Codable, Sendable {
  /// The version of this shape.
  package static let currentVersion = 1

  /// The figures of a report.
  package struct Summary: Codable, Equatable, Sendable {
    /// How many katas were judged.
    package let katas: Int
    /// How many katas got each verdict; every verdict is there.
    package let verdicts: [String: Int]
    /// How many tests have each status; every status is there.
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

  /// What the verdicts come to; a kata without one isn't done.
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
