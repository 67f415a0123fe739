import Foundation
import KataKit

/// The result of judging one kata, for programs.
///
/// Paths are relative to the clone, and texts contain no terminal codes.
package struct KataReport: Codable, Sendable {
  /// One test of the spec.
  package struct Test: Codable, Sendable {
    /// The test's name, a sentence.
    package let name: String
    package let status: TestReport.Status
    /// The failure with its picture, or how the process died.
    package let message: String?
    /// The condition that didn't hold, if it's short enough to help.
    package let expected: String?
    /// What the answer printed during the test, if anything: the first and the last lines.
    package let printed: String?
    /// The file of the failed expectation, or else of the test.
    package let file: String
    package let line: Int?
    /// The file of the test.
    package let testFile: String
    /// The line of the test in its file; nil for a failure before the first test.
    package let testLine: Int?
    /// The lines at which a schedule held threads, in order; nil if none has failed it.
    package let heldAt: [TestIssue.Line]?
    /// Whether it asks for more than Apple's documentation of `Operation`; nil if that wasn't asked
    /// for.
    package fileprivate(set) var isBeyondOperation: Bool?

    package var isFailure: Bool { status != .passed && status != .notReached }
  }

  /// One side of a data race.
  package struct Access: Codable, Equatable, Sendable {
    /// "write", "read", and so on.
    package let kind: String
    package let function: String
    package let file: String
    package let line: Int
  }

  /// A mistake of the catalogue that fails the same tests.
  package struct Likeness: Codable, Equatable, Sendable {
    package let mistake: String
    package let advice: String
  }

  package let kata: String
  /// The kata's module; nil for code that is judged by a scenario.
  package private(set) var module: Module?
  package let title: String
  /// The learner's file, or the first of an app's.
  package private(set) var file: String
  /// The file of the spec, or the first one if it has several.
  package private(set) var spec: String
  package let verdict: Outcome
  /// Why there is no verdict, or why the spec doesn't compile with code that does.
  package private(set) var message: String?
  /// Whether only tests fail that ask for more than `Operation`; nil if that wasn't asked for.
  package private(set) var keepsContract: Bool?
  /// How long judging took, including building.
  package let seconds: Double
  /// The tests in the order of the spec; empty if none ran.
  package private(set) var tests: [Test] = []
  /// The compiler's errors, if it refuses the answer.
  package private(set) var compilerMessages: [CompilerMessage] = []
  /// The number of schedules in which the code was run, if schedules were explored.
  package private(set) var schedules: Int?
  /// The unordered accesses, if there is a race; those in the learner's file first.
  package private(set) var race: [Access] = []
  /// The mistakes that the answer resembles, if any.
  package private(set) var looksLike: [Likeness] = []
  /// Additional remarks.
  package private(set) var notes: [String] = []

  /// The report of a verdict.
  ///
  /// A pass in which no test ran, or not all passed, is reported as an error.
  package init(_ verdict: Verdict, on kata: Kata, in repository: Repository, seconds: Double) {
    let tests = verdict.tests.map { Test($0, spec: repository.specPath(of: kata), in: repository) }
    var outcome = Outcome(verdict.kind)
    var message: String?
    if [.passed, .racesNotChecked].contains(outcome),
      tests.isEmpty || tests.contains(where: { $0.status != .passed })
    {
      outcome = .error
      message = "The verdict was 'passed', but not every test ran and passed; judge it again."
    }
    self.init(kata, outcome, in: repository, seconds: seconds)
    self.message = message
    self.tests = tests
    compilerMessages = verdict.compilerMessages.map { $0.portable(in: repository) }
    schedules = verdict.schedules
    race = verdict.race?.sides.compactMap { Access($0, in: repository) } ?? []
    looksLike = kata.mistakes.filter { verdict.looksLike.contains($0.name) }
      .map { Likeness(mistake: $0.name, advice: $0.advice) }
    notes = verdict.notes.map { repository.portable($0) }
  }

  /// The report of code from an app.
  init(_ judged: AppCodeVerdict, on code: AppCode, in repository: Repository, seconds: Double) {
    self.init(judged.verdict, on: code.kata, in: repository, seconds: seconds)
    file = repository.short(code.files[0].path)
    message = message ?? judged.gap.flatMap { $0.isEmpty ? nil : $0 }
    if let scenario = code.scenario {
      (module, spec) = (nil, repository.short(scenario.path))
      return
    }
    keepsContract = judged.keepsContract || [.passed, .racesNotChecked].contains(verdict)
    for index in tests.indices {
      tests[index].isBeyondOperation = judged.beyondOperation.contains(tests[index].name)
    }
  }

  /// The report of a kata that can't be judged.
  package init(_ error: KataError, on kata: Kata, in repository: Repository, seconds: Double) {
    self.init(kata, .error, in: repository, seconds: seconds)
    message = repository.portable(error.description)
  }

  private init(_ kata: Kata, _ verdict: Outcome, in repository: Repository, seconds: Double) {
    self.kata = kata.name
    module = kata.module
    title = kata.title
    file = repository.learnerPath(of: kata)
    spec = repository.specPath(of: kata)
    self.verdict = verdict
    self.seconds = (seconds * 1000).rounded() / 1000
  }
}

extension KataReport.Test {
  fileprivate init(_ test: TestReport, spec: String, in repository: Repository) {
    let issue = test.issues.first
    let said = [test.crash].compactMap { $0 } + test.issues.map(\.sentence)
    name = repository.portable(test.name)
    status = test.status
    message =
      if !said.isEmpty {
        repository.portable(said.joined(separator: "\n\n"))
      } else if test.status == .hung {
        """
        This test made no progress, so its process was killed: something waits for what never \
        happens, or loops forever.
        """
      } else {
        nil
      }
    printed = test.printed.map { repository.portable($0) }
    expected = issue?.isHang == false ? issue?.expected.map { repository.portable($0) } : nil
    testFile = test.file.map { repository.short($0) } ?? spec
    testLine = test.line > 0 ? test.line : nil
    heldAt = issue?.heldAt?.map {
      TestIssue.Line(file: repository.short($0.file), line: $0.line)
    }
    if let file = issue?.file, let line = issue?.line {
      self.file = repository.short(file)
      self.line = line
    } else {
      file = testFile
      line = testLine
    }
  }
}

extension KataReport.Access {
  /// The place of an access to look at first; nil if there is none.
  fileprivate init?(_ access: RaceReport.Access, in repository: Repository) {
    guard let frame = access.place else { return nil }
    kind = access.word
    function = repository.portable(frame.function)
    file = repository.short(frame.file)
    line = frame.line
  }
}

extension CompilerMessage {
  fileprivate func portable(in repository: Repository) -> CompilerMessage {
    CompilerMessage(
      file: repository.short(file), line: line, column: column,
      message: repository.portable(message),
      excerpt: excerpt.map { repository.portable($0) })
  }
}
