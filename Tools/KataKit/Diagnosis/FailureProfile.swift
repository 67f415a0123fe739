/// What one run of a spec has shown of an answer.
package struct FailureProfile: Equatable, Sendable {
  /// The tests that rejected the answer, each with what it said.
  package var signatures: [String: Set<FailureSignature>] = [:]
  /// The tests that passed it.
  package var silent: Set<String> = []

  package init(_ tests: [TestReport]) {
    // A spec that didn't even start has no test to tell of.
    for test in tests where !test.id.isEmpty {
      if test.status == .passed { silent.insert(test.name) }
      let said = FailureSignature.all(of: test)
      if !said.isEmpty { signatures[test.name] = said }
    }
  }
}
