import Foundation

@testable import KataKit
@testable import KataTeacher
import KataTesting

/// Reports of every kind, and hostile ones.
enum Samples {
  private static let repository = Fixtures.repository
  private static let kata = Fixtures.kata

  /// Text as a learner's program may print it.
  static let hostile =
    "a < b && c > \"d\" ]]> 'e' \u{0}\u{1}\u{8}\u{B}\u{1F}\u{1B}c \u{7F} \r\n\t\u{FFFE}\u{FFFF} 🧵 é"
    + String(decoding: [0xC3, 0x28, 0xFF], as: UTF8.self)

  /// A report with tests of these statuses.
  static func report(_ kind: Verdict.Kind, _ statuses: [TestReport.Status]) -> KataReport {
    var verdict = Verdict(kata, kind)
    verdict.tests = statuses.enumerated().map {
      TestReport(name: "test \($0)", status: $1, line: $0 + 1, id: "\($0)")
    }
    return KataReport(verdict, on: kata, in: repository, seconds: 0.5)
  }

  static let failed: KataReport = {
    var verdict = Verdict(kata, .failed)
    verdict.tests = Fixtures.run(alpha: .failed).tests
    verdict.tests[0].issues = [
      issue(
        "Expectation failed: count == 0", "A reader came in.\n\n  writer  ├────┤",
        repository.url("Tests/BarriersTests/Sample/SampleTests.swift").path, 12)
    ]
    verdict.looksLike = ["first"]
    return KataReport(verdict, on: kata, in: repository, seconds: 1.25)
  }()

  static let race: KataReport = {
    var verdict = Verdict(kata, .race)
    verdict.tests = Fixtures.run().tests
    let own = repository.url("Katas/Barriers/Sample.swift").path
    let tool = repository.url("Tools/KataTesting/Race.swift").path
    verdict.race = RaceReport(accesses: [
      .init(
        kind: "Write",
        frames: [
          .init(function: "race", file: tool, line: 3),
          .init(function: "Sample.add()", file: own, line: 7),
        ]),
      .init(kind: "Previous read", frames: [.init(function: "race", file: tool, line: 4)]),
    ])
    return KataReport(verdict, on: kata, in: repository, seconds: 3)
  }()

  static let doesNotCompile: KataReport = {
    var verdict = Verdict(kata, .doesNotCompile)
    verdict.compilerMessages = [
      CompilerMessage(
        file: repository.url("Katas/Barriers/Sample.swift").path, line: 3, column: 9,
        message: "cannot find 'x' in scope", excerpt: ["let y = x", "        ^"])
    ]
    verdict.notes = ["A note."]
    return KataReport(verdict, on: kata, in: repository, seconds: 2)
  }()

  static let diedAtStart: KataReport = {
    var verdict = Verdict(kata, .crashed)
    verdict.tests = [
      TestReport(name: "the spec starts", status: .crashed, crash: "It died.", line: 0, id: "")
    ]
    return KataReport(verdict, on: kata, in: repository, seconds: 0)
  }()

  static let gone = KataReport(
    KataError("\(repository.url("Katas/Barriers/Sample.swift").path) is gone.", .notDone), on: kata,
    in: repository, seconds: 0)

  static let hostileCrash: KataReport = {
    var verdict = Verdict(kata, .crashed)
    verdict.tests = [
      TestReport(
        name: "hostile \(hostile)", status: .crashed, crash: hostile, line: 1, id: "hostile"),
      TestReport(name: "after", status: .notReached, line: 2, id: "after"),
    ]
    verdict.notes = [hostile]
    return KataReport(verdict, on: kata, in: repository, seconds: 0)
  }()

  /// One of each.
  static let all = [
    report(.notStarted, [.failed, .passed]), report(.notStarted, [.passed]),
    report(.passed, [.passed, .passed]), report(.passed, []), failed, race, doesNotCompile,
    report(.hung, [.passed, .hung, .notReached]), report(.crashed, [.passed, .notReached]),
    report(.failed, []), diedAtStart, gone, hostileCrash,
  ]

  /// A report as chance will have it, also of verdicts that contradict their tests.
  static func random(_ random: inout SplitMix64) -> KataReport {
    let statuses: [TestReport.Status] = [.passed, .failed, .hung, .crashed, .notReached]
    let kinds = Verdict.Kind.allCases
    return report(
      kinds[Int.random(in: 0..<kinds.count, using: &random)],
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        statuses[Int.random(in: 0..<statuses.count, using: &random)]
      })
  }

  /// An issue as it comes from the event stream.
  private static func issue(
    _ expectation: String, _ message: String, _ file: String, _ line: Int
  ) -> TestIssue {
    let fields: [String: Any] = [
      "expectation": expectation, "message": message, "file": file, "line": line,
    ]
    guard let data = try? JSONSerialization.data(withJSONObject: fields),
      let issue = try? JSONDecoder().decode(TestIssue.self, from: data)
    else { fatalError("An issue has these fields and no others.") }
    return issue
  }
}
