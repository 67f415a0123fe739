import KataKit

/// The result of judging one kata of a submission.
///
/// Paths are relative to the clone, and texts contain no terminal codes.
package struct GradedKata: Codable, Sendable {
  package let kata: String
  package let module: Module
  package let verdict: Outcome
  /// The first failure: of a test, the compiler or Thread Sanitizer; nil if there is none.
  package private(set) var message: String?
  /// The first test that the answer doesn't pass.
  package private(set) var failingTest: String?
  /// Whether races were checked; a pass without that isn't final.
  package private(set) var racesChecked = false
  /// The tests in the order of the spec; empty if none ran.
  package private(set) var tests: [KataReport.Test] = []
  /// The compiler's errors, if it refuses the answer.
  package private(set) var compilerMessages: [CompilerMessage] = []
  /// The unordered accesses, if there is a race.
  package private(set) var race: [KataReport.Access] = []
  /// The mistakes that the answer resembles, if any.
  package private(set) var looksLike: [KataReport.Likeness] = []
  /// Additional remarks.
  package private(set) var notes: [String] = []

  /// A kata without a verdict.
  init(_ kata: Kata, _ verdict: Outcome, message: String? = nil) {
    self.kata = kata.name
    module = kata.module
    self.verdict = verdict
    self.message = message
  }

  /// A kata with a verdict, which was made in `repository`.
  init(_ verdict: Verdict, on kata: Kata, in repository: Repository, racesChecked: Bool) {
    let report = KataReport(verdict, on: kata, in: repository, seconds: 0)
    self.init(kata, report.verdict)
    self.racesChecked = racesChecked
    tests = report.tests
    compilerMessages = report.compilerMessages
    race = report.race
    looksLike = report.looksLike
    notes = report.notes
    let failing = tests.first(where: \.isFailure)
    failingTest = failing?.name
    guard verdict.kind != .passed || self.verdict == .error else { return }
    let isSaidElsewhere = !compilerMessages.isEmpty || !race.isEmpty
    message =
      report.message ?? failing?.message ?? (isSaidElsewhere ? nil : notes.first)
      ?? report.problem?.sentence.bounded(toBytes: 2048)
  }

  func noting(_ note: String) -> GradedKata {
    var noted = self
    noted.notes.append(note)
    return noted
  }

  var passedTests: Int { tests.count { $0.status == .passed } }
}
