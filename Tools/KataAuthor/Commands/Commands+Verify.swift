import Foundation
import KataKit

extension Commands {
  /// How long specs wait while no person does, in seconds, unless `TEST_TIMEOUT` says otherwise.
  private static let timeoutInProof = 20.0

  /// Proves a kata, a module, or all of them.
  ///
  /// Where something of them is left to write, it tells that instead.
  ///
  /// Each answer is judged `stress` times; beyond once, with busy cores and some of the runs held
  /// to one core.
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
      print(left.isEmpty ? "\(report.line)\n" : "Nothing is proven before that is written.\n")
    }
    return report.holds ? .done : .notDone
  }

  /// Measures how often a diagnosis of a kata, a module, or all of them is right.
  ///
  /// Where `isReplay`, on the runs of the last time.
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

  /// Judges the mutants of a kata's reference, of a module's, or of all.
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
              Each is a hole in the spec, and gets a test and a mistake; or the same program, and \
            gets '## Equivalent mutant: ' and its name in \(KataFile.name), with the reason.

            """)
        }
        for entry in score.outdated { print("\(style.bad("✘")) \(score.kata), \(entry)\n") }
      }
      print("\(report.line)\n")
    }
    return report.holds ? .done : .notDone
  }

  /// Judges the right answers to a kata, a module or all, again and again for so many minutes.
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

  /// Whether nobody is there to commit what a proof writes.
  private static var isInCI: Bool {
    !["", "0", "false"].contains(ProcessInfo.processInfo.environment["CI"] ?? "")
  }

  /// Takes the lines that tell how far a proof is.
  private func progressLines(asJSON: Bool) -> @Sendable (String) -> Void {
    guard asJSON else { return print }
    // Standard output is the report's alone.
    return { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) }
  }
}
