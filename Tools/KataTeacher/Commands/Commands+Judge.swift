import Foundation
import KataKit

/// The code to judge, the tests that judge it, and the format of the result.
package struct JudgeRequest {
  /// What judges code.
  package enum Test {
    /// The spec of the kata with this name.
    case kata(String)
    /// The tests in this file of the caller.
    case scenario(String)
  }

  /// The files and folders with the code.
  let paths: [String]
  let test: Test
  package var adapter: String?
  /// The format; nil for text.
  package var format: ReportFormat?
  package var output: String?

  package init(_ paths: [String], by test: Test) {
    self.paths = paths
    self.test = test
  }
}

extension Commands {
  /// Judges code outside the clone by the spec of a kata; changes nothing in `Katas/` and records
  /// no progress.
  ///
  /// The exit code distinguishes a class that lacks only what the kata adds from one that breaks
  /// the contract of `Operation`.
  package func judge(_ request: JudgeRequest) throws -> ExitCode {
    let code =
      switch request.test {
      case .kata(let name):
        try AppCode(request.paths, as: Catalogue.kata(named: name), adapter: request.adapter)
      case .scenario(let path):
        try AppCode(request.paths, by: path, adapter: request.adapter)
      }
    guard request.format != .exercism else {
      throw KataError(
        "Exercism's format is only for answers in Katas/; give json or junit.", .usage)
    }
    let output = request.output.map(OutputFile.init)
    try output?.check()
    let isText = request.format == nil
    let start = ContinuousClock.now
    let judge = AppCodeJudge(
      repository: repository, timeout: timeout ?? Judge.defaultTimeout)
    let judged = try judge.judge(code) { event in
      switch event {
      case .building: tell(style.dim("Building \(repository.short(code.files[0].path)) …\n"))
      case .checkingForRaces: tell(style.dim("Looking for data races …\n"))
      case .testing, .news: break
      }
    }
    let text: String
    if isText {
      text = AppCodeText(repository: repository, style: style).text(judged, on: code)
    } else {
      let report = Report([
        KataReport(
          judged, on: code, in: repository, seconds: start.duration(to: .now) / .seconds(1))
      ])
      text = request.format == .junit ? JUnitReport(report: report).text : try JSONText.of(report)
    }
    if let output { try output.write(text) } else { print(text) }
    return judged.exitCode
  }
}
