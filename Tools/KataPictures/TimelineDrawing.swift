/// Draws events as text, with a row for each participant and a column for each event.
///
///     writer    ├─────────┤
///     reader         ┆┄┄┄┄├────┤
///
/// A dotted line shows that a participant waits, until it goes in or gives up; a solid line shows
/// that it's inside. A row that ends in an ellipsis continues. Marks are dots, named at the end of
/// their row.
package struct TimelineDrawing: Sendable {
  private let events: [TimelineEvent]

  /// A picture of `events`.
  package init(_ events: [TimelineEvent]) {
    self.events = events
  }

  /// The picture, at most `width` columns wide.
  ///
  /// If there are too many events, the oldest are left out.
  package func text(width: Int = 76) -> String {
    guard !events.isEmpty else { return "  (nothing happened)" }
    let rows = events.participants
    let nameWidth = min(rows.map(\.count).max() ?? 0, 24)
    let room = max(width - nameWidth - 4, 8)
    let step = max(1, min(5, room / (events.count + 1)))
    let skipped = max(0, events.count - room / step + 1)

    var lines: [String] = []
    if skipped > 0 { lines.append("  … \(skipped) earlier events not shown") }
    for name in rows {
      let row = drawRow(of: name, step: step, skipping: skipped)
      guard let row else { continue }
      let label = name.prefix(nameWidth).padded(to: nameWidth)
      lines.append("  \(label)  \(row)")
    }
    return lines.joined(separator: "\n")
  }

  private func drawRow(of name: String, step: Int, skipping skipped: Int) -> String? {
    var cells = [Character](repeating: " ", count: (events.count - skipped) * step + 1)
    var marks: [String] = []
    var depth = 0
    var isWaiting = false
    var isShown = false
    for (index, event) in events.enumerated() {
      let column = (index - skipped) * step
      if event.who == name {
        let wasInside = depth > 0
        switch event.kind {
        case .asked: isWaiting = depth == 0
        case .entered:
          depth += 1
          isWaiting = false
        case .left:
          depth = max(0, depth - 1)
          isWaiting = false
        case .mark(let what): if column >= 0 { marks.append(what) }
        }
        guard column >= 0 else { continue }
        isShown = true
        cells[column] =
          switch event.kind {
          case .asked: "┆"
          case .entered: wasInside ? "┼" : "├"
          case .left: depth > 0 ? "┼" : "┤"
          case .mark: "●"
          }
      } else if column >= 0, depth > 0 || isWaiting {
        isShown = true
        cells[column] = depth > 0 ? "─" : "┄"
      }
      guard column >= 0, depth > 0 || isWaiting else { continue }
      for cell in (column + 1)..<(column + step) where cell < cells.count {
        cells[cell] = depth > 0 ? "─" : "┄"
      }
    }
    guard isShown else { return nil }
    if depth > 0 || isWaiting { cells[cells.count - 1] = "…" }
    var row = String(cells)
    while row.last == " " { row.removeLast() }
    return marks.isEmpty ? row : "\(row)  \(marks.joined(separator: ", "))"
  }
}

extension StringProtocol {
  /// The text with spaces appended, at least `width` characters long.
  fileprivate func padded(to width: Int) -> String {
    String(self) + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
