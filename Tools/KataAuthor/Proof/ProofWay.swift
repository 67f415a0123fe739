import KataKit

/// How much of a spec is run on a mistake to prove it.
package enum ProofWay: Sendable {
  /// All of it: which tests reject the mistake, and how, is measured and kept.
  case whole
  /// The tests that `Kata.md` names, and those that decide about the verdict; where these alone don't reject
  /// it as they must, all of it after all. Mutants that are listed as the
  /// same program, and what pages show with a verdict, aren't judged.
  ///
  /// What else rejects a mistake is believed as the whole proof has kept it.
  case named
}

extension Mistake {
  /// The tests that are enough to show that the mistake is rejected as it must be.
  ///
  /// Those that must reject it. The first test that fails decides the verdict: where that isn't one of
  /// them, the first that has always given the mistake's verdict comes with them.
  ///
  /// - Parameters:
  ///   - pattern: How the mistake was rejected so far, where that is known.
  ///   - tests: The tests of the spec, in order.
  /// - Returns: Names of tests.
  func namedTests(pattern: Pattern?, in tests: [String]) -> [String] {
    guard let pattern, verdict != .race else { return rejectedBy }
    let first = tests.first { rejectedBy.contains($0) }
    guard first.flatMap(pattern.status) != verdict,
      let decisive = tests.first(where: { pattern.status(of: $0) == verdict })
    else { return rejectedBy }
    return rejectedBy + [decisive]
  }
}

extension Pattern {
  /// The verdict that a test has given whenever the mistake was judged; nil where it doesn't always reject it.
  fileprivate func status(of test: String) -> Verdict.Kind? {
    guard let said = always[test] else { return nil }
    let statuses = said.map(\.status)
    return statuses.contains(.crashed) ? .crashed : statuses.contains(.hung) ? .hung : .failed
  }
}
