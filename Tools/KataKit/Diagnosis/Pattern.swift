/// How a spec rejects one mistake, as measured over all its runs.
struct Pattern: Equatable, Sendable {
  /// The tests that rejected it in every run, each with all that it said.
  private(set) var always: [String: Set<FailureSignature>] = [:]
  /// The tests that rejected it in some runs only, each with all that it said.
  private(set) var sometimes: [String: Set<FailureSignature>] = [:]

  init(
    always: [String: Set<FailureSignature>] = [:], sometimes: [String: Set<FailureSignature>] = [:]
  ) {
    self.always = always
    self.sometimes = sometimes
  }

  /// What stands in for a pattern that nobody has measured: the tests that must reject the mistake.
  init(unmeasured mistake: Mistake) {
    guard mistake.verdict != .race else { return }
    always = Dictionary(mistake.rejectedBy.map { ($0, []) }) { first, _ in first }
  }

  var isEmpty: Bool { always.isEmpty && sometimes.isEmpty }

  /// All tests that have ever rejected the mistake.
  var tests: Set<String> { Set(always.keys).union(sometimes.keys) }

  /// All that `test` has ever said of the mistake; nil where it never rejected it.
  func said(by test: String) -> Set<FailureSignature>? { always[test] ?? sometimes[test] }

  // MARK: - Measuring

  /// Takes in what one more run has shown.
  ///
  /// Nothing is forgotten by it: what was seen stays seen, and a test that kept silent this time rejects
  /// the mistake only sometimes. A test that wasn't reached hasn't kept silent.
  mutating func widen(by symptoms: FailureProfile) {
    if isEmpty {
      self = Pattern(always: symptoms.complaints)
      return
    }
    for (test, complaints) in symptoms.complaints {
      if always[test] != nil {
        always[test]?.formUnion(complaints)
      } else {
        sometimes[test, default: []].formUnion(complaints)
      }
    }
    for test in always.keys where symptoms.silent.contains(test) {
      sometimes[test] = always.removeValue(forKey: test)
    }
  }

  /// Forgets the tests that aren't among `tests`.
  mutating func keep(tests: Set<String>) {
    always = always.filter { tests.contains($0.key) }
    sometimes = sometimes.filter { tests.contains($0.key) }
  }
}

// MARK: - As JSON

extension Pattern: Codable {
  private enum CodingKeys: String, CodingKey {
    case always, sometimes
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    always =
      try container.decodeIfPresent([String: Set<FailureSignature>].self, forKey: .always) ?? [:]
    sometimes =
      try container.decodeIfPresent([String: Set<FailureSignature>].self, forKey: .sometimes) ?? [:]
  }

  /// Sets are written in order and what is empty isn't, so that a change is a small difference.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if !always.isEmpty { try container.encode(always.mapValues { $0.sorted() }, forKey: .always) }
    if !sometimes.isEmpty {
      try container.encode(sometimes.mapValues { $0.sorted() }, forKey: .sometimes)
    }
  }
}
