/// Plain text, such as a spec's sentence, as one line of Markdown.
///
/// Text between backticks is code; other characters have no meaning in Markdown.
struct Prose {
  let markdown: String

  init(_ text: String) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    let markdown = parts.enumerated().map { index, part in
      if index.isMultiple(of: 2) { return Self.escaped(String(part)) }
      // The last backtick of an odd number begins no code.
      return index == parts.count - 1 ? "\\`\(Self.escaped(String(part)))" : "`\(part)`"
    }.joined()
    self.markdown = Self.withPlainBeginning(markdown)
  }

  /// Text with all characters escaped that have a meaning in Markdown.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if #"\`*_[]<>#|~&"#.contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }

  /// The line without a beginning that would make it a list, a directive or a heading's underline.
  private static func withPlainBeginning(_ line: String) -> String {
    if let first = line.first, "-+=@:{}".contains(first) { return "\\" + line }
    if let number = line.prefixMatch(of: #/(\d+)([.)])/#) {
      return "\(number.1)\\\(number.2)\(line[number.range.upperBound...])"
    }
    return line
  }

  /// Text for an argument of a directive, inside quotes.
  static func argument(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
      .replacing(#/[\\`]/#, with: "").replacing("\"", with: "'")
  }
}

extension String {
  /// A line of Markdown for a table cell, with bars escaped, in code too.
  var cell: String {
    var cell = ""
    for character in self {
      if character == "|", cell.last != "\\" { cell.append("\\") }
      cell.append(character)
    }
    return cell
  }

  /// A line of Markdown with an initial capital, unless it begins with code.
  var sentenceCased: String { prefix(1).uppercased() + dropFirst() }
}
