/// What the runner says of an answer.
package struct Verdict: Codable, Sendable {
  /// The eight verdicts.
  package enum Kind: String, Codable, CaseIterable, Sendable {
    /// The stub, byte for byte: nobody has begun.
    case notStarted
    /// The compiler refuses the answer.
    case doesNotCompile
    /// An expectation of the spec isn't met.
    case failed
    /// The spec passes, and Thread Sanitizer reports a data race.
    case race
    /// The answer doesn't return, or never comes to rest.
    case hung
    /// The process died, or ended by itself, in the middle of a test.
    case crashed
    /// The spec passes, and Thread Sanitizer was asked for and didn't run: the kata isn't done.
    case racesNotChecked
    /// The spec passes, and Thread Sanitizer is silent.
    case passed
  }

  /// The kata's name.
  package let kata: String
  /// The kata's module.
  package let module: Module
  package var kind: Kind
  /// The tests in the order of the spec.
  ///
  /// What didn't run is `notReached`.
  package var tests: [TestReport] = []
  /// In how many schedules it was run, where it was looked for one that breaks it.
  package var schedules: Int?
  /// The compiler's messages, where it refuses the answer.
  package var compilerMessages: [CompilerMessage] = []
  /// Thread Sanitizer's first report, where it speaks.
  package var race: RaceReport?
  /// What the learner should know beside the verdict.
  package var notes: [String] = []
  /// The mistakes of the catalogue that it looks like, the likeliest first; see ``Diagnosis``.
  package var looksLike: [String] = []

  package init(_ kata: Kata, _ kind: Kind) {
    self.kata = kata.name
    module = kata.module
    self.kind = kind
  }

  /// The first test that the answer doesn't pass.
  package var firstFailure: TestReport? {
    tests.failing.first
  }
}
