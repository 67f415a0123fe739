import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit

/// How a verdict is reached: `KATA_WAY`, and how a process of specs has ended.
@Suite struct WaysTests {
  @Test func `KATA_WAY is a way, or nothing, or a sentence`() throws {
    #expect(try JudgingWay(chosenBy: nil) == nil)
    #expect(try JudgingWay(chosenBy: "") == nil)
    #expect(try JudgingWay(chosenBy: "plain") == .plain)
    #expect(try JudgingWay(chosenBy: "fast") == .fast)
    let error = #expect(throws: KataError.self) { try JudgingWay(chosenBy: "slow") }
    #expect(error?.exitCode == .usage)
    #expect(error?.description.contains("'slow'; give 'plain'") == true)
  }

  @Test func `the other way is taken for what is neither the answer's fault nor the machine's`() {
    #expect(KataError.building("ld isn't there.").isOfWay)
    #expect(KataError("'helper' isn't there.", .environment).isOfWay)
    for error in [
      KataError.diskFull, .noToolchain, .cannotWrite("x"), KataError("gone", .notDone),
      KataError("KATA_WAY", .usage),
    ] { #expect(!error.isOfWay, "\(error)") }
  }

  @Test func `a signal is read from what swift test says`() {
    let output = "error: Exited with unexpected signal code 11\n"
    #expect(PlainBuild.ending(.exited(1), output: output) == .killed(signal: 11))
    #expect(PlainBuild.ending(.exited(1), output: "signal code 11") == .exited(1))
  }

  @Test(arguments: [
    ("Fatal error: out of ideas", "x.swift:1: Fatal error: out of ideas"),
    (
      "uncaught exception 'NSInvalidArgumentException'",
      """
      2026 x[1:2] *** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: \
      '*** -[NSOperationQueue addOperation:]: operation is finished'
      """
    ),
    ("Symbol not found", "dyld[77]: Symbol not found: _x"),
    ("can't be opened", "KataHost: dlopen(x): it can't be opened"),
  ])
  func `what ended a process is quoted`(said: String, output: String) {
    let text = CrashReason.text(.killed(signal: SIGABRT), output: "before\n\(output)\nafter\n")
    #expect(text.contains(said) && !text.contains("after"), "\(text)")
  }

  @Test func `a stack that overflows is called that, whichever signal tells`() {
    for signal in [SIGSEGV, SIGBUS] {
      #expect(
        CrashReason.text(.killed(signal: signal), output: "").contains("stack that overflowed"))
    }
  }

  @Test func `a race of which no line is known says where to look`() {
    var verdict = Verdict(Fixtures.kata, .race)
    verdict.race = RaceReport(accesses: [])
    let text = VerdictText(repository: Fixtures.repository, style: TextStyle(hasColours: false))
      .details(verdict, Fixtures.kata)
    #expect(text.contains("named no line"))
  }
}

/// Which tests are run on a mistake where not all are.
@Suite struct NamedTestsTests {
  private let order = ["alpha", "beta", "gamma"]

  private func mistake(_ rejectedBy: [String], _ verdict: Verdict.Kind = .failed) -> Mistake {
    Mistake("m", nil, rejectedBy: rejectedBy, verdict: verdict, advice: "a")
  }

  private func pattern(_ always: [String: String]) throws -> Pattern {
    let entries = always.map { "\"\($0.key)\": [\"\($0.value)\"]" }.joined(separator: ", ")
    return try JSONDecoder().decode(
      Pattern.self, from: Data("{\"always\": {\(entries)}}".utf8))
  }

  @Test func `those that are named, where the first of them gives the verdict`() throws {
    let pattern = try pattern(["alpha": "failed: a.", "beta": "failed: b.", "gamma": "hung: c."])
    #expect(mistake(["beta"]).namedTests(pattern: pattern, in: order) == ["beta"])
    #expect(mistake(["gamma"], .hung).namedTests(pattern: pattern, in: order) == ["gamma"])
  }

  @Test func `and the first that gives the verdict, where another one decides it`() throws {
    let pattern = try pattern(["alpha": "hung: a.", "beta": "failed: b."])
    #expect(mistake(["beta"], .hung).namedTests(pattern: pattern, in: order) == ["beta", "alpha"])
  }

  @Test func `those that are named alone, where nothing is known, and of a race`() throws {
    #expect(mistake(["beta"], .hung).namedTests(pattern: nil, in: order) == ["beta"])
    let pattern = try pattern(["alpha": "failed: a."])
    #expect(mistake(["beta"], .race).namedTests(pattern: pattern, in: order) == ["beta"])
  }
}
