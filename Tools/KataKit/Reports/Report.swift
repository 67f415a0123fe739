/// What came of judging katas, for programs: the shape of `kata report --format json`.
///
/// Within a version fields may be added; a field or word that is taken away or means something else
/// makes a new version.
public struct Report: Codable, Sendable {
  /// The version of this shape.
  public static let currentVersion = 1

  /// The figures of a report.
  public struct Summary: Codable, Equatable, Sendable {
    /// How many katas were judged.
    public let katas: Int
    /// How many katas got each verdict; every verdict is there.
    public let verdicts: [String: Int]
    /// How many tests have each status; every status is there.
    public let tests: [String: Int]
  }

  public let version: Int
  public let summary: Summary
  /// The katas in teaching order.
  public let katas: [KataReport]

  init(_ katas: [KataReport]) {
    version = Self.currentVersion
    self.katas = katas
    let tests = katas.flatMap(\.tests)
    summary = Summary(
      katas: katas.count,
      verdicts: Self.counts(KataReport.Outcome.allCases, in: katas.map(\.verdict)),
      tests: Self.counts(
        [.passed, .failed, .hung, .crashed, .notReached], in: tests.map(\.status)))
  }

  /// Whether every kata passes.
  var isDone: Bool { katas.allSatisfy { $0.verdict == .passed } }

  private static func counts<Word: RawRepresentable & Equatable>(
    _ words: [Word], in found: [Word]
  ) -> [String: Int] where Word.RawValue == String {
    Dictionary(
      uniqueKeysWithValues: words.map { word in (word.rawValue, found.count { $0 == word }) })
  }
}
