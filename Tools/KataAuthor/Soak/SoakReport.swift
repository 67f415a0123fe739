import Foundation
import KataKit

/// The results of a soak.
package struct SoakReport: Codable, Sendable {
  /// The runs in one condition.
  struct Row: Codable, Equatable, Sendable {
    let condition: SoakCondition
    /// Runs that passed, without and with Thread Sanitizer.
    var passes = 0
    var sanitizedPasses = 0
    var failures = 0
  }

  /// The conditions that were run, in order.
  private(set) var rows: [Row]
  /// The conditions that this machine can't run.
  let leftOut: [SoakCondition]
  /// How often the spec of each kata passed.
  private(set) var passesBySuite: [String: Int]
  /// The folders of the failures' records.
  private(set) var records: [String] = []
  /// How long it took, in seconds.
  var seconds = 0

  init(katas: [String], conditions: [SoakCondition], leftOut: [SoakCondition] = []) {
    rows = conditions.map { Row(condition: $0) }
    self.leftOut = leftOut
    passesBySuite = Dictionary(uniqueKeysWithValues: katas.map { ($0, 0) })
  }

  /// Counts a run; `record` is the path of its record if it failed.
  mutating func count(
    _ kata: String, in condition: SoakCondition, sanitized: Bool, record: String?
  ) {
    guard let index = rows.firstIndex(where: { $0.condition == condition }) else { return }
    if let record {
      rows[index].failures += 1
      records.append(record)
    } else {
      passesBySuite[kata, default: 0] += 1
      if sanitized { rows[index].sanitizedPasses += 1 } else { rows[index].passes += 1 }
    }
  }

  /// The figures of one condition, in a line.
  func line(of condition: SoakCondition) -> String {
    let row = rows.first { $0.condition == condition } ?? Row(condition: condition)
    return """
      \(condition.rawValue): \(row.passes) passed, \(row.sanitizedPasses) with Thread Sanitizer, \
      \(row.failures) failed
      """
  }

  /// Whether there was something to judge, and nothing failed.
  var holds: Bool { records.isEmpty && rows.contains { $0.passes > 0 } }

  /// The figures as a table in Markdown, and a summary.
  var text: String {
    let table = rows.map {
      "| \($0.condition.rawValue) | \($0.passes) | \($0.sanitizedPasses) | \($0.failures) |\n"
    }
    let passes = rows.reduce(0) { $0 + $1.passes + $1.sanitizedPasses }
    let rarest = passesBySuite.min { ($0.value, $0.key) < ($1.value, $1.key) }
    let rare = rarest.map { ", the rarest \($0.value) times (\($0.key))" } ?? ""
    let absent = leftOut.map { "This machine can't run the condition '\($0.rawValue)'.\n" }.joined()
    return """
      | Condition | passed | with Thread Sanitizer | failed |
      |---|---:|---:|---:|
      \(table.joined())
      \(absent)\(passesBySuite.count) \(passesBySuite.count == 1 ? "suite" : "suites") passed \(passes) times\(rare) · \
      \(records.count) failures · \(seconds) s

      """
  }
}
