import Foundation
import KataKit

/// The evidence of a run in which a right answer was rejected.
struct SoakRecord {
  let candidate: Candidate
  let condition: SoakCondition
  let sanitized: Bool
  let run: SpecRun
  /// The machine's load average when it ended.
  let load: [Double]

  /// Writes the record into `folder`, a file for each kind of evidence.
  func write(into folder: String, in repository: Repository) throws {
    var verdict = Judge.verdict(candidate.kata, run)
    if sanitized {
      verdict = Judge.verdict(Verdict(candidate.kata, .passed), afterSanitizing: run)
    }
    let text = VerdictText(repository: repository, style: TextStyle(hasColours: false, width: 100))
    let failures = run.tests.failing.map { text.failure($0) }
    let loads = load.map { String(format: "%.2f", $0) }.joined(separator: " ")
    try repository.write(
      """
      \(candidate.kata.name), \(candidate.name): \(verdict.kind.rawValue), \(condition.rawValue)\
      \(sanitized ? ", with Thread Sanitizer" : "")
      load \(loads)
      \(failures.joined())\(text.details(verdict, candidate.kata))
      """, to: "\(folder)/verdict.txt")
    for (number, process) in run.processes.enumerated() {
      try repository.write(
        String(decoding: process.events, as: UTF8.self), to: "\(folder)/\(number)/events.jsonl")
      try repository.write(process.output, to: "\(folder)/\(number)/output.txt")
      try repository.write(process.threads, to: "\(folder)/\(number)/threads.txt")
    }
    try repository.write(candidate.text, to: "\(folder)/answer.swift")
  }
}
