import Foundation
import Testing

@testable import KataKit
import KataTesting

/// The laws by which progress of several machines is put together, on seeded random cases.
@Suite struct MergeTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `in whatever order and however often machines are put together, the outcome is one`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let (a, b, c) = (progress(&random), progress(&random), progress(&random))
    #expect(merged(a, b) == merged(b, a), "seed \(seed)")
    #expect(merged(merged(a, b), c) == merged(a, merged(b, c)), "seed \(seed)")
    #expect(merged(a, a) == a, "seed \(seed)")
    #expect(merged(merged(a, b), b) == merged(a, b), "seed \(seed)")
    #expect(merged(a, Progress()) == a, "seed \(seed)")
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `what is done stays done, since the earlier day`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (a, b) = (progress(&random), progress(&random))
    let both = merged(a, b)
    for name in Set(a.done.keys).union(b.done.keys) {
      #expect(both.done[name] == [a.done[name], b.done[name]].compactMap { $0 }.min())
    }
    #expect(both.done.count == Set(a.done.keys).union(b.done.keys).count)
    for (name, hints) in a.hints { #expect((both.hints[name] ?? 0) >= hints) }
  }

  @Test func `the later verdict holds, and the larger number of attempts`() {
    let early = Attempts(count: 9, verdict: "failed", day: "2026-01-01", looksLike: ["no lock"])
    let late = Attempts(count: 2, verdict: "hung", day: "2026-01-02")
    let both = Attempts(count: 9, verdict: "hung", day: "2026-01-02")
    #expect(early.merged(with: late) == both)
    #expect(late.merged(with: early) == both)
  }

  @Test func `of two verdicts on one day a pass is the later`() {
    let passed = Attempts(count: 1, verdict: "passed", day: "2026-01-01")
    let race = Attempts(count: 1, verdict: "race", day: "2026-01-01")
    #expect(passed.merged(with: race).kind == .passed)
    #expect(race.merged(with: passed).kind == .passed)
  }

  private func merged(_ one: Progress, _ other: Progress) -> Progress {
    var both = one
    both.merge(other)
    return both
  }

  /// Progress with a few katas, of which some are the same in each case.
  private func progress(_ random: inout SplitMix64) -> Progress {
    var progress = Progress()
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let kata = Catalogue.katas[Int.random(in: 0..<6, using: &random)]
      let day = Date(timeIntervalSince1970: Double.random(in: 0..<400_000, using: &random))
      var verdict = Verdict(
        kata, Verdict.Kind.allCases[Int.random(in: 0..<7, using: &random)])
      verdict.looksLike = Array(["a", "b", "a\nb"].prefix(Int.random(in: 0...3, using: &random)))
      progress.record(verdict, on: day)
      if Bool.random(using: &random) {
        progress.recordHint(Int.random(in: 1...3, using: &random), of: kata)
      }
    }
    return progress
  }
}
