import Dispatch
import Foundation
import KataKit

/// Judges one answer of a submission, in a folder of its own.
struct KataGrading: Sendable {
  let kata: Kata
  let text: String
  /// Other files that were handed in with it: texts by path.
  let companions: [String: String]
  let terms: GradingTerms
  let repository: Repository
  let bench: JudgingBench

  /// The timeout of a compiler in seconds; only one that hangs takes that long.
  private static let longestBuild = 300.0

  /// Judges the answer.
  ///
  /// Blocks until it's done. Throws only errors that affect every submission.
  func outcome() throws -> GradedKata {
    try repository.withFolderForAnswers { folder in
      do {
        var (verdict, racesChecked) = (try plainVerdict(folder), false)
        if verdict.kind == .passed, terms.looksForRaces {
          verdict = try sanitized(verdict, folder)
          racesChecked = verdict.kind != .racesNotChecked
        }
        return GradedKata(
          Diagnosis(kata, in: repository).named(verdict), on: kata, in: repository,
          racesChecked: racesChecked)
      } catch let error as KataError where !error.isOfMachine {
        return GradedKata(kata, .error, message: repository.portable("\(error)"))
      }
    }
  }

  private func plainVerdict(_ folder: URL) throws -> Verdict {
    let answer = try staged(in: folder)
    switch try attempt(answer, folder, sanitized: false) {
    case .stopped: return unbuildable("The compiler didn't end within its time limit.")
    case .refused(let messages):
      return Verdict(kata, refusedWith: messages, file: answer.file.path)
    case .built(let run): return Judge.verdict(kata, run)
    }
  }

  private func staged(in folder: URL) throws -> AnswerSource {
    try AnswerSource(to: kata, text: text, companions: companions, in: folder)
  }

  /// The verdict after the check for races, if that is possible.
  private func sanitized(_ verdict: Verdict, _ folder: URL) throws -> Verdict {
    // The run before may have deleted the folder's contents.
    switch try attempt(staged(in: folder), folder, sanitized: true) {
    case .stopped, .refused:
      return verdict.withoutRaces(because: "The specs couldn't be built with it.")
    case .built(let run): return Judge.verdict(verdict, afterSanitizing: run)
    }
  }

  /// The verdict on an answer for which the compiler or linker fails without a location.
  private func unbuildable(_ reason: String) -> Verdict {
    var verdict = Verdict(kata, .doesNotCompile)
    verdict.notes.append("It can't be built: \(reason)")
    return verdict
  }

  private func attempt(
    _ answer: AnswerSource, _ folder: URL, sanitized: Bool
  ) throws -> BuildOutcome<SpecRun> {
    // The program that judges it must exist; without it, no submission can be judged.
    _ = try bench.program(for: kata, sanitized: sanitized)
    let stop = CancellationFlag()
    let alarm = DispatchWorkItem { stop.stop() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestBuild, execute: alarm)
    defer { alarm.cancel() }
    return try bench.compile(answer, sanitized: sanitized, in: folder, stop: stop).then {
      compiled in
      alarm.cancel()
      var run = try self.run(compiled, folder, sanitized: sanitized)
      run.changes = changes(of: answer)
      return .built(run)
    }
  }

  private func run(_ compiled: CompiledAnswer, _ folder: URL, sanitized: Bool) throws -> SpecRun {
    var options = SpecRunner.Options(timeout: terms.timeout)
    if sanitized { options.timeout *= Judge.sanitizedSlowdown }
    let sandbox = try Sandbox(folder.appending(path: "sandbox"))
    defer { sandbox.clear() }
    (options.directory, options.environment) = (sandbox.folder, sandbox.environment)
    options.limits = terms.limits(sanitized: sanitized)
    options.isolation = terms.isolation
    do {
      return try compiled.run(options)
    } catch let error as KataError where error.cause == .diskFull {
      sandbox.clear()
      // Whatever filled the disk, there may be room now.
      if DiskSpace.isShort(of: DiskSpace.neededByBuild, in: repository.root) { throw error }
      throw KataError(
        "The disk was full while its spec ran, but isn't now; grade it again.", .notDone)
    }
  }

  /// What a run has done to the answer's own file.
  private func changes(of answer: AnswerSource) -> ProtectedFiles.Changes {
    var changes = ProtectedFiles.Changes()
    let now = FileManager.default.contents(atPath: answer.file.path)
    guard now != Data(text.utf8) else { return changes }
    changes.notes.append(
      """
      \(repository.short(answer.file.path)) was \(now == nil ? "deleted" : "changed") while the spec ran; \
      this verdict is about the text before.
      """)
    return changes
  }
}
