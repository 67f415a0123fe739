import KataKit

/// A kata's report as the `results.json` of an Exercism test runner, version 3.
///
/// Source: Exercism's test runner interface. Its results are `pass`, `fail`, and `error` if no test
/// ran, with the reason in the only message. Katas aren't divided into tasks, so there is no
/// `task_id`.
struct ExercismResults: Codable, Equatable {
  enum Status: String, Codable {
    case pass, fail, error
  }

  struct Test: Codable, Equatable {
    let name: String
    let status: Status
    let message: String?
    /// What the answer printed during the test.
    var output: String?
    /// The body of the test.
    let testCode: String?

    private enum CodingKeys: String, CodingKey {
      case name, status, message, output
      case testCode = "test_code"
    }
  }

  /// The longest message at the top, in bytes.
  private static let messageLimit = 65_535
  /// The longest output of a test, in characters.
  private static let outputLimit = 500

  let version: Int
  let status: Status
  let message: String?
  /// The tests in the order of the spec.
  let tests: [Test]

  /// The results of a kata; `specs` are the texts of its spec's files by their paths.
  init(_ kata: KataReport, specs: [String: String]) {
    version = 3
    let sources = specs.mapValues(SpecSource.init)
    guard kata.hasRun else {
      status = .error
      message = Self.reason(of: kata).bounded(toBytes: Self.messageLimit)
      tests = []
      return
    }
    message = nil
    let problem = kata.problem.map {
      Test(name: $0.name, status: .fail, message: $0.sentence, testCode: nil)
    }
    tests =
      kata.tests.map { test in
        Test(
          name: test.name, status: Self.status(of: test),
          message: test.status == .passed ? nil : Self.message(of: test, in: kata),
          output: test.printed.map { Self.shortened($0) },
          testCode: test.testLine.flatMap { sources[test.testFile]?.body(ofTestAt: $0) })
      } + [problem].compactMap { $0 }
    // Not only the verdict counts: a pass requires that every test passes.
    status = tests.allSatisfy { $0.status == .pass } ? .pass : .fail
  }

  /// The end of an output that is too long: the last lines say most.
  private static func shortened(_ output: String) -> String {
    output.count > outputLimit ? "…" + output.suffix(outputLimit - 1) : output
  }

  private static func status(of test: KataReport.Test) -> Status {
    switch test.status {
    case .passed: .pass
    case .failed: .fail
    case .hung, .crashed, .notReached: .error
    }
  }

  private static func message(of test: KataReport.Test, in kata: KataReport) -> String {
    test.status == .notReached
      ? "This test wasn't reached: the run ended before it." : kata.details(of: test)
  }

  /// The reason why no test ran.
  private static func reason(of kata: KataReport) -> String {
    let said = kata.problem?.sentence ?? kata.tests.compactMap(\.message).first
    let reason = said.flatMap { $0.isEmpty ? nil : $0 } ?? "No test ran."
    return ([reason] + kata.notes).joined(separator: "\n\n")
  }
}
