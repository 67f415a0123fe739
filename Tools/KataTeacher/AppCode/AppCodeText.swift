import Foundation
import KataKit

/// The verdict on code from an app, as text for a terminal or a log.
package struct AppCodeText {
  let repository: Repository
  let style: TextStyle

  package init(repository: Repository, style: TextStyle) {
    self.repository = repository
    self.style = style
  }

  package func text(_ judged: AppCodeVerdict, on code: AppCode) -> String {
    let verdict = judged.verdict
    let remarks = judged.beyondOperation.map { ($0, "more than Operation asks") }
    let text = VerdictText(
      repository: repository, style: style,
      remarks: Dictionary(uniqueKeysWithValues: remarks))
    var parts: [String] = []
    // What only the kata asks for comes last.
    if let test = judged.contractFailure, test.status != .notReached {
      parts.append(text.failure(test))
    }
    parts.append(text.details(verdict, code.kata))
    if let gap = judged.gap, !gap.isEmpty { parts.append("\n\(gap)\n") }
    let asked = judged.keepsContract ? more(judged, code.kata) : ""
    if !asked.isEmpty { parts.append(asked) }
    parts.append("\n\(headline(judged))\n\(style.reflow(nextStep(judged, code), indent: 0))\n")
    return parts.joined()
  }

  /// What the kata asks for beyond `Operation` and the code doesn't do, with the reasons.
  private func more(_ judged: AppCodeVerdict, _ kata: Kata) -> String {
    let failing = judged.verdict.tests.filter { $0.status != .passed }.map(\.name)
    let asked = kata.beyondOperation.filter { failing.contains($0.test) }
    return "\n  The kata asks for more:\n"
      + asked.map { entry in
        "\n  \(style.bold(entry.test))\n\(style.reflow(entry.reason, indent: 4))\n"
      }.joined()
  }

  private func headline(_ judged: AppCodeVerdict) -> String {
    let verdict = judged.verdict
    if judged.gap != nil { return "\(style.bold(verdict.kata)) · \(style.bad("needs an adapter"))" }
    guard judged.keepsContract else {
      return VerdictText(repository: repository, style: style).headline(verdict)
    }
    let passed = verdict.tests.count { $0.status == .passed }
    return
      "\(style.bold(verdict.kata)) · \(style.good("keeps the contract of Operation")); the kata asks "
      + "for more · \(passed) of \(verdict.tests.count) tests pass"
  }

  private func nextStep(_ judged: AppCodeVerdict, _ code: AppCode) -> String {
    switch judged.verdict.kind {
    case .passed where code.scenario != nil: "No test of yours found anything wrong."
    case .racesNotChecked where code.scenario != nil:
      "No test of yours found anything wrong; data races weren't looked for."
    case .doesNotCompile where code.scenario.map({ isOf($0, judged.verdict) }) == true:
      "The scenario doesn't compile with your code; your code itself compiles. The scenario sees its declarations without an import."
    case .passed: "It does everything that \(code.kata.name) asks."
    case .racesNotChecked:
      "It does everything that \(code.kata.name)'s spec asks; data races weren't looked for."
    case .doesNotCompile where judged.gap?.isEmpty == true:
      "The spec can't be compiled with your code; the compiler's errors above say where. An adapter may help."
    case .doesNotCompile where judged.gap != nil:
      "The spec can't be compiled with your code; what it needs is listed above."
    case .doesNotCompile where code.adapter.map({ isOf($0, judged.verdict) }) == true:
      "The adapter doesn't compile; your code itself does."
    case .doesNotCompile:
      "Your code doesn't compile by itself. If other files belong to it, name them as well."
    case _ where code.scenario != nil:
      "The page 'Every schedule' explains how to read it, and how to write a scenario."
    default:
      "What \(code.kata.name) asks is in \(repository.learnerPath(of: code.kata)) of the katas; hints: "
        + "'make hint KATA=\(code.kata.name)'."
    }
  }

  /// Whether all of the compiler's errors are in this file.
  private func isOf(_ file: URL, _ verdict: Verdict) -> Bool {
    verdict.compilerMessages.allSatisfy { $0.file == file.path }
  }
}
