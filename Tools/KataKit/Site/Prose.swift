/// Plain text of the catalogue or of a spec, as one line of Markdown.
///
/// What is plainly code stands between backticks, and nothing else means anything to Markdown.
struct Prose {
  let markdown: String

  init(_ text: String) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    var pieces: [CodeSpotter.Piece] = []
    // What somebody has put between backticks is code, whatever it looks like.
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let isQuoted = index % 2 == 1 && index < parts.count - 1
      // The last one of an odd number quotes nothing.
      if index % 2 == 1, !isQuoted { pieces.append(.text("`")) }
      guard !part.isEmpty else { continue }
      pieces += isQuoted ? [.code(String(part))] : CodeSpotter(String(part)).pieces
    }
    let markdown = pieces.map { piece in
      switch piece {
      case .code(let code): Self.code(code)
      case .text(let text): Self.escaped(text)
      }
    }.joined()
    self.markdown = Self.withPlainBeginning(markdown)
  }

  /// The line for a cell of a table, which a bar would end, in code too.
  var cell: String {
    var cell = ""
    for character in markdown {
      if character == "|", cell.last != "\\" { cell.append("\\") }
      cell.append(character)
    }
    return cell
  }

  /// Code in a line of text.
  ///
  /// Two backticks would make a link to a symbol of it, so code with a backtick in it gets three.
  static func code(_ text: String) -> String {
    text.contains("`") ? "``` \(text) ```" : "`\(text)`"
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
      .replacing("\\", with: "").replacing("\"", with: "'")
  }
}

extension String {
  /// The text with a capital at its beginning, unless it begins with code.
  var sentenceCased: String {
    guard let word = split(separator: " ").first, !CodeSpotter(String(word)).beginsWithCode else {
      return self
    }
    return prefix(1).uppercased() + dropFirst()
  }
}
