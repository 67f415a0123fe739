import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct PatternBookTests {
  let kata = Fixtures.kata
  let first = Fixtures.kata.mistakes[0]

  // MARK: - What is measured

  @Test func `a kata that wasn't measured is taken in`() {
    var book = PatternBook()
    let update = book.update(with: [result(Fixtures.run(alpha: .failed))], catalogue: [kata])
    #expect(book.pattern(of: "first", in: "Sample")?.tests == ["alpha"])
    #expect(update.stale.isEmpty)
    #expect(update.widened == ["Sample: it was measured for the first time."])
  }

  @Test func `a mistake that wasn't in the file is taken in, and the file was left behind`() {
    var book = PatternBook([
      "Sample": ["second": Pattern(always: ["beta": [FailureSignature(.failed)]])]
    ])
    let update = book.update(with: [result(Fixtures.run(alpha: .failed))], catalogue: [kata])
    #expect(
      book.pattern(of: "first", in: "Sample")
        == Pattern(always: ["alpha": [FailureSignature(.failed)]]))
    #expect(update.stale == ["Sample, first: its pattern was missing."])
    #expect(update.widened.isEmpty)
  }

  @Test func `what the file covers changes nothing`() {
    var book = book(
      Pattern(always: ["alpha": [FailureSignature(.failed), FailureSignature(.hung)]]))
    let before = book
    let update = book.update(with: [result(Fixtures.run(alpha: .failed))], catalogue: [kata])
    #expect(book == before)
    #expect(update.isEmpty)
  }

  @Test func `a test that fails for the first time is luck`() {
    var book = book(Pattern(always: ["alpha": [FailureSignature(.failed)]]))
    let update = book.update(
      with: [result(Fixtures.run(alpha: .failed, gamma: .failed))], catalogue: [kata])
    #expect(
      book.pattern(of: "first", in: "Sample")
        == Pattern(
          always: ["alpha": [FailureSignature(.failed)]],
          sometimes: ["gamma": [FailureSignature(.failed)]]))
    #expect(update.stale.isEmpty, "Luck must never refuse a file.")
    #expect(
      update.widened == ["Sample, first: it was rejected in a new way."])
  }

  @Test func `a test that keeps silent for the first time is luck`() {
    var book = book(
      Pattern(always: ["alpha": [FailureSignature(.failed)], "beta": [FailureSignature(.failed)]]))
    let update = book.update(with: [result(Fixtures.run(alpha: .failed))], catalogue: [kata])
    #expect(
      book.pattern(of: "first", in: "Sample")
        == Pattern(
          always: ["alpha": [FailureSignature(.failed)]],
          sometimes: ["beta": [FailureSignature(.failed)]]))
    #expect(update.stale.isEmpty, "Luck must never refuse a file.")
  }

  @Test func `a test that wasn't reached hasn't kept silent`() {
    let known = Pattern(always: [
      "alpha": [FailureSignature(.failed)], "beta": [FailureSignature(.failed)],
    ])
    var book = book(known)
    let run = Fixtures.run(alpha: .failed, beta: .notReached, gamma: .notReached)
    #expect(book.update(with: [result(run)], catalogue: [kata]).isEmpty)
    #expect(book.pattern(of: "first", in: "Sample") == known)
  }

  @Test func `a new signature of a test that always fails is luck`() {
    var book = book(Pattern(always: ["alpha": [FailureSignature(.failed, "It was late.")]]))
    let update = book.update(with: [result(Fixtures.run(alpha: .failed))], catalogue: [kata])
    #expect(
      book.pattern(of: "first", in: "Sample")?.always["alpha"]
        == [FailureSignature(.failed), FailureSignature(.failed, "It was late.")])
    #expect(update.stale.isEmpty && update.widened.count == 1)
  }

  @Test func `several runs of a proof tell always from sometimes`() {
    var book = PatternBook()
    let runs = [Fixtures.run(alpha: .failed), Fixtures.run(alpha: .failed, beta: .failed)]
    _ = book.update(with: [result(runs[0], runs[1])], catalogue: [kata])
    let pattern = book.pattern(of: "first", in: "Sample")
    #expect(pattern?.always.keys.sorted() == ["alpha"])
    #expect(pattern?.sometimes.keys.sorted() == ["beta"])
  }

  @Test func `a mistake whose proof falls short leaves its pattern alone`() {
    var book = PatternBook()
    let update = book.update(with: [result(Fixtures.run(beta: .failed))], catalogue: [kata])
    #expect(update.isEmpty && book == PatternBook())
  }

  @Test func `the stub is measured too`() {
    var stub = CandidateResult(candidate: Candidate(kata: kata, role: .stub, text: ""))
    stub.runs = [Fixtures.run(alpha: .failed, beta: .failed)]
    var book = book(Pattern(always: ["alpha": [FailureSignature(.failed)]]))
    let update = book.update(with: [stub], catalogue: [kata])
    #expect(book.pattern(of: PatternBook.stub, in: "Sample")?.tests == ["alpha", "beta"])
    #expect(update.stale == ["Sample, stub: its pattern was missing."])
    #expect(book.update(with: [stub], catalogue: [kata]).isEmpty)
  }

  @Test func `a race has no pattern`() {
    let mistake = Mistake(
      "unguarded", .edit("a", "b"), rejectedBy: ["alpha"], verdict: .race, advice: "")
    var result = CandidateResult(
      candidate: Candidate(kata: kata, role: .mistake(mistake), text: ""))
    result.runs = [Fixtures.run()]
    result.sanitized = [Fixtures.run(gamma: .failed, races: 1)]
    var book = PatternBook()
    #expect(book.update(with: [result], catalogue: [kata]).isEmpty)
  }

  // MARK: - What was left behind

  @Test func `a pattern without a test in common was left behind`() {
    var book = book(Pattern(always: ["gamma": [FailureSignature(.failed)]]))
    let update = book.update(with: [result(Fixtures.run(alpha: .failed))], catalogue: [kata])
    #expect(
      update.stale == [
        "Sample, first: its pattern has no test in common with those that reject it."
      ])
    #expect(book.pattern(of: "first", in: "Sample")?.tests == ["alpha"])
  }

  @Test func `what the catalogue no longer has is removed`() {
    let pattern = Pattern(always: ["alpha": [FailureSignature(.failed)]])
    var book = PatternBook(["Sample": ["first": pattern, "gone": pattern], "Gone": ["x": pattern]])
    let update = book.update(with: [], catalogue: [kata])
    #expect(book == self.book(pattern))
    #expect(
      update.stale == [
        "Gone, x: the catalogue no longer has it.", "Sample, gone: the catalogue no longer has it.",
      ])
  }

  @Test func `tests that the spec no longer has are removed`() {
    var book = book(
      Pattern(always: ["alpha": [FailureSignature(.failed)], "omega": [FailureSignature(.failed)]]))
    var reference = CandidateResult(candidate: Candidate(kata: kata, role: .reference, text: ""))
    reference.runs = [Fixtures.run()]
    let update = book.update(with: [reference], catalogue: [kata])
    #expect(update.stale == ["Sample, first: the spec no longer has 'omega'."])
    #expect(book.pattern(of: "first", in: "Sample")?.tests == ["alpha"])
  }

  @Test func `a proof of some katas leaves the others' patterns alone`() {
    let pattern = Pattern(always: ["alpha": [FailureSignature(.failed)]])
    let other = Kata(
      "Other", module: .barriers, title: "", difficulty: 1, minutes: 1, hints: [],
      mistakes: [first], rightAnswers: [])
    var book = PatternBook(["Other": ["first": pattern]])
    _ = book.update(with: [result(Fixtures.run(alpha: .failed))], catalogue: [kata, other])
    #expect(book == PatternBook(["Other": ["first": pattern], "Sample": ["first": pattern]]))
  }

  @Test func `a file that was left behind refuses only if it can't be committed`() {
    var update = PatternBook.Update()
    update.widened = ["w"]
    update.stale = ["s"]
    var report = ProofReport()
    report.note(update, isStrict: false)
    #expect(report.holds && report.patternChanges == ["w", "s"])
    report.note(update, isStrict: true)
    #expect(!report.holds && report.patternChanges == ["w"])
    #expect(report.fellShort.first?.hasSuffix("and commit what it writes.") == true)
  }

  // MARK: - Fixtures

  func book(_ pattern: Pattern) -> PatternBook {
    PatternBook(["Sample": ["first": pattern]])
  }

  func result(_ runs: SpecRun...) -> CandidateResult {
    var result = CandidateResult(candidate: Candidate(kata: kata, role: .mistake(first), text: ""))
    result.runs = runs
    return result
  }
}
