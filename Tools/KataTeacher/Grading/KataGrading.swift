import Dispatch
import Foundation
import KataKit

/// Judges one answer of a submission, in a folder of its own.
struct KataGrading: Sendable {
  let kata: Kata
  let text: String
  /// Files that were handed in beside it: texts by path.
  let companions: [String: String]
  let terms: GradingTerms
  let repository: Repository
  let bench: JudgingBench

  /// How long a compiler may take, in seconds; only one that never ends takes that long.
  private static let longestBuild = 300.0

  /// Judges the answer.
  ///
  /// Blocks until it's done. Throws only what keeps every submission from being judged.
  func outcome() throws -> GradedKata {
    let folder = repository.folderForAnswer()
    let clearAway: @Sendable () -> Void = { try? FileManager.default.removeItem(at: folder) }
    defer { clearAway() }
    return try ProcessRegistry.withTerminationCleanup(clearAway) {
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
    case .stopped: return unbuildable("The compiler doesn't come to an end.")
    case .refused(let messages):
      return Verdict(kata, refusedWith: messages, file: answer.file.path)
    case .ran(let run, let changes): return Judge.verdict(kata, run).taking(changes)
    }
  }

  private func staged(in folder: URL) throws -> StagedAnswer {
    try StagedAnswer(to: kata, text: text, companions: companions, in: folder)
  }

  /// The verdict once races were looked for, where that is possible.
  private func sanitized(_ verdict: Verdict, _ folder: URL) throws -> Verdict {
    // The run before may have left nothing of it.
    switch try attempt(staged(in: folder), folder, sanitized: true) {
    case .stopped, .refused:
      return verdict.withoutRaces(because: "It couldn't be built in.")
    case .ran(let run, let changes):
      return Judge.verdict(verdict, afterSanitizing: run).taking(changes)
    }
  }

  /// An answer on which the compiler or the linker gives up without saying where.
  private func unbuildable(_ reason: String) -> Verdict {
    var verdict = Verdict(kata, .doesNotCompile)
    verdict.notes.append("It can't be built: \(reason)")
    return verdict
  }

  private func attempt(
    _ answer: StagedAnswer, _ folder: URL, sanitized: Bool
  ) throws -> Attempt {
    // What judges it is there, or nobody can be judged.
    _ = try bench.program(of: kata.module, sanitized: sanitized)
    let stop = CancellationFlag()
    let alarm = DispatchWorkItem { stop.stop() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestBuild, execute: alarm)
    defer { alarm.cancel() }
    return try bench.attempt(answer, sanitized: sanitized, stop: stop) { built in
      alarm.cancel()
      let run = try self.run(built, folder, sanitized: sanitized)
      return (run, changes(of: answer))
    }
  }

  private func run(_ built: BuiltAnswer, _ folder: URL, sanitized: Bool) throws -> SpecRun {
    var options = SpecRunner.Options(patience: terms.patience)
    if sanitized { options.patience *= Judge.sanitizedSlowdown }
    let sandbox = try Sandbox(folder.appending(path: "sandbox"))
    defer { sandbox.clear() }
    (options.directory, options.environment) = (sandbox.folder, sandbox.environment)
    options.limits = terms.limits(sanitized: sanitized)
    options.isolation = terms.isolation
    do {
      return try built.run(options)
    } catch let error as KataError where error.cause == .diskFull {
      sandbox.clear()
      // Whoever had filled the disk, there may be room now.
      if DiskSpace.isShort(of: DiskSpace.neededByBuild, in: repository.root) { throw error }
      throw KataError("The disk was full while its spec ran, and isn't now.", .notDone)
    }
  }

  /// What a run has done to the answer's own file.
  private func changes(of answer: StagedAnswer) -> ProtectedFiles.Changes {
    var changes = ProtectedFiles.Changes()
    let now = FileManager.default.contents(atPath: answer.file.path)
    guard now != Data(text.utf8) else { return changes }
    changes.notes.append(
      """
      \(repository.short(answer.file.path)) was \(now == nil ? "deleted" : "changed") while the spec ran; \
      this is about the text before.
      """)
    return changes
  }
}
