import Foundation
import KataKit
import Synchronization

/// Judges right answers repeatedly, in one condition after another, for a given time.
///
/// All of them must pass. Failures are recorded, and the soak continues.
struct Soak: Sendable {
  /// The folder of records, with a subfolder for each soak.
  static let folder = ".build/soak"

  let repository: Repository
  /// The specs' timeout in seconds; by default a learner's.
  let timeout: Double
  let say: @Sendable (String) -> Void

  /// One right answer, compiled without or with Thread Sanitizer.
  private struct Entry: Sendable {
    let candidate: Candidate
    let sanitized: Bool
    let compiled: CompiledAnswer
  }

  /// Judges the right answers to `katas` for the given number of seconds, each condition for the
  /// same time.
  ///
  /// The time begins when everything is compiled. Blocks until it's over.
  func run(_ katas: [Kata], seconds: Double) throws -> SoakReport {
    repository.removeLeftovers()
    return try repository.withFolderForAnswers {
      try soak(compiled(katas, in: $0), katas, seconds: seconds)
    }
  }

  private func soak(_ entries: [Entry], _ katas: [Kata], seconds: Double) throws -> SoakReport {
    let conditions = SoakCondition.allCases.filter { $0.launcher != nil }
    let report = Mutex(
      SoakReport(
        katas: katas.map(\.name), conditions: conditions,
        leftOut: SoakCondition.allCases.filter { $0.launcher == nil }))
    let records = "\(Self.folder)/\(Int(Date.now.timeIntervalSince1970))"
    let start = ContinuousClock.now
    let turns = Mutex(0)
    for (number, condition) in conditions.enumerated() {
      let end = start + .seconds(seconds * Double(number + 1) / Double(conditions.count))
      let load = BusyCores(count: condition.busyLoops)
      defer { load.stop() }
      let lanes = Array(0..<condition.specsAtOnce)
      _ = try BoundedParallelMap(lanes, width: lanes.count) { _ in
        // At least once, so that every condition has a figure.
        repeat {
          let turn = turns.withLock { turns in
            defer { turns += 1 }
            return turns
          }
          let entry = entries[turn % entries.count]
          let kata = entry.candidate.kata.name
          let failure = try failure(of: entry, condition)
          let place = failure.map { _ in "\(records)/\(turn) \(kata)" }
          if let failure, let place {
            try failure.write(into: place, in: repository)
            say("✘ \(kata), \(entry.candidate.name), \(condition.rawValue): \(place)\n")
          }
          report.withLock {
            $0.count(kata, in: condition, sanitized: entry.sanitized, record: place)
          }
        } while ContinuousClock.now < end
      }.outputs()
      say("\(report.withLock { $0.line(of: condition) })\n")
    }
    return report.withLock { report in
      report.seconds = Int(start.duration(to: .now).components.seconds)
      return report
    }
  }

  /// Runs an answer's spec; nil if it passes.
  private func failure(of entry: Entry, _ condition: SoakCondition) throws -> SoakRecord? {
    var options = SpecRunner.Options(
      timeout: entry.sanitized ? timeout * Judge.sanitizedSlowdown : timeout)
    options.keepsRecords = true
    options.launcher = condition.launcher ?? []
    options.environment = ProcessInfo.processInfo.environment.merging(condition.environment) { $1 }
    let run = try entry.compiled.run(options)
    guard !run.passed || !run.races.isEmpty else { return nil }
    var load = [0.0, 0, 0]
    getloadavg(&load, 3)
    return SoakRecord(
      candidate: entry.candidate, condition: condition, sanitized: entry.sanitized, run: run,
      load: load)
  }

  /// Compiles all right answers: one for each kata, then a second one, so that all katas are
  /// included early.
  private func compiled(_ katas: [Kata], in folder: URL) throws -> [Entry] {
    let bench = try JudgingBench(repository: repository, WorkspaceSnapshot(of: repository))
    let answers = try katas.map { try Candidate.all(of: $0, in: repository).filter(\.isRight) }
    let most = answers.map(\.count).max() ?? 0
    let turns = (0..<most).flatMap { turn in answers.compactMap { $0.dropFirst(turn).first } }
    let all = turns.flatMap { [($0, false), ($0, true)] }
    say("Compiling \(turns.count) right answers and their specs …\n")
    return try BoundedParallelMap(
      Array(all.enumerated()), width: ProcessInfo.processInfo.activeProcessorCount
    ) { number, one in
      let (candidate, sanitized) = one
      let folder = folder.appending(path: "\(number)")
      let answer = try AnswerSource(to: candidate.kata, text: candidate.text, in: folder)
      guard
        case .built(let compiled) = try bench.compile(answer, sanitized: sanitized, in: folder)
      else {
        throw KataError("\(candidate.kata.name), \(candidate.name) doesn't compile.", .notDone)
      }
      return Entry(candidate: candidate, sanitized: sanitized, compiled: compiled)
    }.outputs()
  }
}
