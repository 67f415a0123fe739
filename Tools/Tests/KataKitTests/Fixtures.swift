import Foundation

@testable import KataKit

enum Fixtures {
  /// The clone that these tests were built from.
  static let repository = Repository(
    root: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent())

  /// A repository in a folder of its own, which is removed when `body` returns.
  static func withEmptyRepository<Result>(_ body: (Repository) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "katas-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(Repository(root: folder))
  }

  static let kata = Kata(
    "Sample", module: .barriers, title: "A sample", difficulty: 1, minutes: 5,
    hints: ["one", "two", "three"],
    mistakes: [
      Mistake("first", .edit("a", "b"), rejectedBy: ["alpha"], advice: "Do this."),
      Mistake("second", .edit("a", "c"), rejectedBy: ["alpha", "beta"], advice: "Do that."),
    ],
    rightAnswers: [])

  /// A run of a spec with the tests alpha, beta and gamma.
  static func run(
    alpha: TestReport.Status = .passed, beta: TestReport.Status = .passed,
    gamma: TestReport.Status = .passed, races: Int = 0
  ) -> SpecRun {
    var run = SpecRun()
    run.tests = [("alpha", alpha), ("beta", beta), ("gamma", gamma)].enumerated().map {
      TestReport(name: $1.0, status: $1.1, line: $0 + 1, id: $1.0)
    }
    run.races = Array(repeating: RaceReport(accesses: []), count: races)
    return run
  }
}

extension Answer {
  /// The reference with some lines of it replaced.
  static func edit(_ old: String, _ new: String) -> Answer {
    let lines = [old, new].map { $0.components(separatedBy: "\n") }
    return .change(Change([Change.Hunk(line: 1, old: lines[0], new: lines[1])]))
  }
}

extension TestIssue {
  /// An objection with words of the spec's own, or one with nothing but Swift Testing's.
  static func saying(_ message: String, expectation: String = "") throws -> TestIssue {
    let text = try JSONEncoder().encode(["message": message, "expectation": expectation])
    return try JSONDecoder().decode(TestIssue.self, from: text)
  }
}
