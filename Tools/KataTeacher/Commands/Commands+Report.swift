import Foundation
import KataKit

extension Commands {
  /// Judges a kata, a module, or without a name all of them, and writes a report for programs.
  ///
  /// The report goes to standard output, or to `output` in one step at the end; progress goes to
  /// standard error. A kata that can't be judged is an entry of the report; an error that affects
  /// every kata, such as a full disk, is thrown.
  package func report(_ name: String?, format: ReportFormat, output: String?) throws -> ExitCode {
    let katas = try name.map { try Catalogue.katas(named: $0) } ?? Catalogue.katas
    let files = try reportFiles(katas, format, output)
    for file in files { try file?.check() }
    var entries: [KataReport] = []
    var unrecorded: (any Error)?
    for kata in katas {
      let start = ContinuousClock.now
      do {
        guard let verdict = try judge(kata, quietly: true) else { return .notDone }
        tell("\(headline(verdict))\n")
        entries.append(
          KataReport(
            verdict, on: kata, in: repository, seconds: start.duration(to: .now) / .seconds(1)))
        do { try record(verdict) } catch { unrecorded = unrecorded ?? error }
      } catch let error as KataError where !error.isOfMachine {
        tell("\(kata.name) · \(error)\n")
        entries.append(
          KataReport(
            error, on: kata, in: repository, seconds: start.duration(to: .now) / .seconds(1)))
      }
    }
    let report = Report(entries)
    for (file, text) in zip(files, try texts(of: report, format)) {
      if let file { try file.write(text) } else { print(text) }
    }
    // Only now, since the report is worth more than the progress, and minutes of work.
    if let unrecorded { throw unrecorded }
    return report.exitCode
  }

  private func headline(_ verdict: Verdict) -> String {
    VerdictText(repository: repository, style: TextStyle(hasColours: false)).headline(verdict)
  }

  /// The files for the texts of a report; nil for standard output.
  private func reportFiles(
    _ katas: [Kata], _ format: ReportFormat, _ output: String?
  ) throws -> [OutputFile?] {
    guard format == .exercism, katas.count > 1 || output?.hasSuffix(".json") == false else {
      return [output.map(OutputFile.init)]
    }
    guard let output, !output.hasSuffix(".json") else {
      throw KataError(
        "Exercism's results.json is about one kata; name one, or name a folder with --output.",
        .usage)
    }
    return katas.map { kata in
      OutputFile(output + (katas.count > 1 ? "/\(kata.name)" : "") + "/results.json")
    }
  }

  /// A report's texts: one, or with Exercism one for each kata.
  private func texts(of report: Report, _ format: ReportFormat) throws -> [String] {
    switch format {
    case .json: [try JSONText.of(report)]
    case .junit: [JUnitReport(report: report).text]
    case .exercism:
      try report.katas.map { kata in
        let files = Set(kata.tests.map(\.testFile))
        let specs = files.map { ($0, (try? repository.text($0)) ?? "") }
        return try JSONText.of(
          ExercismResults(kata, specs: Dictionary(uniqueKeysWithValues: specs)))
      }
    }
  }
}
