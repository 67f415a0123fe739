/// The positions of everything in the picture of a timeline.
///
/// The picture is at most 640 units wide and its text at least 12 units high, so that it's readable
/// on a phone. If the labels of marks would form too many stairs, marks are numbered and named
/// below their row.
struct TimelineLayout {
  static let margin = 16.0
  static let largestWidth = 640.0
  private static let widestLabel = 150.0
  private static let line = 16.0
  /// The room after the last event, for participants that are still inside.
  private static let tail = 28.0

  private(set) var rows: [Row] = []
  /// Text that belongs to no row.
  private(set) var notes: [Label] = []
  private(set) var columns: [Double] = []
  /// The vertical range of the rows.
  private(set) var span = 0.0...0.0
  private(set) var width = 0.0
  private(set) var height = 0.0

  private let nameWidth: Double
  private let step: Double
  private let isNumbered: Bool

  /// The layout of `events`, or of the latest ones.
  init(_ events: [TimelineEvent]) {
    let hasMarks = events.contains { if case .mark = $0.kind { true } else { false } }
    let shown = events.latest(hasMarks ? 24 : 34)
    let rows = shown.participants.map { TimelineRow($0, in: shown) }
    let skipped = events.count > shown.count ? events.count - shown.count : 0
    let stairs = TimelineLayout(rows, shown.count, skipped: skipped, isNumbered: false)
    self =
      stairs.isTooSteep
      ? TimelineLayout(rows, shown.count, skipped: skipped, isNumbered: true) : stairs
  }

  /// Whether the labels of a row take too many lines to follow.
  private var isTooSteep: Bool { stairs > 5 }
  private var stairs = 0

  private init(_ rows: [TimelineRow], _ count: Int, skipped: Int, isNumbered: Bool) {
    self.isNumbered = isNumbered
    nameWidth = min(130, rows.map { TextMetrics.width($0.who, size: 14) }.max() ?? 0)
    let labels = rows.flatMap(\.marks).map { Self.lines(of: $0.what) }
    let right = isNumbered ? Self.tail : max(Self.tail, labels.map(Self.width).max() ?? 0)
    let axis = Self.largestWidth - 2 * Self.margin - nameWidth - 12 - right
    step = min(isNumbered ? 36 : 40, axis / Double(max(count, 1)))

    var top = Self.margin
    if skipped > 0 {
      let text = "… \(skipped) earlier \(skipped == 1 ? "event" : "events") not shown"
      notes.append(Label(text: text, x: Self.margin, y: top + 11, look: .note))
      top += 24
    }
    let start = Self.margin + nameWidth + 12
    columns = (0..<count).map { start + (Double($0) + 0.5) * step }
    let end = start + Double(count) * step + Self.tail
    width = max(end + Self.margin, isNumbered ? 420 : 240)
    if !isNumbered, let widest = labelEnd(rows) { width = max(width, widest + Self.margin) }
    let first = top
    let numbers = Self.numbers(rows)
    for row in rows {
      place(row, at: &top, end: end - Self.tail, numbers)
    }
    span = first...max(first, top - 2)
    notes.append(
      rows.isEmpty
        ? Label(text: "Nothing happened.", x: Self.margin, y: top + 11, look: .note)
        : Label(text: "time →", x: start, y: top + 13, look: .note))
    height = top + 18 + Self.margin - 6
  }

