/// What a terminal shows, as far as the watch screen uses terminals.
///
/// A sequence that it doesn't know is kept in `unknown`, so that a test can object to it.
struct Screen {
  let columns: Int
  let rows: Int
  private(set) var hasCursor = true
  /// Whether the second screen is shown.
  private(set) var isSecond = false
  private(set) var unknown: [String] = []
  private var cells: [[Character]]
  /// What the first screen shows while the second stands before it, and where its cursor is.
  private var first: [[Character]]
  private var place = (row: 0, column: 0)
  private var row = 0
  private var column = 0
  private var pending: [UInt8] = []

  init(columns: Int, rows: Int, copying other: Screen? = nil) {
    self.columns = columns
    self.rows = rows
    cells = Self.blank(columns, rows)
    first = cells
    guard let other else { return }
    hasCursor = other.hasCursor
    isSecond = other.isSecond
    unknown = other.unknown
    pending = other.pending
    place = other.place
    for row in 0..<min(rows, other.rows) {
      for column in 0..<min(columns, other.columns) {
        cells[row][column] = other.cells[row][column]
        first[row][column] = other.first[row][column]
      }
    }
    row = min(other.row, rows - 1)
    column = min(other.column, columns - 1)
  }

  private static func blank(_ columns: Int, _ rows: Int) -> [[Character]] {
    [[Character]](repeating: [Character](repeating: " ", count: columns), count: rows)
  }

  /// The rows without the blanks at their ends.
  var lines: [String] {
    cells.map { row in
      String(row).replacing(#/ +$/#, with: "")
    }
  }

  var text: String { lines.joined(separator: "\n") }

  mutating func take(_ bytes: [UInt8]) {
    // Text that ends in the middle of a character or a sequence is kept for the next time.
    pending += bytes
    guard let text = String(validating: pending, as: UTF8.self) else { return }
    var rest = Substring(text)
    while let character = rest.first {
      if character == "\u{1B}" {
        guard let sequence = rest.prefixMatch(of: #/\u{1B}\[([?0-9;]*)([A-Za-z])/#) else { break }
        obey(String(sequence.2), String(sequence.1))
        rest = rest[sequence.range.upperBound...]
      } else {
        put(character)
        rest.removeFirst()
      }
    }
    pending = Array(rest.utf8)
  }

  private mutating func put(_ character: Character) {
    switch character {
    case "\r\n":
      column = 0
      feedLine()
    case "\r": column = 0
    case "\n": feedLine()
    default:
      if column >= columns {
        column = 0
        feedLine()
      }
      cells[row][column] = character
      column += 1
    }
  }

  /// Goes down a row; on the last one, everything goes up.
  private mutating func feedLine() {
    guard row == rows - 1 else {
      row += 1
      return
    }
    cells.removeFirst()
    cells.append([Character](repeating: " ", count: columns))
  }

  private mutating func obey(_ command: String, _ parameters: String) {
    switch (command, parameters) {
    case ("m", _): break
    case ("H", _):
      let place = parameters.split(separator: ";").compactMap { Int($0) }
      row = min(max(1, place.first ?? 1), rows) - 1
      column = min(max(1, place.count > 1 ? place[1] : 1), columns) - 1
    case ("K", ""): for column in column..<columns { cells[row][column] = " " }
    case ("J", ""):
      for column in column..<columns { cells[row][column] = " " }
      for row in (row + 1)..<max(row + 1, rows) {
        cells[row] = [Character](repeating: " ", count: columns)
      }
    case ("J", "2"): cells = Self.blank(columns, rows)
    case ("h", "?25"): hasCursor = true
    case ("l", "?25"): hasCursor = false
    case ("h", "?1049") where !isSecond:
      (first, place, isSecond) = (cells, (row, column), true)
      cells = Self.blank(columns, rows)
    case ("l", "?1049") where isSecond:
      (cells, isSecond) = (first, false)
      (row, column) = (min(place.row, rows - 1), min(place.column, columns - 1))
    default: unknown.append("ESC [ \(parameters) \(command)")
    }
  }
}
