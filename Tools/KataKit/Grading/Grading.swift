import Foundation
import Synchronization

/// Judges submissions, each by itself in a slot, and keeps a result of each as soon as there is one.
///
/// What has a result already, for the same answers, katas and specs, isn't judged again: so a command
/// that was interrupted goes on where it was.
struct Grading: Sendable {
  let house: House
  let terms: GradingTerms
  let results: ResultsFolder
  let say: @Sendable (String) -> Void

  /// What the submissions share while they are under way.
  private final class Turns: Sendable {
    private struct State {
      var freeSlots: [GradingSlot] = []
      var count = 0
      var isOver = false
    }

    private let state = Mutex(State())

    /// Whether something keeps all from being judged.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// A slot that nobody is in; nil where there is none.
    func freeSlot() -> GradingSlot? { state.withLock { $0.freeSlots.popLast() } }

    /// Takes a slot back; tells how many submissions are judged by now.
    func giveBack(_ slot: GradingSlot) -> Int {
      state.withLock { state in
        state.freeSlots.append(slot)
        state.count += 1
        return state.count
      }
    }

    func end() { state.withLock { $0.isOver = true } }
  }

  /// Judges the submissions, several at once.
  ///
  /// Blocks until it's done. Throws what keeps all from being judged; results that there are stay.
  ///
  /// - Returns: The results of all of them, by name.
  func run(_ submissions: [Submission]) throws -> [SubmissionResult] {
    let judge = judgeFingerprint()
    let known = submissions.map { results.result(of: $0.participant) }
    var left: [Submission] = []
    var finished: [SubmissionResult] = []
    for (submission, result) in zip(submissions, known) {
      // What couldn't be judged is tried again.
      if let result, result.fingerprint == fingerprint(of: submission, judge), result.isJudged {
        finished.append(result)
      } else {
        left.append(submission)
      }
    }
    if !finished.isEmpty { say("\(finished.count) of \(submissions.count) were judged before.\n") }
    let total = left.count
    let turns = Turns()
    let new = ThreadedMap(left, width: terms.slots) { submission -> SubmissionResult? in
      guard !turns.isOver else { return nil }
      do {
        let slot = try turns.freeSlot() ?? GradingSlot(of: house)
        let result = try self.result(of: submission, fingerprint(of: submission, judge), in: slot)
        try results.keep(result)
        say("[\(turns.giveBack(slot))/\(total)] \(result.line)\n")
        return result
      } catch {
        turns.end()
        throw error
      }
    }
    finished += try new.outputs().compactMap { $0 }
    return finished.sorted { $0.participant < $1.participant }
  }

  // MARK: - One submission

  private func result(
    of submission: Submission, _ fingerprint: String, in slot: GradingSlot
  ) throws -> SubmissionResult {
    let start = ContinuousClock.now
    // The one before may have left something that goes on.
    slot.endLeftovers()
    try slot.putRight()
    var graded: [String: GradedKata] = [:]
    for module in Module.allCases {
      let begun = terms.katas.filter { kata in
        kata.module == module
          && (submission.texts[kata.name].map { !terms.isStub($0, of: kata) } ?? false)
      }
      guard !begun.isEmpty else { continue }
      let names = Set(begun.map(\.name))
      let answers = AnswerRoom.Answers(
        texts: submission.texts.filter { names.contains($0.key) },
        companions: submission.companions.filter { $0.key.hasPrefix("\(module.rawValue)/") })
      let grading = ModuleGrading(slot: slot, terms: terms, module: module, katas: begun)
      graded.merge(try grading.outcomes(of: answers)) { $1 }
    }
    return SubmissionResult(
      submission, fingerprint: fingerprint, seconds: start.duration(to: .now) / .seconds(1),
      notes: submission.notes,
      katas: terms.katas.map { graded[$0.name] ?? withoutVerdict($0, in: submission) })
  }

  /// A kata that nothing was built for.
  private func withoutVerdict(_ kata: Kata, in submission: Submission) -> GradedKata {
    if let reason = submission.unreadable[kata.name] {
      return GradedKata(kata, .doesNotCompile, message: reason)
    }
    return submission.texts[kata.name] == nil
      ? GradedKata(kata, .missing)
      : GradedKata(kata, .notStarted, message: "This is the stub, as it was handed out.")
  }

  // MARK: - Fingerprints

  private func fingerprint(of submission: Submission, _ judge: String) -> String {
    "\(submission.fingerprint.text)-\(judge)"
  }

  /// What stands for the katas that count, what is looked for, and the texts that judge.
  private func judgeFingerprint() -> String {
    var parts = terms.katas.map(\.name) + [terms.looksForRaces ? "races" : "no races"]
    for path in GradingSlot.files(in: house).sorted() {
      parts += [path, (try? house.text(path)) ?? ""]
    }
    return Fingerprint(of: parts.joined(separator: "\u{0}")).text
  }
}

extension SubmissionResult {
  /// A line for somebody who watches.
  fileprivate var line: String {
    let katas = isJudged ? figures : "\(figures); see its notes"
    return "\(participant) · \(katas) (\(Int(seconds.rounded())) s)"
  }
}
