/// A table in a format for spreadsheets.
///
/// Every cell is quoted. A cell that a spreadsheet would take for a formula gets an apostrophe in
/// front: a participant's name or message must not compute anything on the instructor's machine.
/// Source: RFC 4180; OWASP, "CSV Injection".
struct CSVTable {
  let header: [String]
  private(set) var rows: [[String]] = []

  init(header: [String]) {
    self.header = header
  }

  mutating func append(_ row: [String]) {
    precondition(row.count == header.count, "\(row.count) cells in a row of \(header.count)")
    rows.append(row)
  }

  var text: String {
    ([header] + rows).map { row in row.map(Self.cell).joined(separator: ",") + "\r\n" }.joined()
  }

  /// A quoted cell, in one line, since not every program supports more.
  static func cell(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    // A spreadsheet ignores leading spaces, and some ignore quotation marks of their own.
    let first = line.unicodeScalars.first { $0 != " " && $0.value >= 0x20 }
    let isFormula = first.map { formulaMarks.contains($0) } ?? false
    let isControl = line.unicodeScalars.first.map { $0.value < 0x20 } ?? false
    let safe = (isFormula || isControl ? "'" : "") + line
    return "\"\(safe.replacing("\"", with: "\"\""))\""
  }

  /// Characters that begin a formula, including the wide forms of East Asian keyboards.
  private static let formulaMarks: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]
}
