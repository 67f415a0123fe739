import Foundation
import KataKit

extension Commands {
  /// The specs' timeout in seconds when no learner waits for the verdict, unless `TEST_TIMEOUT` is
  /// set.
  private static let timeoutInProof = 20.0

  /// Proves a kata, a module, or all of them.
  ///
  /// If something of them is left to write, it prints that instead.
  ///
  /// Each answer is judged `stress` times; with more than one run, the cores are busy, and some
  /// runs are restricted to one core.
  package func verify(
    _ name: String?, stress: Int, way: ProofWay = .whole, asJSON: Bool
  ) throws -> ExitCode {
    let katas = try name.map { try Catalogue.katas(named: $0) } ?? Catalogue.katas
    try checkThatReferencesAreThere(for: katas)
    let proof = Proof(
      repository: repository, timeout: timeout ?? Self.timeoutInProof, repeats: stress, way: way,
      isStrict: Self.isInCI, say: progressLines(asJSON: asJSON))
    let left = katas.flatMap(repository.leftToWrite)
    let report = left.isEmpty ? try proof.run(katas) : ProofReport(fellShort: left)
    if asJSON {
      try printJSON(report)
    } else {
      for sentence in report.patternChanges { print("\(PatternBook.file): \(sentence)\n") }
      for sentence in report.pictureChanges { print("\(PictureBook.file): \(sentence)\n") }
      for sentence in report.fellShort { print("\(style.bad("✘")) \(sentence)\n") }
      print(left.isEmpty ? "\(report.line)\n" : "Nothing can be proven before that is written.\n")
    }
    return report.holds ? .done : .notDone
  }

  /// Measures how often a diagnosis of a kata, a module, or all of them is right.
  ///
  /// If `isReplay`, it uses the runs of the last time.
  package func verifyDiagnosis(_ name: String?, isReplay: Bool, asJSON: Bool) throws -> ExitCode {
    let katas = try name.map { try Catalogue.katas(named: $0) } ?? Catalogue.katas
    try checkThatReferencesAreThere(for: katas)
    let trial = AccuracyTrial(
      repository: repository, timeout: timeout ?? Self.timeoutInProof,
      say: progressLines(asJSON: asJSON))
    let report = try trial.run(katas, isReplay: isReplay)
    if asJSON {
      try printJSON(report)
    } else {
      for sentence in report.wrongOnes { print("\(style.bad("✘")) \(sentence)\n") }
      print("\(report.line)\n")
    }
    return .done
  }

  /// Judges the mutants of the references of a kata, a module, or all.
  package func mutate(_ name: String?, asJSON: Bool) throws -> ExitCode {
    let katas = try name.map { try Catalogue.katas(named: $0) } ?? Catalogue.katas
    try checkThatReferencesAreThere(for: katas)
    let trial = MutationTrial(
      repository: repository, timeout: timeout ?? Self.timeoutInProof,
      say: progressLines(asJSON: asJSON))
    let report = try trial.run(katas)
    if asJSON {
      try printJSON(report)
    } else {
      for score in report.katas {
        for name in score.survivors {
          print("\(style.bad("✘")) \(score.kata), survives: \(name)\n")
        }
        if !score.survivors.isEmpty {
          print(
            """
              Each is either a hole in the spec: add a test and a mistake; or it behaves the same: add \
            '## Equivalent mutant: ' and its name to \(KataFile.name), with the reason.

            """)
        }
        for entry in score.outdated { print("\(style.bad("✘")) \(score.kata), \(entry)\n") }
      }
      print("\(report.line)\n")
    }
    return report.holds ? .done : .notDone
  }

  /// Judges the right answers to a kata, a module or all, repeatedly for the given minutes.
  package func soak(_ name: String?, minutes: Double, asJSON: Bool) throws -> ExitCode {
    let katas = try name.map { try Catalogue.katas(named: $0) } ?? Catalogue.katas
    try checkThatReferencesAreThere(for: katas)
    let soak = Soak(
      repository: repository, timeout: timeout ?? Judge.defaultTimeout,
      say: progressLines(asJSON: asJSON))
    let report = try soak.run(katas, seconds: minutes * 60)
    if asJSON { try printJSON(report) } else { print("\n\(report.text)") }
    return report.holds ? .done : .notDone
  }

  /// Whether this runs in CI, where no one can commit what a proof writes.
  private static var isInCI: Bool {
    !["", "0", "false"].contains(ProcessInfo.processInfo.environment["CI"] ?? "")
  }

  /// Prints the progress of a proof.
  private func progressLines(asJSON: Bool) -> @Sendable (String) -> Void {
    guard asJSON else { return print }
    // Standard output is only for the report.
    return { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) }
  }
}
