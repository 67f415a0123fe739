/// A line of a Swift source, and its code without comments and literals.
struct SourceLine {
  let text: String
  /// The line with its comment and the contents of string literals replaced by spaces, with the
  /// same length.
  let code: String
  /// How many more brackets it opens than it closes.
  let opens: Int

  init(_ text: String) {
    self.text = text
    var code = ""
    var opens = 0
    var isString = false
    var isComment = false
    var isEscaped = false
    let characters = Array(text)
    for (index, character) in characters.enumerated() {
      if !isString, character == "/", characters.dropFirst(index + 1).first == "/" {
        isComment = true
      }
      if isComment {
        code.append(" ")
      } else if isString {
        isString = isEscaped || character != "\""
        isEscaped = character == "\\" && !isEscaped
        code.append(isString ? " " : character)
      } else {
        isString = character == "\""
        if "([{".contains(character) { opens += 1 }
        if ")]}".contains(character) { opens -= 1 }
        code.append(character)
      }
    }
    self.code = code
    self.opens = opens
  }

  /// The code without the spaces around it.
  var words: Substring { code.drop { $0 == " " }.trimmingSuffix { $0 == " " } }

  /// Whether it's a precondition.
  var isPrecondition: Bool { words.hasPrefix("precondition(") }

  var indent: Int { code.prefix { $0 == " " }.count }

  /// The text at the position of a piece of the code.
  func text(of piece: Substring) -> String {
    let start = code.distance(from: code.startIndex, to: piece.startIndex)
    return String(text.dropFirst(start).prefix(piece.count))
  }

  /// The line with one match of a pattern in the code replaced; an element for each match.
  func replacing<Output>(
    _ pattern: some RegexComponent<Output>, with replacement: (Regex<Output>.Match) -> String?
  ) -> [String] {
    code.matches(of: pattern).compactMap { match in
      guard let new = replacement(match) else { return nil }
      let before = code.distance(from: code.startIndex, to: match.range.lowerBound)
      let after = code.distance(from: code.startIndex, to: match.range.upperBound)
      return text.prefix(before) + new + text.dropFirst(after)
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while isPadding: (Character) -> Bool) -> Substring {
    var text = self
    while let last = text.last, isPadding(last) { text.removeLast() }
    return text
  }
}
