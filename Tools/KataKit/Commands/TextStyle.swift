import Foundation

/// How text is set: with colours or without, and how wide.
package struct TextStyle: Sendable {
  /// Whether colours may be used.
  package let hasColours: Bool
  /// The number of columns.
  package let width: Int

  package init(hasColours: Bool, width: Int = 80) {
    self.hasColours = hasColours
    self.width = max(24, min(width, 100))
  }

  package func good(_ text: String) -> String { coloured(text, 32) }
  package func bad(_ text: String) -> String { coloured(text, 31) }
  package func bold(_ text: String) -> String { coloured(text, 1) }
  package func dim(_ text: String) -> String { coloured(text, 2) }

  private func coloured(_ text: String, _ code: Int) -> String {
    hasColours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// Breaks paragraphs into lines.
  ///
  /// A line that begins with a space is part of a picture and stays as it is.
  package func reflow(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.isEmpty { return "" }
      if line.hasPrefix(" ") { return margin + line }
      var lines: [String] = []
      var current = ""
      for word in line.split(separator: " ") {
        if !current.isEmpty, indent + current.count + 1 + word.count > width {
          lines.append(margin + current)
          current = ""
        }
        current += (current.isEmpty ? "" : " ") + word
      }
      lines.append(margin + current)
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
