import Foundation

/// A run of a scenario as text: a column for each thread, and time from top to bottom.
struct ScenarioColumns {
  /// The width between two columns.
  private static let gap = 2
  private static let mostWidth = 34
  private static let mostInLine = 70

  let text: String

  init<Subject, Model>(_ scenario: Scenario<Subject, Model>, _ run: ScenarioRun) {
    var heads = scenario.threads.indices.map { "thread \($0 + 1)" }
    let own = heads.count
    var cells: [(column: Int, text: String)] = []
    for (index, event) in run.events.enumerated() {
      let column = event.thread ?? own
      let next = run.events.dropFirst(index + 1).first
      switch event.kind {
      case .began(let call):
        // If nothing happens between a call and its return, one line shows both.
        if let next, case .returned(call, _) = next.kind, next.thread == event.thread { continue }
        cells.append((column, Self.name(scenario, event.thread, call)))
      case .returned(let call, let result):
        cells.append((column, "\(Self.name(scenario, event.thread, call)) → \(result)"))
      case .held(let point, let callers):
        cells.append((column, "── held here ──"))
        if let place = PlaceText.text(point.place, calledFrom: callers) {
          cells.append((column, place))
        }
      case .wentOn:
        // A return that follows at once shows it as well.
        if let next, next.thread != event.thread { cells.append((column, "── goes on ──")) }
      }
    }
    for (thread, calls) in scenario.threads.enumerated()
    where run.outcome.results[thread].count < calls.count {
      cells.append((thread, "\(calls[run.outcome.results[thread].count].name) never returns"))
    }
    if cells.contains(where: { $0.column == own }) { heads.append("another thread") }
    let widths = heads.indices.map { column in
      min(
        Self.mostWidth,
        ([heads[column]] + cells.filter { $0.column == column }.map(\.text)).map(\.count).max() ?? 0
      )
    }
    func line(_ column: Int, _ text: String) -> String {
      let before = widths[..<column].reduce(0) { $0 + $1 + Self.gap }
      return String(repeating: " ", count: before) + text
    }
    let head = zip(heads, widths).map { head, width in
      head + String(repeating: " ", count: width - head.count + Self.gap)
    }.joined()
    var lines = [head.trimmingCharacters(in: .whitespaces)] + cells.map { line($0.column, $0.text) }
    if !run.outcome.end.isEmpty, !scenario.subject.isChecked {
      lines += Self.wrapped("in the end: \(run.outcome.end)")
    }
    // Indented text is shown unchanged.
    text = lines.map { "  \($0)" }.joined(separator: "\n")
  }

  /// Wraps a sentence, with all lines but the first indented.
  private static func wrapped(_ text: String) -> [String] {
    text.split(separator: " ").reduce(into: [""]) { lines, word in
      let last = lines.count - 1
      if lines[last].isEmpty {
        lines[last] += word
      } else if lines[last].count + word.count < mostInLine {
        lines[last] += " \(word)"
      } else {
        lines.append("  \(word)")
      }
    }
  }

  private static func name<Subject, Model>(
    _ scenario: Scenario<Subject, Model>, _ thread: Int?, _ call: Int
  ) -> String {
    thread.map { scenario.threads[$0][call].name } ?? ""
  }
}