  /// Places a row, and moves `top` to the beginning of the next one.
  private mutating func place(
    _ row: TimelineRow, at top: inout Double, end: Double, _ numbers: [Int: Int]
  ) {
    var placed = Row(who: row.who, top: top)
    let middle = top + 19
    let names = TextMetrics.lines(of: row.who, width: nameWidth, size: 14, limit: 2)
    for (index, name) in names.enumerated() {
      let y = middle + 5 + (Double(index) - Double(names.count - 1) / 2) * Self.line
      placed.labels.append(Label(text: name, x: Self.margin, y: y, look: .name))
    }
    func x(_ column: Int?, or other: Double) -> Double { column.map { columns[$0] } ?? other }
    let start = Self.margin + nameWidth + 12
    for visit in row.visits {
      placed.bars.append(
        Bar(
          x: x(visit.start, or: start), end: x(visit.end, or: end), middle: middle,
          isNested: false, opensLeft: visit.start == nil, opensRight: visit.end == nil))
    }
    for wait in row.waits {
      // A wait without an end is drawn as far as a visit without an end.
      placed.waits.append(
        Wait(
          x: columns[wait.start], end: x(wait.end, or: end + Self.tail - 4), middle: middle))
    }
    for nesting in row.nestings {
      let bar = Bar(
        x: x(nesting.start, or: start), end: x(nesting.end, or: end), middle: middle,
        isNested: true, opensLeft: nesting.start == nil, opensRight: nesting.end == nil)
      placed.bars.append(bar)
      let count = Label(
        text: "×\(nesting.depth)", x: (bar.x + bar.end) / 2, y: middle + 4.5, look: .count)
      let isCovered = row.marks.contains {
        abs(columns[$0.column] - count.x) < count.width / 2 + 8
      }
      if count.width + 4 <= bar.end - bar.x, !isCovered { placed.labels.append(count) }
    }
    top += 38
    if isNumbered {
      number(row, in: &placed, middle: middle, &top, numbers)
    } else {
      label(row, in: &placed, middle: middle, &top)
    }
    rows.append(placed)
  }

  /// Places marks, with their labels like stairs below them.
  private mutating func label(
    _ row: TimelineRow, in placed: inout Row, middle: Double, _ top: inout Double
  ) {
    let labels = row.marks.map { mark in
      let lines = Self.lines(of: mark.what)
      return MarkLabels.Label(
        x: columns[mark.column] - 3, lines: lines, width: Self.width(lines))
    }
    let stairs = MarkLabels(labels)
    self.stairs = max(self.stairs, stairs.lineCount)
    for (index, label) in labels.enumerated() {
      let first = top + Double(stairs.firstLines[index]) * Self.line
      placed.dots.append(
        Dot(
          x: label.x + 3, y: middle, radius: 5, isNumbered: false,
          lineEnd: label.lines.isEmpty ? nil : first))
      for (line, text) in label.lines.enumerated() {
        placed.labels.append(
          Label(text: text, x: label.x, y: first + 12 + Double(line) * Self.line, look: .mark))
      }
    }
    if stairs.lineCount > 0 { top += Double(stairs.lineCount) * Self.line + 6 }
  }

  /// Places numbered marks, and the meanings of the numbers below the row.
  private func number(
    _ row: TimelineRow, in placed: inout Row, middle: Double, _ top: inout Double,
    _ numbers: [Int: Int]
  ) {
    let start = Self.margin + nameWidth + 12
    let room = width - Self.margin - start
    var x = start
    for mark in row.marks {
      let number = numbers[mark.column] ?? 0
      placed.dots.append(
        Dot(
          x: columns[mark.column], y: middle, radius: min(10, step / 2), isNumbered: true,
          lineEnd: nil))
      placed.labels.append(
        Label(text: "\(number)", x: columns[mark.column], y: middle + 4.5, look: .number))
      let lines = TextMetrics.lines(
        of: "\(number) · \(mark.what)", width: room, size: 13, limit: 2)
      let width = Self.width(lines)
      if x > start, x + width > start + room || lines.count > 1 {
        x = start
        top += Self.line
      }
      for (line, text) in lines.enumerated() {
        if line > 0 { top += Self.line }
        placed.labels.append(Label(text: text, x: x, y: top + 12, look: .mark))
      }
      x += width + 14
    }
    if !row.marks.isEmpty { top += Self.line + 6 }
  }

  /// The right end of the rightmost mark label.
  private func labelEnd(_ rows: [TimelineRow]) -> Double? {
    rows.flatMap(\.marks).map { columns[$0.column] - 3 + Self.width(Self.lines(of: $0.what)) }
      .max()
  }

  private static func lines(of what: String) -> [String] {
    TextMetrics.lines(of: what, width: widestLabel, size: 13, limit: 3)
  }

  private static func width(_ lines: [String]) -> Double {
    lines.map { TextMetrics.width($0, size: 13) }.max() ?? 0
  }

  /// The numbers of the marks by column, in the order of the events.
  private static func numbers(_ rows: [TimelineRow]) -> [Int: Int] {
    let columns = rows.flatMap(\.marks).map(\.column).sorted()
    return Dictionary(uniqueKeysWithValues: zip(columns, 1...))
  }
}
