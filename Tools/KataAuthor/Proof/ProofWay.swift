import KataKit

/// How much of a spec is run on a mistake to prove it.
package enum ProofWay: Sendable {
  /// All of it: which tests reject the mistake, and how, is measured and stored.
  case whole
  /// The tests that `Kata.md` names, and those that decide the verdict. If these don't reject the
  /// mistake as they must, all tests are run. Mutants that are listed as equivalent and listings of
  /// pages aren't judged.
  ///
  /// For other tests, the stored results of the last whole proof count.
  case named
}

extension Mistake {
  /// The tests that are enough to show that the mistake is rejected as it must be.
  ///
  /// These are the tests that must reject it. The first test that fails decides the verdict: if
  /// that isn't one of them, the first test that has always given the mistake's verdict is added.
  ///
  /// - Parameters:
  ///   - pattern: How the mistake was rejected so far, if it's known.
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
  /// The verdict that a test has always given to the mistake; nil if it doesn't always reject it.
  fileprivate func status(of test: String) -> Verdict.Kind? {
    guard let said = always[test] else { return nil }
    let statuses = said.map(\.status)
    return statuses.contains(.crashed) ? .crashed : statuses.contains(.hung) ? .hung : .failed
  }
}
