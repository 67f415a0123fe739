/// A sentence of the catalogue for a page of the documentation.
///
/// The catalogue's sentences are plain text, in which code may stand between backticks. On a page what
/// stands between a pair of backticks is code, and everything else reads as it does in a terminal.
struct MarkdownText {
  /// The sentence in one line, in which nothing but code means anything to Markdown or DocC.
  let text: String

  init(_ plain: String) {
    let line = plain.split(whereSeparator: \.isNewline).joined(separator: " ")
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    // An odd number of backticks encloses nothing.
    guard !parts.count.isMultiple(of: 2) else {
      text = Self.escaped(line)
      return
    }
    text = parts.enumerated().map { index, part in
      // A bar ends a table's cell in code, too.
      index.isMultiple(of: 2) ? Self.escaped(part) : "`\(part.replacing("|", with: "\\|"))`"
    }.joined()
  }

  /// The characters that Markdown or DocC could take for more than themselves.
  ///
  /// What counts at the beginning of a line alone (a heading, a list) needs nothing, since no sentence
  /// begins with it; but one may well begin with the `@` of an attribute, which DocC takes for a
  /// directive.
  private static let special = Set("\\`*_[]<>|~&@")

  private static func escaped(_ text: some StringProtocol) -> String {
    text.map { special.contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
