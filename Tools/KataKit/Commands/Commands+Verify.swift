import Foundation

extension Commands {
  /// How long specs wait while no person does, in seconds, unless `KATA_PATIENCE` says otherwise.
  private static let patienceInProof = 20.0

  /// Proves a kata, a module, or all of them.
  ///
  /// Each answer is judged `stress` times; beyond once, with busy cores and some of the runs held
  /// to one core.
  public func verify(_ name: String?, stress: Int, asJSON: Bool) throws -> ExitCode {
    let katas = try name.map { try Catalogue.katas(named: $0) } ?? Catalogue.katas
    let proof = Proof(
      house: house, patience: patience ?? Self.patienceInProof, repeats: stress
    ) { [print] line in
      // Standard output is the report's alone.
      if asJSON {
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
      } else {
        print(line)
      }
    }
    let report = try proof.run(katas)
    if asJSON {
      try printJSON(report)
    } else {
      for sentence in report.secondLooks {
        print("On a second look as it must be: \(sentence)\n")
      }
      for sentence in report.fellShort { print("\(style.bad("✘")) \(sentence)\n") }
      print("\(report.line)\n")
    }
    return report.holds ? .done : .notDone
  }
}
