/// How a spec rejects one mistake, as measured over all its runs.
package struct Pattern: Equatable, Sendable {
  /// The tests that rejected it in every run, each with all its messages.
  package var always: [String: Set<FailureSignature>] = [:]
  /// The tests that rejected it only in some runs, each with all its messages.
  package var sometimes: [String: Set<FailureSignature>] = [:]

  package init(
    always: [String: Set<FailureSignature>] = [:], sometimes: [String: Set<FailureSignature>] = [:]
  ) {
    self.always = always
    self.sometimes = sometimes
  }

  /// A replacement for a pattern that hasn't been measured: the tests that must reject the mistake.
  init(unmeasured mistake: Mistake) {
    guard mistake.verdict != .race else { return }
    always = Dictionary(mistake.rejectedBy.map { ($0, []) }) { first, _ in first }
  }

  package var isEmpty: Bool { always.isEmpty && sometimes.isEmpty }

  /// All tests that have ever rejected the mistake.
  package var tests: Set<String> { Set(always.keys).union(sometimes.keys) }

  /// All messages of `test` about the mistake; nil if it never rejected it.
  package func said(by test: String) -> Set<FailureSignature>? { always[test] ?? sometimes[test] }
}

// MARK: - As JSON

extension Pattern: Decodable {
  package enum CodingKeys: String, CodingKey {
    case always, sometimes
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    always =
      try container.decodeIfPresent([String: Set<FailureSignature>].self, forKey: .always) ?? [:]
    sometimes =
      try container.decodeIfPresent([String: Set<FailureSignature>].self, forKey: .sometimes) ?? [:]
  }
}
