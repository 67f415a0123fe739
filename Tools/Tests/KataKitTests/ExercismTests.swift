import Foundation
import Testing

@testable import KataKit
@testable import KataTeacher
import KataTesting

/// Exercism's results, held against its test runner interface, version 3.
@Suite struct ExercismTests {
  @Test func `every kind of report is Exercism's`() throws {
    for kata in Samples.all { #expect(try violations(results(kata)) == [], "\(kata.verdict)") }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `it never passes where not every test passed`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let kata = Samples.random(&random)
    let results = results(kata)
    #expect(try violations(results) == [])
    #expect((results.status == .pass) == (kata.verdict == .passed))
    #expect((results.status == .error) == !kata.hasRun)
  }

  @Test func `what doesn't compile is an error with the compiler's message`() {
    let results = results(Samples.doesNotCompile)
    #expect(results.status == .error && results.tests.isEmpty)
    #expect(
      results.message == """
        Katas/Barriers/Sample.swift:3:9: error: cannot find 'x' in scope
        let y = x
                ^

        A note.
        """)
  }

  @Test func `a spec that died before its first test is an error with the reason`() {
    #expect(results(Samples.diedAtStart).message == "It died.")
    #expect(results(Samples.gone).message == "Katas/Barriers/Sample.swift is gone.")
  }

  @Test func `a race fails beside the tests that pass`() {
    let results = results(Samples.race)
    #expect(results.status == .fail)
    #expect(results.tests.map(\.status) == [.pass, .pass, .pass, .fail])
  }

  @Test func `what wasn't reached is an error and says so`() {
    let results = results(Samples.report(.hung, [.passed, .hung, .notReached]))
    #expect(results.status == .fail)
    #expect(results.tests.map(\.status) == [.pass, .error, .error])
    #expect(results.tests[2].message?.hasPrefix("This test wasn't reached") == true)
  }

  @Test func `what was printed is a test's output, and its end where it's long`() throws {
    var verdict = Verdict(Fixtures.kata, .passed)
    verdict.tests = Fixtures.run().tests
    verdict.tests[0].printed = "one\ntwo"
    verdict.tests[1].printed = String(repeating: "a", count: 600) + "end"
    let results = results(
      KataReport(verdict, on: Fixtures.kata, in: Fixtures.repository, seconds: 1))
    #expect(try violations(results) == [])
    #expect(results.tests[0].output == "one\ntwo")
    #expect(results.tests[1].output?.count == 500)
    #expect(results.tests[1].output?.hasSuffix("aend") == true)
    #expect(results.tests[2].output == nil)
  }

  @Test func `a test brings its code`() {
    let spec = "  @Test func `test 0`() {\n    check(1)\n  }\n  @Test func `test 1`() {\n  }\n"
    var verdict = Verdict(Fixtures.kata, .passed)
    let more = Fixtures.repository.url("Tests/More.swift").path
    verdict.tests = [
      TestReport(name: "test 0", status: .passed, line: 1, id: "0"),
      TestReport(name: "test 2", status: .passed, file: more, line: 2, id: "2"),
    ]
    let kata = KataReport(verdict, on: Fixtures.kata, in: Fixtures.repository, seconds: 0)
    let specs = [
      kata.spec: spec, "Tests/More.swift": "\n  @Test func `test 2`() {\n    check(2)\n  }",
    ]
    let results = ExercismResults(kata, specs: specs)
    #expect(results.tests.map(\.testCode) == ["check(1)", "check(2)"])
  }

  @Test func `the message at the top has its limit`() throws {
    var verdict = Verdict(Fixtures.kata, .doesNotCompile)
    verdict.compilerMessages = (0..<20).map {
      CompilerMessage(
        file: "/a.swift", line: $0, column: 1, message: String(repeating: "é", count: 6000),
        excerpt: [])
    }
    let results = results(
      KataReport(verdict, on: Fixtures.kata, in: Fixtures.repository, seconds: 0))
    #expect(try violations(results) == [])
    #expect((65_000...65_535).contains(results.message?.utf8.count ?? 0))
  }

  private func results(_ kata: KataReport) -> ExercismResults { ExercismResults(kata, specs: [:]) }

  /// What the interface forbids, as it stands in the JSON.
  private func violations(_ results: ExercismResults) throws -> [String] {
    let data = Data(try JSONText.of(results).utf8)
    guard let top = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      return ["no object"]
    }
    var found: [String] = []
    func check(_ holds: Bool, _ violation: String) { if !holds { found.append(violation) } }
    check(Set(top.keys).isSubset(of: ["version", "status", "message", "tests"]), "unknown keys")
    check(top["version"] as? Int == 3, "version")
    let status = top["status"] as? String ?? ""
    check(["pass", "fail", "error"].contains(status), "status \(status)")
    let message = top["message"] as? String
    check((message?.isEmpty == false) == (status == "error"), "a message where there's no error")
    check((message?.utf8.count ?? 0) <= 65_535, "too long a message")
    let tests = top["tests"] as? [[String: Any]]
    check(tests != nil, "no tests")
    check(status == "error" || tests?.isEmpty == false, "\(status) without a test")
    let statuses = tests?.map { $0["status"] as? String ?? "" } ?? []
    check(statuses.allSatisfy { ["pass", "fail", "error"].contains($0) }, "a test's status")
    check(status != "pass" || statuses.allSatisfy { $0 == "pass" }, "a pass that isn't one")
    check(status != "fail" || statuses.contains { $0 != "pass" }, "a failure without one")
    for test in tests ?? [] {
      check(
        Set(test.keys).isSubset(of: [
          "name", "status", "message", "output", "test_code", "task_id",
        ]), "unknown keys of a test")
      check((test["name"] as? String)?.isEmpty == false, "a test without a name")
      check(
        (test["message"] as? String)?.isEmpty == false || test["status"] as? String == "pass",
        "a failure that says nothing")
      check((test["output"] as? String ?? "").count <= 500, "too much output")
    }
    return found
  }
}
