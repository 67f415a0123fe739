import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct SoakTests {
  private func report() -> SoakReport {
    var report = SoakReport(
      katas: ["SerialLog", "Lazily"], conditions: [.idle, .load], leftOut: [.otherClock])
    report.count("SerialLog", in: .idle, sanitized: false, record: nil)
    report.count("SerialLog", in: .idle, sanitized: true, record: nil)
    report.count("Lazily", in: .load, sanitized: false, record: nil)
    report.seconds = 7
    return report
  }

  @Test func `passes are counted by condition and by suite`() {
    let report = report()
    #expect(report.holds)
    #expect(
      report.text == """
        | Condition | passed | with Thread Sanitizer | failed |
        |---|---:|---:|---:|
        | idle | 1 | 1 | 0 |
        | load | 1 | 0 | 0 |

        This machine can't run the condition 'other clock'.
        2 suites passed 3 times, the rarest 1 times (Lazily) · 0 failures · 7 s

        """)
  }

  @Test func `one failure is enough, and is no pass`() {
    var report = report()
    report.count("Lazily", in: .load, sanitized: true, record: "a folder")
    #expect(!report.holds)
    #expect(report.records == ["a folder"])
    #expect(report.line(of: .load) == "load: 1 passed, 0 with Thread Sanitizer, 1 failed")
    #expect(report.passesBySuite == ["SerialLog": 2, "Lazily": 1])
  }

  @Test func `a soak that judged nothing shows nothing`() {
    #expect(!SoakReport(katas: ["Lazily"], conditions: [.idle]).holds)
  }

  /// What `sh` says in a condition.
  private func words(_ condition: SoakCondition, _ script: String) throws -> String? {
    guard let launcher = condition.launcher else { return nil }
    let command = Command("/bin/sh", ["-c", script], environment: condition.environment)
      .launched(by: launcher)
    let result = try command.run(in: URL(filePath: "/"))
    #expect(result.ending == .exited(0), "\(condition): \(result.output)")
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(arguments: SoakCondition.allCases)
  func `programs are started in it, with their arguments`(condition: SoakCondition) throws {
    guard let words = try words(condition, "echo \"it's 1 2\"") else { return }
    #expect(words == "it's 1 2")
  }

  @Test func `a condition is what it says`() throws {
    if let stack = try words(.smallStacks, "ulimit -s") { #expect(stack == "512") }
    #expect(try words(.strictDispatch, "echo $LIBDISPATCH_STRICT") == "1")
    #expect(try words(.delays, "echo $TEST_DELAYS") == "25")
    if let cores = try words(.oneCore, "nproc") { #expect(cores == "1") }
    let uptime = "cut -d . -f 1 /proc/uptime"
    if let other = try words(.otherClock, uptime).flatMap({ Int($0) }),
      let own = try words(.idle, uptime).flatMap({ Int($0) })
    {
      #expect(other - own > 9_000_000)
    }
    #expect(SoakCondition.load.busyLoops == 16 && SoakCondition.idle.busyLoops == 0)
  }

  @Test func `a record has all that is known of a run`() throws {
    let kata = try Catalogue.kata(named: "SerialLog")
    var run = SpecRun()
    var test = TestReport(name: "entries stand in order", status: .failed, line: 1, id: "1")
    test.issues = [TestIssue(expectation: "", message: "They don't.", file: nil, line: nil)]
    run.tests = [test]
    run.processes = [
      ProcessRecord(events: Data("{}\n".utf8), output: "a word", threads: ""),
      ProcessRecord(events: Data(), output: "", threads: "1 (main) S · futex"),
    ]
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let repository = Repository(root: folder)
    let record = SoakRecord(
      candidate: Candidate(kata: kata, role: .reference, text: "// the answer"),
      condition: .oneCore, sanitized: false, run: run, load: [16.25, 8, 4])
    try record.write(into: "here", in: repository)
    let verdict = try repository.text("here/verdict.txt")
    for word in [
      "SerialLog, reference: failed, one core", "16.25 8.00 4.00", "They don't.",
      "entries stand in order",
    ] {
      #expect(verdict.contains(word), "\(verdict)")
    }
    #expect(try repository.text("here/0/events.jsonl") == "{}\n")
    #expect(try repository.text("here/0/output.txt") == "a word")
    #expect(try repository.text("here/1/threads.txt") == "1 (main) S · futex")
    #expect(try repository.text("here/answer.swift") == "// the answer")
  }
}
