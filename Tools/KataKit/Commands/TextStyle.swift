import Foundation

/// How text is set: with colours or without, and how wide.
package struct TextStyle: Sendable {
  /// Whether colours may be used.
  package let hasColours: Bool
  /// The number of columns.
  package let width: Int
  /// Whether what is longer is cut, as on a screen, and not wrapped.
  private let cutsLines: Bool

  package init(hasColours: Bool, width: Int = 80, cutsLines: Bool = false) {
    self.hasColours = hasColours
    self.cutsLines = cutsLines
    self.width = max(24, min(width, 100))
  }

  package func good(_ text: String) -> String { coloured(text, 32) }
  package func bad(_ text: String) -> String { coloured(text, 31) }
  package func bold(_ text: String) -> String { coloured(text, 1) }
  package func dim(_ text: String) -> String { coloured(text, 2) }

  private func coloured(_ text: String, _ code: Int) -> String {
    hasColours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// A place in a file, behind so many columns: "Tests/…/PhotoStoreTests.swift:52" where all of it would be cut.
  ///
  /// Folders give way first, then the beginning of the file's name, and never the line.
  package func place(_ path: String, _ position: String, indent: Int) -> String {
    let room = width - indent - position.count - 1
    guard cutsLines, path.count > room else { return "\(path):\(position)" }
    let parts = path.split(separator: "/")
    let short = parts.count > 2 ? "\(parts[0])/…/\(parts[parts.count - 1])" : path
    let fitting = short.count > room ? "…" + short.suffix(max(0, room - 1)) : short
    return "\(fitting):\(position)"
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
