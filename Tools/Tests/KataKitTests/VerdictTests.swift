import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct VerdictTests {
  @Test func `a run in which everything passes is a pass`() {
    #expect(Judge.verdict(Fixtures.kata, Fixtures.run()).kind == .passed)
  }

  @Test func `a run without a test is no pass`() {
    #expect(Judge.verdict(Fixtures.kata, SpecRun()).kind == .crashed)
  }

  @Test func `what wasn't reached is no pass`() {
    #expect(Judge.verdict(Fixtures.kata, Fixtures.run(gamma: .notReached)).kind == .crashed)
  }

  @Test(arguments: [
    (TestReport.Status.failed, Verdict.Kind.failed), (.hung, .hung), (.crashed, .crashed),
  ])
  func `the first test that fails gives the verdict`(status: TestReport.Status, kind: Verdict.Kind)
  {
    let run = Fixtures.run(beta: status, gamma: .failed)
    #expect(Judge.verdict(Fixtures.kata, run).kind == kind)
  }

  @Test func `a race makes a pass a race`() {
    let passed = Judge.verdict(Fixtures.kata, Fixtures.run())
    let verdict = Judge.verdict(passed, afterSanitizing: Fixtures.run(races: 1))
    #expect(verdict.kind == .race)
    #expect(verdict.race != nil)
  }

  @Test func `a race is a race, whatever else goes wrong while it's looked for`() {
    let passed = Judge.verdict(Fixtures.kata, Fixtures.run())
    let verdict = Judge.verdict(passed, afterSanitizing: Fixtures.run(beta: .hung, races: 1))
    #expect(verdict.kind == .race)
  }

  @Test func `a sanitizer that doesn't run is said, not held against the answer`() {
    let passed = Judge.verdict(Fixtures.kata, Fixtures.run())
    let verdict = Judge.verdict(passed, afterSanitizing: SpecRun())
    #expect(verdict.kind == .racesNotChecked)
    #expect(verdict.notes.count == 1)
  }

  @Test func `a failure under the sanitizer alone is a failure`() {
    let passed = Judge.verdict(Fixtures.kata, Fixtures.run())
    let verdict = Judge.verdict(passed, afterSanitizing: Fixtures.run(beta: .failed))
    #expect(verdict.kind == .failed)
    #expect(verdict.notes.count == 1 && verdict.notes.allSatisfy { !$0.contains("luck") })
  }
}

@Suite struct ProofTests {
  private let kata = Fixtures.kata

  @Test func `a reference that passes holds`() {
    #expect(result(.reference, [Fixtures.run()], sanitized: [Fixtures.run()]).shortfall == nil)
  }

  @Test func `a reference that fails once in many runs falls short`() {
    let runs = [Fixtures.run(), Fixtures.run(beta: .failed), Fixtures.run()]
    let shortfall = result(.reference, runs).shortfall
    #expect(shortfall?.hasPrefix("1 of 3 runs was accused; 'beta'") == true)
  }

