/// The statements of a Swift source, found by lines and brackets.
///
/// It's no parser: if it takes something else for a statement, the mutant doesn't compile.
struct SourceStatements {
  /// A statement: one line or several.
  struct Statement {
    let lines: Range<Int>
    let indent: Int
  }

  let lines: [SourceLine]
  /// In the order of their first lines; those in a block follow the one with the block.
  let statements: [Statement]

  init(_ source: String) {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
      .map { SourceLine(String($0)) }
    self.lines = lines
    statements = lines.indices.compactMap { first in
      guard Self.begins(lines[first]) else { return nil }
      var last = first
      var depth = lines[first].opens
      while last + 1 < lines.count, depth > 0 || Self.continues(lines[last + 1]) {
        last += 1
        depth += lines[last].opens
      }
      guard depth == 0 else { return nil }
      return Statement(lines: first..<last + 1, indent: lines[first].indent)
    }
  }

  /// The next statement in the same block.
  func next(after statement: Statement) -> Statement? {
    statements.first {
      $0.lines.lowerBound == statement.lines.upperBound && $0.indent == statement.indent
    }
  }

  /// The statements directly in the block of another one.
  func body(of statement: Statement) -> [Statement] {
    statements.filter {
      $0.indent == statement.indent + 2 && statement.lines.contains($0.lines.lowerBound)
    }
  }

  /// The first line of a statement, for names of mutants.
  func quotation(of statement: Statement) -> String {
    let first = lines[statement.lines.lowerBound].text.drop { $0 == " " }
    return statement.lines.count > 1 ? "\(first) …" : String(first)
  }

  private static func begins(_ line: SourceLine) -> Bool {
    let words = line.words
    guard line.indent >= 4, let first = words.first, !")]}.?:&|=+\"".contains(first) else {
      return false
    }
    let declaration =
      #/(public|private|fileprivate|internal|open|final|override|static|nonisolated|required|convenience|func|init|deinit|class|struct|enum|protocol|extension|import|case|default|else|typealias|associatedtype|subscript|get|set|@\w+|#\w+)\b.*/#
    return words.wholeMatch(of: declaration) == nil
  }

  private static func continues(_ line: SourceLine) -> Bool {
    line.words.prefixMatch(of: #/\.|\?|:|&&|\|\||else\b|\{|\+|==/#) != nil
  }
}
