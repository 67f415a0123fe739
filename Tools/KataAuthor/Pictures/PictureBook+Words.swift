import Foundation
import KataKit

/// Rejections that are shown in the spec's own words.
extension PictureBook {
  /// Whether a test still rejects a mistake with such a message, with other values perhaps.
  static func isSaid(_ kept: Objection, of result: CandidateResult) -> Bool {
    let gist = FailureSignature.gist(of: kept.says)
    let issues = result.runs.flatMap(\.tests).filter { $0.name == kept.test }.flatMap(\.issues)
    return issues.contains { issue in
      paragraphs(of: issue).contains { FailureSignature.gist(of: $0) == gist }
    }
  }

  /// The paragraphs of a message; an indented one is a picture.
  private static func paragraphs(of issue: TestIssue) -> [String] {
    issue.sentence.split(separator: "\n\n").map(String.init)
  }

  /// The spec's message about a mistake without a picture.
  static func words(of result: CandidateResult, about mistake: Mistake) -> Objection? {
    let reports = result.runs.flatMap(\.tests)
    for test in mistake.rejectedBy {
      let issues = reports.filter { $0.name == test }.flatMap(\.issues)
      guard let issue = issues.first(where: { !$0.message.isEmpty }) else { continue }
      // A picture may precede the words.
      let paragraphs = paragraphs(of: issue)
      guard let words = paragraphs.first(where: { !$0.hasPrefix(" ") }) else { continue }
      let says = words.split(whereSeparator: \.isNewline).joined(separator: " ")
      // Addresses and ports belong to one run, and long lists don't suit a page.
      if says.count <= 320, !says.contains(#/0x[0-9a-f]|127\.0\.0\.1|Error Domain/#) {
        return Objection(test: test, says: says, events: nil, run: run(of: test, in: paragraphs))
      }
    }
    return nil
  }

  /// The schedule or the calls in a message, without the numbers of source lines.
  private static func run(of test: String, in paragraphs: [String]) -> [String]? {
    guard TestReport.Run(ofTest: test) != nil else { return nil }
    return paragraphs.first { $0.hasPrefix(" ") }?.split(separator: "\n").map {
      String($0.dropFirst(2).replacing(#/line \d+  /#, with: ""))
    }
  }
}
