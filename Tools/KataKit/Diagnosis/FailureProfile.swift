/// What one run of a spec has shown about an answer.
package struct FailureProfile: Equatable, Sendable {
  /// The tests that rejected the answer, each with its messages.
  package var signatures: [String: Set<FailureSignature>] = [:]
  /// The tests that passed it.
  package var silent: Set<String> = []

  package init(_ tests: [TestReport]) {
    // A spec that didn't start has no tests to report.
    for test in tests where !test.id.isEmpty {
      if test.status == .passed { silent.insert(test.name) }
      let said = FailureSignature.all(of: test)
      if !said.isEmpty { signatures[test.name] = said }
    }
  }
  /// Whether a test says, word for word, what it has said of one mistake, and has never said that
  /// of the other.
  func says(what pattern: Pattern, butNever other: Pattern) -> Bool {
    signatures.contains { test, said in
      guard let known = pattern.said(by: test), let others = other.said(by: test), !others.isEmpty
      else { return false }
      return said.isSubset(of: known) && said.isDisjoint(with: others)
    }
  }
}
