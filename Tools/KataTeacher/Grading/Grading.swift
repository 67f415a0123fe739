import Foundation
import KataKit
import Synchronization

/// Judges submissions, each in a slot of its own, and stores each result as soon as it's there.
///
/// A submission that has a result for the same answers, katas and specs isn't judged again, so a
/// command that was interrupted continues where it stopped.
struct Grading: Sendable {
  let repository: Repository
  let terms: GradingTerms
  let results: ResultsFolder
  let say: @Sendable (String) -> Void

  /// Judges the submissions, several at once.
  ///
  /// Blocks until it's done. Throws errors that affect all submissions; existing results are kept.
  ///
  /// - Returns: The results of all of them, by name.
  func run(_ submissions: [Submission]) throws -> [SubmissionResult] {
    repository.removeLeftovers()
    let bench = try JudgingBench(repository: repository, WorkspaceSnapshot(of: repository))
    let judge = try hashOfJudge(bench)
    let known = submissions.map { results.result(of: $0.participant) }
    var left: [Submission] = []
    var finished: [SubmissionResult] = []
    for (submission, result) in zip(submissions, known) {
      // Submissions that couldn't be judged are tried again.
      if let result, result.fingerprint == fingerprint(of: submission, judge), result.isJudged {
        finished.append(result)
      } else {
        left.append(submission)
      }
    }
    if !finished.isEmpty { say("\(finished.count) of \(submissions.count) were judged before.\n") }
    let (total, width) = (left.count, min(terms.runsAtOnce, max(1, left.count)))
    let turns = Mutex((count: 0, isOver: false))
    let new = BoundedParallelMap(left, width: width) { submission -> SubmissionResult? in
      guard !turns.withLock({ $0.isOver }) else { return nil }
      do {
        let result = try self.result(
          of: submission, fingerprint(of: submission, judge), bench,
          katasAtOnce: max(1, terms.runsAtOnce / width))
        try results.keep(result)
        let count = turns.withLock { turns in
          turns.count += 1
          return turns.count
        }
        say("[\(count)/\(total)] \(result.line)\n")
        return result
      } catch {
        turns.withLock { $0.isOver = true }
        throw error
      }
    }
    finished += try new.outputs().compactMap { $0 }
    return finished.sorted { $0.participant < $1.participant }
  }

  // MARK: - One submission

  private func result(
    of submission: Submission, _ fingerprint: String, _ bench: JudgingBench, katasAtOnce: Int
  ) throws -> SubmissionResult {
    let start = ContinuousClock.now
    let katas = try BoundedParallelMap(terms.katas, width: katasAtOnce) { kata in
      try graded(kata, in: submission, bench)
    }.outputs()
    return SubmissionResult(
      submission, fingerprint: fingerprint, seconds: start.duration(to: .now) / .seconds(1),
      notes: submission.notes, katas: katas)
  }

  private func graded(
    _ kata: Kata, in submission: Submission, _ bench: JudgingBench
  ) throws -> GradedKata {
    if let reason = submission.unreadable[kata.name] {
      return GradedKata(kata, .doesNotCompile, message: reason)
    }
    guard let text = submission.texts[kata.name] else { return GradedKata(kata, .missing) }
    guard !terms.isStub(text, of: kata) else {
      return GradedKata(kata, .notStarted, message: "This is the unchanged stub.")
    }
    let companions = submission.companions.filter { $0.key.hasPrefix("\(kata.module.rawValue)/") }
    return try KataGrading(
      kata: kata, text: text, companions: companions, terms: terms, repository: repository,
      bench: bench
    ).outcome()
  }

  // MARK: - Fingerprints

  private func fingerprint(of submission: Submission, _ judge: String) -> String {
    "\(submission.fingerprint.text)-\(judge)"
  }

  /// A hash of everything that decides about verdicts: the katas that count, the options and
  /// timeout, the toolchain, and all sources of specs and tools.
  private func hashOfJudge(_ bench: JudgingBench) throws -> String {
    var parts = terms.katas.map(\.name)
    parts += [
      "\(terms.looksForRaces)", "\(terms.isolation != nil)", "\(terms.timeout)",
      bench.build.toolchain.identity,
    ]
    for folder in ["Modules", "Tests", "Tools"] {
      for path in try repository.files(below: folder) where terms.decides(path) {
        parts += [path, try repository.text(path)]
      }
    }
    return ContentHash(of: parts + [try repository.text("Package.swift")]).text
  }
}

extension SubmissionResult {
  /// A line of progress.
  fileprivate var line: String {
    let katas = isJudged ? figures : "\(figures); see its notes"
    return "\(participant) · \(katas) (\(Int(seconds.rounded())) s)"
  }
}
