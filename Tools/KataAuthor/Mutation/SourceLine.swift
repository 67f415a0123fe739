/// A line of a Swift source, with what in it is code.
struct SourceLine {
  let text: String
  /// The line with spaces for its comment and for what its string literals hold: as long, character by
  /// character.
  let code: String
  /// How many more brackets of any kind it opens than it closes.
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

  /// Whether it says what its caller must see to.
  var isPrecondition: Bool { words.hasPrefix("precondition(") }

  var indent: Int { code.prefix { $0 == " " }.count }

  /// What stands in the text where a piece of the code stands.
  func text(of piece: Substring) -> String {
    let start = code.distance(from: code.startIndex, to: piece.startIndex)
    return String(text.dropFirst(start).prefix(piece.count))
  }

  /// The text with what a pattern finds in the code replaced; an element for each place where it stands.
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
