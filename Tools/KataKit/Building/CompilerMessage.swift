import Foundation

/// An error of the compiler, from a build log.
package struct CompilerMessage: Codable, Equatable, Sendable {
  /// The file, without symbolic links in its path.
  package let file: String
  package let line: Int
  package let column: Int
  /// The text of the error.
  package let message: String
  /// The line of source and the marks below it.
  package let excerpt: [String]
  /// The compiler's notes: where something was declared, what it suggests.
  package private(set) var notes: [Note] = []

  /// A note that the compiler adds to an error.
  package struct Note: Codable, Equatable, Sendable {
    /// The file, as the compiler names it.
    package let file: String
    package let line: Int
    package let message: String
  }

  package init(file: String, line: Int, column: Int, message: String, excerpt: [String]) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.excerpt = excerpt
  }

  /// The errors in a log with `-diagnostic-style=llvm`, each once, with their notes.
  static func errors(in log: String) -> [CompilerMessage] {
    var messages: [CompilerMessage] = []
    /// Whether notes belong to the last of the messages.
    var takesNotes = false
    let lines = log.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (index, line) in lines.enumerated() {
      guard
        let match = line.wholeMatch(
          of: #/(/.*?):(\d+):(\d+): (?:fatal )?(error|warning|note): (.*)/#),
        let row = Int(match.2), let column = Int(match.3)
      else { continue }
      // A package that the runner has written contains links to the sources.
      let file = String(match.1).withoutLinks ?? String(match.1)
      let text = String(match.5)
      switch match.4 {
      case "note":
        let note = Note(file: file, line: row, message: text)
        if takesNotes, !messages[messages.count - 1].notes.contains(note) {
          messages[messages.count - 1].notes.append(note)
        }
      case "error":
        let excerpt = lines[(index + 1)...].prefix(2)
          .prefix {
            !$0.isEmpty && $0.firstMatch(of: #/^/.*?:\d+:\d+: |^\[\d+\/\d+\] |^error: /#) == nil
          }
        let message = CompilerMessage(
          file: file, line: row, column: column, message: text, excerpt: Array(excerpt))
        takesNotes = !messages.contains { $0.isSame(as: message) }
        if takesNotes { messages.append(message) }
      default:
        takesNotes = false
      }
    }
    return messages
  }

  /// Whether two errors are the same: the compiler repeats an error in every job that meets it.
  private func isSame(as other: CompilerMessage) -> Bool {
    file == other.file && line == other.line && column == other.column && message == other.message
  }
}
