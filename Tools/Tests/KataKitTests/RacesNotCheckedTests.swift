import Foundation
import Testing

@testable import KataKit
@testable import KataTeacher

/// A pass in which Thread Sanitizer was asked for and didn't run is an outcome of its own, everywhere.
@Suite struct RacesNotCheckedTests {
  private let kata = Catalogue.katas[0]

  private var verdict: Verdict {
    Judge.verdict(Judge.verdict(kata, Fixtures.run()), afterSanitizing: SpecRun())
  }

  private var report: KataReport {
    KataReport(verdict, on: kata, in: Fixtures.repository, seconds: 1)
  }

  @Test func `the reason is reported`() throws {
    var refused = SpecRun()
    refused.tests = [
      TestReport(
        name: "the spec starts", status: .crashed, crash: "It said: dyld[7]: terminating", line: 0,
        id: "")
    ]
    let verdict = Judge.verdict(Judge.verdict(kata, Fixtures.run()), afterSanitizing: refused)
    #expect(verdict.kind == .racesNotChecked)
    #expect(verdict.notes.count == 1 && verdict.notes[0].contains("dyld[7]: terminating"))
  }

  @Test func `what breaks a promise stays what it is, and says that races weren't looked for`() {
    let failed = Judge.verdict(kata, Fixtures.run(alpha: .failed)).withoutRaces(because: "Why.")
    #expect(failed.kind == .failed)
    #expect(failed.notes == ["Thread Sanitizer didn't run, so data races weren't looked for. Why."])
  }

  @Test func `as text it isn't done, and says what to do`() {
    let text = VerdictText(repository: Fixtures.repository, style: TextStyle(hasColours: false))
      .summary(verdict, kata)
    #expect(text.contains("\(kata.name) · passed, races not looked for · 3 of 3 tests pass"))
    #expect(text.contains("make doctor") && !text.contains("Done."))
  }

  @Test func `the exit code is its own, unless something fails`() {
    #expect(ExitCode([.passed, .passed]) == .done)
    #expect(ExitCode([.passed, .racesNotChecked]) == .racesNotChecked)
    #expect(ExitCode([.racesNotChecked, .failed]) == .notDone)
    #expect(Report([report]).exitCode == .racesNotChecked)
  }

  @Test func `it doesn't make a kata done, and takes nothing away`() {
    var progress = Progress()
    progress.record(verdict)
    #expect(!progress.isDone(kata) && progress.passesUnchecked(kata))
    #expect(progress.next?.name == Catalogue.katas[1].name, "It leads on to the next kata.")
    #expect(progress.next(among: [kata])?.name == kata.name)
    progress.record(Judge.verdict(kata, Fixtures.run()))
    progress.record(verdict)
    #expect(progress.isDone(kata) && !progress.passesUnchecked(kata))
  }

  @Test func `of two verdicts of a day a pass is later, and any failure earlier`() {
    func attempts(_ kind: Verdict.Kind) -> Attempts {
      Attempts(count: 1, verdict: kind.rawValue, day: "2026-01-01")
    }
    let unchecked = attempts(.racesNotChecked)
    #expect(unchecked.merged(with: attempts(.hung)) == unchecked)
    #expect(attempts(.passed).merged(with: unchecked) == attempts(.passed))
  }

  @Test func `in the list it has a mark of its own`() {
    let row = KataRow(
      kata: kata, isDone: false, isUnchecked: true, style: TextStyle(hasColours: false))
    #expect(row.text.hasPrefix("  ? \(kata.name)"))
  }

  @Test func `JSON has a word for it, in a report and among the figures`() throws {
    let report = Report([report])
    #expect(try JSONText.of(report).contains("\"verdict\" : \"racesNotChecked\""))
    #expect(report.summary.verdicts["racesNotChecked"] == 1)
    #expect(report.summary.verdicts["passed"] == 0)
  }

  @Test func `JUnit's suite has an error`() {
    let text = JUnitReport(report: Report([report])).text
    #expect(text.contains("name=\"no data race\""))
    #expect(text.contains("<error type=\"error\" message=\"Thread Sanitizer didn't run"))
    #expect(text.contains("errors=\"1\""))
  }

  @Test func `Exercism's results are no pass`() {
    let results = ExercismResults(report, specs: [:])
    #expect(results.status == .fail)
    #expect(results.tests.last?.name == "no data race")
    #expect(results.tests.last?.status == .fail)
    #expect(results.tests.dropLast().allSatisfy { $0.status == .pass })
  }

  @Test func `a table of grades has the word, and that races weren't checked`() throws {
    let graded = GradedKata(verdict, on: kata, in: Fixtures.repository, racesChecked: false)
    #expect(graded.verdict == .racesNotChecked)
    #expect(graded.message?.contains("weren't looked for") == true)
  }

  @Test func `a scoreboard shows neither done nor at work`() {
    var progress = Progress()
    progress.record(verdict)
    let ada = CollectedProgress.Participant(name: "Ada", progress: progress)
    #expect(Scoreboard.standing(ada, on: kata) == .unchecked)
  }

  @Test func `no mistake of a gallery may have this verdict`() {
    let text = """
      ---
      title: A counter
      difficulty: 1
      minutes: 5
      ---

      # SerialLog

      ## Mistake: one

      - breaks: It counts.
      - rejected by: it counts
      - verdict: racesNotChecked

      Advice.
      """
    #expect(throws: (any Error).self) {
      try KataFile(text, path: "Kata.md").kata(named: "SerialLog", in: .gcdBasics)
    }
  }
}
