/// The edits that make mutants: parts are left out, moved, inverted or replaced.
struct MutationRules {
  typealias NamedEdit = (name: String, text: String)

  private let source: SourceStatements

  init(_ source: String) {
    self.source = SourceStatements(source)
  }

  var edits: [NamedEdit] {
    source.statements.flatMap(editsOfStatement) + source.lines.indices.flatMap(editsOfLine)
      + pairsOfNotices + TypeRules(source).edits
  }

  // MARK: - Statements

  private func editsOfStatement(_ statement: SourceStatements.Statement) -> [NamedEdit] {
    let quotation = source.quotation(of: statement)
    let words = source.lines[statement.lines.lowerBound].words
    let texts = lines(statement.lines)
    guard !isTold(statement) else { return [] }
    var edits: [NamedEdit] = []
    if words.prefixMatch(of: #/(let|var)\b/#) == nil {
      edits.append(("left out: \(quotation)", replaced(statement.lines, by: [])))
    }
    if statement.lines.count == 1, words.wholeMatch(of: #/[\w.?!]+\(.*\)/#) != nil,
      words.wholeMatch(of: Self.idempotent) == nil
    {
      edits.append(("made twice: \(quotation)", replaced(statement.lines, by: texts + texts)))
    }
    if let next = source.next(after: statement), !(isStored(statement) && isStored(next)),
      !isTold(next)
    {
      edits.append(
        (
          "swapped with the next: \(quotation)",
          replaced(
            statement.lines.lowerBound..<next.lines.upperBound, by: lines(next.lines) + texts)
        ))
    }
    // In Swift's regular expressions "lock.withLock" is one word.
    if words.contains(#/(withLock|sync|async)\b.*\{/#) {
      edits += editsOfSection(statement, quotation)
    }
    return edits
  }

  /// Whether a statement only stores an argument, so that its position doesn't matter.
  private func isStored(_ statement: SourceStatements.Statement) -> Bool {
    source.lines[statement.lines.lowerBound].words.wholeMatch(of: #/self\.(\w+) = \1/#) != nil
  }

  /// Whether a statement isn't worth moving: a precondition ends the process if it fails, and the
  /// superclass's initialiser is called implicitly anyway.
  private func isTold(_ statement: SourceStatements.Statement) -> Bool {
    let line = source.lines[statement.lines.lowerBound]
    return line.isPrecondition || line.words == "super.init()"
  }

  /// Calls that have no effect the second time, by their contract.
  private static var idempotent: Regex<(Substring, Substring)> {
    #/(?:[\w.?]+\.)?(broadcast\(\)|cancel\(\)|finish\(\)|addDependency\(\w+\))/#
  }

  /// Whether a statement wakes all threads that wait for a condition, which needs no lock.
  private func isBroadcast(_ statement: SourceStatements.Statement) -> Bool {
    source.lines[statement.lines.lowerBound].words.wholeMatch(of: #/[\w.]+\.broadcast\(\)/#) != nil
  }

  /// Moves a statement into or out of a critical section at either end, and splits the section.
  private func editsOfSection(
    _ section: SourceStatements.Statement, _ quotation: String
  ) -> [NamedEdit] {
    let body = source.body(of: section)
    guard section.lines.count > 2, let first = body.first, let last = body.last else { return [] }
    let (start, end) = (section.lines.lowerBound, section.lines.upperBound)
    let head = lines(start..<start + 1)
    let foot = lines(end - 1..<end)
    func indented(_ range: Range<Int>, by columns: Int) -> [String] {
      lines(range).map { columns > 0 ? "  \($0)" : String($0.dropFirst(2)) }
    }
    var edits: [NamedEdit] = [
      (
        "the first statement before the section: \(quotation)",
        replaced(
          section.lines,
          by: indented(first.lines, by: -2) + head + lines(first.lines.upperBound..<end))
      )
    ]
    if !isBroadcast(last) {
      edits.append(
        (
          "the last statement behind the section: \(quotation)",
          replaced(
            section.lines,
            by: lines(start..<last.lines.lowerBound) + foot + indented(last.lines, by: -2))
        ))
    }
    if let next = source.next(after: section) {
      edits.append(
        (
          "the next statement into the section: \(quotation)",
          replaced(
            start..<next.lines.upperBound,
            by: lines(start..<end - 1) + indented(next.lines, by: 2) + foot)
        ))
    }
    if let before = source.statements.last(where: {
      $0.lines.upperBound == start && $0.indent == section.indent
    }) {
      edits.append(
        (
          "the statement before into the section: \(quotation)",
          replaced(
            before.lines.lowerBound..<end,
            by: head + indented(before.lines, by: 2) + lines(start + 1..<end))
        ))
    }
    for statement in body.dropFirst() where !isBroadcast(statement) {
      let place = statement.lines.lowerBound
      edits.append(
        (
          "split before \(source.quotation(of: statement)): \(quotation)",
          replaced(section.lines, by: lines(start..<place) + foot + head + lines(place..<end))
        ))
    }
    return edits
  }

  // MARK: - Lines

  /// Edits within one line.
  private func editsOfLine(_ number: Int) -> [NamedEdit] {
    let line = source.lines[number]
    guard line.words.prefixMatch(of: Self.interface) == nil else { return [] }
    let quotation = line.text.drop { $0 == " " }
    func edits(_ rule: String, _ texts: [String]) -> [NamedEdit] {
      texts.map { ("\(rule): \(quotation)", replaced(number..<number + 1, by: [$0])) }
    }
    // Only comparisons change: an inverted precondition would end the process.
    if line.isPrecondition {
      return edits(
        "moved by one", line.replacing(#/ (<=|>=) /#) { Self.movedComparison[String($0.1)] })
    }
    return edits("negated", negations(of: line))
      + edits(
        "moved by one", line.replacing(#/ (<=|>=|<|>) /#) { Self.movedComparison[String($0.1)] })
      + edits("turned round", line.replacing(#/ (==|!=|&&|\|\|) /#) { Self.turned[String($0.1)] })
      + edits("sync for async", line.replacing(#/\.async\b(?!A)/#) { _ in ".sync" })
      + edits("async for sync", line.replacing(#/\.sync\b/#) { _ in ".async" })
      + edits(
        "no barrier",
        line.replacing(#/\(flags: \.barrier\)|, flags: \.barrier|flags: \.barrier, /#) { _ in "" }
          + line.replacing(#/\[\.barrier\]/#) { _ in "[]" })
      + edits(
        "another constant",
        line.replacing(#/[\w.$]+/#) { Int($0.0).map { $0 == 0 ? "1" : "0" } }
          + line.replacing(#/[\w.$]+/#) { Int($0.0).map { "\($0 + 1)" } }
          + line.replacing(#/\b(true|false)\b/#) { $0.1 == "true" ? "false" : "true" })
      + edits(
        "a global queue",
        line.replacing(#/\w*[qQ]ueue(?=\.a?sync\b|,|\))/#) { _ in "DispatchQueue.global()" })
      + edits("the error is swallowed", line.replacing(#/\btry (?![?!])/#) { _ in "try? " })
      + edits("held weakly", line.replacing(#/\[self\] in$/#) { _ in Self.weakly })
      + edits("held strongly", line.replacing(#/\[weak (\w+)\]/#) { "[\($0.1)]" })
  }

  private static let weakly = "[weak self] in guard let self else { return }"

  private static let movedComparison = [
    "<": " <= ", "<=": " < ", ">": " >= ", ">=": " > ",
  ]

  private static let turned = ["==": " != ", "!=": " == ", "&&": " || ", "||": " && "]

  /// Lines that are compiled into users of a type.
  private static var interface: Regex<Substring> {
    #/(?:public|open|import|\/\/|extension|@).*/#
  }

  /// Conditions with one of them inverted at a time.
  private func negations(of line: SourceLine) -> [String] {
    line.replacing(#/\b(if|guard|while) (.+?)(?= else \{| \{)/#) { match in
      let clauses = String(match.2)
      let isOne = clauses.firstMatch(of: #/\b(let|var|case)\b|, |#/#) == nil
      return isOne ? "\(match.1) !(\(clauses))" : nil
    }
      + line.replacing(#/, ([^,{]+?)(?=,| else \{| \{)/#) { match in
        guard line.words.prefixMatch(of: #/(if|guard|while)\b/#) != nil else { return nil }
        return match.1.firstMatch(of: #/\b(let|var|case)\b/#) == nil ? ", !(\(match.1))" : nil
      }
  }

  // MARK: - Notifications

  /// A *will* left out together with its *did*.
  private var pairsOfNotices: [NamedEdit] {
    let will = source.lines.indices.filter {
      source.lines[$0].code.contains("willChangeValue(")
    }
    return will.compactMap { first in
      let key = source.lines[first].text.split(separator: "willChangeValue").last ?? ""
      let did = source.lines.indices.first {
        $0 > first && source.lines[$0].text.contains("didChangeValue\(key)")
      }
      guard let did else { return nil }
      let texts = source.lines.indices.filter { $0 != first && $0 != did }
        .map { source.lines[$0].text }
      let quotation = source.lines[first].text.drop { $0 == " " }
      return ("left out with its did: \(quotation)", texts.joined(separator: "\n"))
    }
  }

  // MARK: - Texts

  private func lines(_ range: Range<Int>) -> [String] { source.lines[range].map(\.text) }

  private func replaced(_ range: Range<Int>, by new: [String]) -> String {
    (lines(0..<range.lowerBound) + new + lines(range.upperBound..<source.lines.count))
      .joined(separator: "\n")
  }
}
