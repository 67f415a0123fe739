/// Plain text, such as a spec's sentence, as one line of Markdown.
///
/// What stands between backticks is code, and nothing else means anything to Markdown.
struct Prose {
  let markdown: String

  init(_ text: String) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    let markdown = parts.enumerated().map { index, part in
      if index.isMultiple(of: 2) { return Self.escaped(String(part)) }
      // The last one of an odd number quotes nothing.
      return index == parts.count - 1 ? "\\`\(Self.escaped(String(part)))" : "`\(part)`"
    }.joined()
    self.markdown = Self.withPlainBeginning(markdown)
  }

  /// Text in which no character means anything to Markdown.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if #"\`*_[]<>#|~&"#.contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }

  /// The line without what would make a list, a directive or a heading's rule of it.
  private static func withPlainBeginning(_ line: String) -> String {
    if let first = line.first, "-+=@:{}".contains(first) { return "\\" + line }
    if let number = line.prefixMatch(of: #/(\d+)([.)])/#) {
      return "\(number.1)\\\(number.2)\(line[number.range.upperBound...])"
    }
    return line
  }

  /// Text for an argument of a directive, which stands between quotes.
  static func argument(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
      .replacing(#/[\\`]/#, with: "").replacing("\"", with: "'")
  }
}

extension String {
  /// A line of Markdown for a cell of a table, which a bar would end, in code too.
  var cell: String {
    var cell = ""
    for character in self {
      if character == "|", cell.last != "\\" { cell.append("\\") }
      cell.append(character)
    }
    return cell
  }

  /// A line of Markdown with a capital at its beginning, unless it begins with code.
  var sentenceCased: String { prefix(1).uppercased() + dropFirst() }
}
