import Foundation

/// An error of the compiler's, as it stands in a build log.
public struct CompilerMessage: Codable, Equatable, Sendable {
  /// The file, as the compiler names it.
  public let file: String
  public let line: Int
  public let column: Int
  /// What the compiler says.
  public let message: String
  /// The line of source and the marks below it.
  public let excerpt: [String]

  /// The errors in a log with `-diagnostic-style=llvm`, each once.
  static func errors(in log: String) -> [CompilerMessage] {
    var messages: [CompilerMessage] = []
    let lines = log.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (index, line) in lines.enumerated() {
      guard
        let match = line.wholeMatch(of: #/(/.*?):(\d+):(\d+): (?:fatal )?error: (.*)/#),
        let row = Int(match.2), let column = Int(match.3)
      else { continue }
      let excerpt = lines[(index + 1)...].prefix(2)
        .prefix {
          !$0.isEmpty && $0.firstMatch(of: #/^/.*?:\d+:\d+: |^\[\d+\/\d+\] |^error: /#) == nil
        }
      let message = CompilerMessage(
        file: String(match.1), line: row, column: column, message: String(match.4),
        excerpt: Array(excerpt))
      if !messages.contains(where: { $0.isSame(as: message) }) { messages.append(message) }
    }
    return messages
  }

  /// The compiler repeats an error for every job that meets it.
  private func isSame(as other: CompilerMessage) -> Bool {
    file == other.file && line == other.line && column == other.column && message == other.message
  }
}
