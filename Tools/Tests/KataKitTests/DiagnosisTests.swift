import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct DiagnosisTests {
  @Test func `a mistake that wasn't measured is reported by the tests that must reject it`() {
    let kata = kata(["first": ["alpha"], "second": ["alpha", "beta"]])
    #expect(guesses(kata, [:], failing: ["alpha"]) == ["first"])
    #expect(guesses(kata, [:], failing: ["alpha", "beta"]) == ["second"])
    #expect(guesses(kata, [:], failing: ["gamma"]).isEmpty)
  }

  @Test func `one test more may fail for each six that do`() {
    let six = Self.tests.dropLast()
    let kata = kata(["big": Array(six), "small": ["alpha", "beta"]])
    #expect(guesses(kata, [:], failing: Set(Self.tests)) == ["big"])
    #expect(guesses(kata, [:], failing: ["alpha", "beta", "eta"]).isEmpty)
  }

  @Test func `what a test says tells two mistakes apart`() throws {
    let kata = kata(["early": ["alpha"], "late": ["alpha"]])
    let patterns = [
      "early": Pattern(always: ["alpha": [FailureSignature(.failed, "It began before the other.")]]
      ),
      "late": Pattern(always: ["alpha": [FailureSignature(.failed, "Its end was never announced.")]]
      ),
    ]
    #expect(
      try guesses(kata, patterns, saying: ["alpha": "Its end was never announced. Announce it."])
        == ["late"])
    #expect(
      try guesses(kata, patterns, saying: ["alpha": "Something else went wrong here."]).isEmpty)
  }

  @Test func `two that are equally likely are both named, and three are none`() {
    let two = kata(["one": ["alpha"], "other": ["alpha"]])
    #expect(guesses(two, [:], failing: ["alpha"]) == ["one", "other"])
    let three = kata(["one": ["alpha"], "other": ["alpha"], "third": ["alpha"]])
    #expect(guesses(three, [:], failing: ["alpha"]).isEmpty)
  }

  @Test func `what is said word for word of one speaks against the other`() throws {
    let kata = kata(["worker": ["alpha"], "main": ["alpha"]])
    func sentence(_ place: String) -> String {
      "Each of the two blocks should have run on the queue that was given, and one ran on \(place)."
    }
    let patterns = ["worker", "main"].map { place in
      (place, Pattern(always: ["alpha": [FailureSignature(.failed, sentence(place))]]))
    }
    let known = Dictionary(uniqueKeysWithValues: patterns)
    #expect(try guesses(kata, known, saying: ["alpha": sentence("worker")]) == ["worker"])
    #expect(try guesses(kata, known, saying: ["alpha": sentence("none")]) == ["worker", "main"])
  }

  @Test func `a test that rejects the mistake only sometimes may keep silent`() {
    let kata = kata(["lucky": ["alpha"]])
    let patterns = [
      "lucky": Pattern(
        always: ["alpha": [FailureSignature(.failed)]],
        sometimes: ["beta": [FailureSignature(.failed)]])
    ]
    #expect(guesses(kata, patterns, failing: ["alpha"]) == ["lucky"])
    #expect(guesses(kata, patterns, failing: ["alpha", "beta"]) == ["lucky"])
  }

  @Test func `one that explains all that fails is a rival though a third of it keeps silent`() {
    let kata = kata(["two": ["alpha", "beta"], "three": ["alpha", "beta", "gamma"]])
    #expect(guesses(kata, [:], failing: ["alpha", "beta"]) == ["two", "three"])
    #expect(guesses(kata, [:], failing: ["alpha", "beta", "gamma"]) == ["three"])
  }

  @Test func `an answer that looks more like the stub looks like no mistake yet`() {
    let six = Self.tests.dropLast()
    let kata = kata(["one": Array(six)])
    let signatures = Self.tests.map { ($0, Set([FailureSignature(.failed)])) }
    let stub = Pattern(always: Dictionary(uniqueKeysWithValues: signatures))
    #expect(guesses(kata, [:], failing: Set(Self.tests)) == ["one"])
    #expect(guesses(kata, [PatternBook.stub: stub], failing: Set(Self.tests)).isEmpty)
    #expect(guesses(kata, [PatternBook.stub: stub], failing: Set(six)) == ["one"])
  }

  @Test func `what wasn't reached speaks neither for nor against`() {
    let kata = kata(["one": ["alpha", "beta", "gamma"]])
    var verdict = Verdict(kata, .hung)
    verdict.tests = [report("alpha", .hung)] + ["beta", "gamma"].map { report($0, .notReached) }
    #expect(Diagnosis(kata, PatternBook()).guesses(verdict) == ["one"])
    verdict.tests[1].status = .passed
    verdict.tests[2].status = .passed
    #expect(Diagnosis(kata, PatternBook()).guesses(verdict).isEmpty)
  }

  @Test(arguments: [Verdict.Kind.notStarted, .doesNotCompile, .passed, .race])
  func `only what a test rejects looks like a mistake`(kind: Verdict.Kind) {
    let kata = kata(["one": ["alpha"]])
    var verdict = Verdict(kata, kind)
    verdict.tests = [report("alpha", .failed)]
    #expect(Diagnosis(kata, PatternBook()).guesses(verdict).isEmpty)
  }

  // MARK: - Accuracy

  @Test func `a guess is right, right among two, wrong or silent`() {
    let outcomes = [["a"], ["b", "a"], ["b"], []].map {
      AccuracyReport.Trial(kata: "K", mistake: "a", host: "h", guesses: $0).outcome
    }
    #expect(outcomes == [.first, .second, .wrong, .silent])
  }

  @Test func `only answers that are rejected count as trials`() {
    let kata = kata(["one": ["alpha"], "two": ["beta"]])
    func measurement(_ mistake: String, failing: String?, isRefused: Bool = false) -> Measurement {
      Measurement(
        mistake: mistake, host: "h", isRefused: isRefused,
        tests: ["alpha", "beta"].map { report($0, $0 == failing ? .failed : .passed) }, races: [])
    }
    var accuracy = AccuracyReport()
    accuracy.take(
      [
        measurement("one", failing: "alpha"), measurement("two", failing: "alpha"),
        measurement("one", failing: nil), measurement("two", failing: nil, isRefused: true),
      ], of: kata, PatternBook())
    #expect(accuracy.wrongOnes == ["Sample: 'two' in 'h' was diagnosed as 'one'"])
    #expect(
      accuracy.line == """
        1 katas · 2 mistakes in other right answers · 1 first guesses right · 0 right among two · \
        1 wrong · 0 silent · left out: 1 that don't compile, 1 that pass, 0 whole files · 0 s
        """)
  }

  @Test func `a mistake is made only where its text stands exactly once`() throws {
    let kata = try Catalogue.kata(named: "PhotoStore")
    let transplants = try Candidate.transplants(of: kata, in: Fixtures.repository)
    #expect(!transplants.isEmpty)
    let texts = try Candidate.all(of: kata, in: Fixtures.repository).map(\.text)
    for candidate in transplants {
      #expect(!texts.contains(candidate.text), "\(candidate.name) is an answer of the catalogue")
    }
  }

  // MARK: - Fixtures

  private static let tests = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"]

  private func kata(
    _ mistakes: KeyValuePairs<String, [String]>, verdict: Verdict.Kind = .failed
  ) -> Kata {
    Kata(
      "Sample", module: .barriers, title: "", difficulty: 1, minutes: 1, hints: [],
      mistakes: mistakes.map {
        Mistake($0.key, .edit("a", "b"), rejectedBy: $0.value, verdict: verdict, advice: "")
      },
      rightAnswers: [])
  }

  private func report(
    _ name: String, _ status: TestReport.Status, issues: [TestIssue] = []
  ) -> TestReport {
    TestReport(name: name, status: status, issues: issues, line: 1, id: name)
  }

  /// What a run looks like in which some of the tests fail.
  private func guesses(
    _ kata: Kata, _ patterns: [String: Pattern], failing: Set<String>
  ) -> [String] {
    var verdict = Verdict(kata, .failed)
    verdict.tests = Self.tests.map {
      report($0, failing.contains($0) ? .failed : .passed)
    }
    return Diagnosis(kata, PatternBook([kata.name: patterns])).guesses(verdict)
  }

  private func guesses(
    _ kata: Kata, _ patterns: [String: Pattern], saying: [String: String]
  ) throws -> [String] {
    var verdict = Verdict(kata, .failed)
    verdict.tests = try saying.map { report($0.key, .failed, issues: [try .saying($0.value)]) }
    return Diagnosis(kata, PatternBook([kata.name: patterns])).guesses(verdict)
  }
}
