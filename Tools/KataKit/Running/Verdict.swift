/// The runner's verdict on an answer.
package struct Verdict: Codable, Sendable {
  /// The eight verdicts.
  package enum Kind: String, Codable, CaseIterable, Sendable {
    /// The stub, byte for byte.
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
    /// The spec passes, but Thread Sanitizer was asked for and didn't run: the kata isn't done.
    case racesNotChecked
    /// The spec passes, and Thread Sanitizer reports nothing.
    case passed
  }

  /// The kata's name.
  package let kata: String
  /// The kata's module.
  package let module: Module
  package var kind: Kind
  /// The tests in the order of the spec.
  ///
  /// A test that didn't run is `notReached`.
  package var tests: [TestReport] = []
  /// The number of schedules in which it was run, if schedules were explored.
  package var schedules: Int?
  /// The compiler's errors, if it refuses the answer.
  package var compilerMessages: [CompilerMessage] = []
  /// Thread Sanitizer's first report, if there is one.
  package var race: RaceReport?
  /// What the learner should know in addition to the verdict.
  package var notes: [String] = []
  /// The mistakes of the catalogue that it resembles, the likeliest first; see ``Diagnosis``.
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