  @Test func `a reference with a race falls short`() {
    #expect(
      result(.reference, [Fixtures.run()], sanitized: [Fixtures.run(races: 1)]).shortfall != nil)
  }

  @Test func `a reference that wasn't tested to the end falls short`() {
    #expect(result(.reference, [Fixtures.run(gamma: .notReached)]).shortfall != nil)
  }

  @Test func `a stub must fail by an expectation`() {
    #expect(result(.stub, [Fixtures.run(alpha: .failed)]).shortfall == nil)
    #expect(result(.stub, [Fixtures.run(alpha: .crashed)]).shortfall != nil)
    #expect(result(.stub, [Fixtures.run()]).shortfall != nil)
  }

  @Test func `a mistake must be rejected by all the tests it names, every time`() {
    let mistake = kata.mistakes[1]
    let rejected = Fixtures.run(alpha: .failed, beta: .failed)
    #expect(result(.mistake(mistake), [rejected, rejected]).shortfall == nil)
    #expect(result(.mistake(mistake), [rejected, Fixtures.run()]).shortfall != nil)
    #expect(result(.mistake(mistake), [Fixtures.run(alpha: .failed)]).shortfall != nil)
    #expect(
      result(.mistake(mistake), [Fixtures.run(alpha: .hung, beta: .failed)]).shortfall != nil)
  }

  @Test func `a race must be found by the sanitizer every time, and without it at times only`() {
    let mistake = Mistake(
      "race", .edit("a", "b"), rejectedBy: ["gamma"], verdict: .race, advice: "")
    let passed = Fixtures.run()
    let raced = Fixtures.run(races: 1)
    #expect(result(.mistake(mistake), [passed], sanitized: [raced]).shortfall == nil)
    #expect(result(.mistake(mistake), [passed], sanitized: [passed]).shortfall != nil)
    let lost = Fixtures.run(beta: .failed)
    #expect(result(.mistake(mistake), [lost, passed], sanitized: [raced]).shortfall == nil)
    // What a schedule has shown is no chance: the spec had passed before.
    var shown = Fixtures.run(beta: .failed)
    shown.isBrokenByScheduleAlone = true
    #expect(result(.mistake(mistake), [shown], sanitized: [raced]).shortfall == nil)
    // Where a schedule shows the race itself, in every run, the sanitizer needn't see it.
    var seen = Fixtures.run(gamma: .failed, races: 1)
    seen.tests[2].issues = [
      TestIssue(
        expectation: "Issue recorded", message: "Race: a race", file: "f", line: 1)
    ]
    #expect(result(.mistake(mistake), [seen, seen], sanitized: [passed]).shortfall == nil)
    #expect(result(.mistake(mistake), [seen, passed], sanitized: [passed]).shortfall != nil)
    let lostAlways = result(.mistake(mistake), [lost, lost], sanitized: [raced, raced])
    #expect(lostAlways.shortfall?.contains("its verdict isn't 'race'") == true)
  }

  @Test
  func `a mistake that was missed is judged again, must be rejected in each run, and is counted`() {
    let mistake = Mistake(
      "race", .edit("a", "b"), rejectedBy: ["gamma"], verdict: .race, advice: "")
    let (passed, raced) = (Fixtures.run(), Fixtures.run(races: 1))
    let missed = result(.mistake(mistake), [passed], sanitized: [passed])
    #expect(missed.mayHaveMissed)
    var told = result(
      .mistake(mistake), [passed, passed, passed], sanitized: [raced, raced, raced])
    told.isOfRetry = true
    #expect(!told.mayHaveMissed)
    var untold = result(
      .mistake(mistake), [passed, passed, passed], sanitized: [raced, passed, raced])
    untold.isOfRetry = true
    #expect(untold.shortfall?.contains("in 2 of 3 runs") == true)
    let report = ProofSummary(katas: [kata], results: [told, untold]).report
    #expect(report.rejectedAtRetry == 1 && report.mistakesRejected == 1)
    // Right answers are never judged again, nor what doesn't compile.
    #expect(!result(.reference, [Fixtures.run(beta: .failed)]).mayHaveMissed)
    var broken = result(.mistake(mistake), [])
    broken.compilerMessages = [
      CompilerMessage(file: "/a.swift", line: 1, column: 1, message: "no", excerpt: [])
    ]
    #expect(!broken.mayHaveMissed && broken.shortfall != nil)
  }

  @Test func `an edit that is listed as the same program falls short once a test fails it`() {
    let passed = result(.equivalent("an edit"), [Fixtures.run()])
    let failed = result(.equivalent("an edit"), [Fixtures.run(beta: .failed)])
    #expect(passed.shortfall == nil && failed.shortfall?.contains("from the list") == true)
    #expect(failed.shortfall?.contains("1 of 1 runs was accused; 'beta': ") == true)
    #expect(!failed.candidate.needsSanitizer)
    let report = ProofSummary(katas: [kata], results: [passed, failed]).report
    #expect(report.equivalents == 2)
    #expect(report.fellShort.first?.hasPrefix("Sample, an edit: ") == true)
  }

  @Test func `an answer that doesn't compile falls short`() {
    var result = result(.reference, [])
    result.compilerMessages = [
      CompilerMessage(file: "/a.swift", line: 1, column: 1, message: "no", excerpt: [])
    ]
    #expect(result.shortfall != nil)
  }

  @Test func `a test that nothing fails is idle`() {
    let report = ProofSummary(
      katas: [kata],
      results: [
        result(.reference, [Fixtures.run()]),
        result(.stub, [Fixtures.run(alpha: .failed)]),
        result(.mistake(kata.mistakes[1]), [Fixtures.run(alpha: .failed, beta: .failed)]),
      ]
    ).report
    #expect(report.idleTests == 1)
    #expect(report.fellShort == ["Sample: no answer fails the test 'gamma'"])
    #expect(report.referencesPassed == 1 && report.stubsRejected == 1)
    #expect(report.mistakesRejected == 1 && report.mistakes == 1)
    #expect(!report.holds)
    #expect(
      report.line == """
        1 katas · 1 references passed · 1 stubs rejected · 1 of 1 mistakes rejected by the named \
        test, 0 of them only at a retry · 0 of 0 other right answers passed · 0 of 0 promises broken by a mistake that is \
        rejected · 0 of 0 listings get the verdict that their page says · 1 tests that no \
        answer fails · right answers pass in 0 schedules · 0 s
        """)
  }

  private func result(
    _ role: Candidate.Role, _ runs: [SpecRun], sanitized: [SpecRun] = []
  ) -> CandidateResult {
    var result = CandidateResult(candidate: Candidate(kata: kata, role: role, text: ""))
    result.runs = runs
    result.sanitized = sanitized
    return result
  }
}
