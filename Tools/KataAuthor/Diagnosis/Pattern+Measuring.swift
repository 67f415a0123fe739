import KataKit

extension Pattern {
  /// Adds the result of another run.
  ///
  /// Earlier failures are kept, and a test that passes this time rejects the mistake only
  /// sometimes. A test that wasn't reached hasn't passed.
  mutating func widen(by profile: FailureProfile) {
    if isEmpty {
      self = Pattern(always: profile.signatures)
      return
    }
    for (test, signatures) in profile.signatures {
      if always[test] != nil {
        always[test]?.formUnion(signatures)
      } else {
        sometimes[test, default: []].formUnion(signatures)
      }
    }
    for test in always.keys where profile.silent.contains(test) {
      sometimes[test] = always.removeValue(forKey: test)
    }
  }

  /// Removes the tests that aren't among `tests`.
  mutating func keep(tests: Set<String>) {
    always = always.filter { tests.contains($0.key) }
    sometimes = sometimes.filter { tests.contains($0.key) }
  }
}

extension Pattern: Encodable {
  /// Encodes sets in order and leaves out empty ones, so that a change is a small difference.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if !always.isEmpty { try container.encode(always.mapValues { $0.sorted() }, forKey: .always) }
    if !sometimes.isEmpty {
      try container.encode(sometimes.mapValues { $0.sorted() }, forKey: .sometimes)
    }
  }
}

extension FailureSignature: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
