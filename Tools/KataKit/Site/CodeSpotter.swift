/// Finds in a line of English what is plainly Swift: `queue.async { … }`, `isReady`, `Array<Int>`.
///
/// It reads names, calls, trailing closures and operators between them, and statements in a row. A
/// word that could be English is left alone: `finish` is text and `finish()` is code.
struct CodeSpotter {
  /// A stretch of the line.
  enum Piece: Equatable {
    case text(String)
    case code(String)
  }

  private(set) var pieces: [Piece] = []
  private let line: [Character]

  init(_ line: String) {
    self.line = Array(line)
    var text = ""
    var index = 0
    while index < self.line.count {
      if isBeginning(index), let end = statements(at: index) {
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
        pieces.append(.code(String(self.line[index..<end])))
        index = end
        continue
      }
      // A word that isn't code is passed over whole.
      repeat {
        text.append(self.line[index])
        index += 1
      } while index < self.line.count && isWord(at: index) && isWord(at: index - 1)
    }
    if !text.isEmpty { pieces.append(.text(text)) }
  }

  var beginsWithCode: Bool {
    if case .code = pieces.first { true } else { false }
  }

  // MARK: - Statements

  private static let leaders: Set<String> = [
    "guard", "let", "var", "if", "while", "for", "return", "throw", "defer", "private", "switch",
    "nonisolated", "weak", "lazy", "case",
  ]

  /// The keywords that declare something and give it a value.
  private static let declarators: Set<String> = [
    "let", "var", "private", "nonisolated", "weak", "lazy",
  ]
  /// What tells a condition from an English sentence.
  private static let comparisons = [" !", " = ", " == ", " < ", " > "]

  /// The end of one statement or several with semicolons between them; nil where there is none.
  private func statements(at start: Int) -> Int? {
    guard var end = statement(at: start) else { return nil }
    // A lone name before a semicolon stands in an English sentence.
    guard line[start..<end].contains(where: { "({[=.".contains($0) }) else { return end }
    while text(at: end, is: "; "), let next = statement(at: end + 2, inRow: true) { end = next }
    return end
  }

  private func statement(at start: Int, inRow: Bool = false) -> Int? {
    ledStatement(at: start, inRow: inRow) ?? expression(at: start)
  }

  /// A statement that begins with a keyword: up to its last block, or over its assignment.
  ///
  /// Half of the keywords are English words, so it must have an operator or a block that tells.
  private func ledStatement(at start: Int, inRow: Bool) -> Int? {
    guard let word = name(at: start), Self.leaders.contains(String(line[start..<word])),
      text(at: word, is: " ")
    else { return nil }
    let first = String(line[start..<word])
    if first == "defer" { return block(at: word + 1) }
    if first == "return" || first == "throw" { return expression(at: word + 1, isPlain: inRow) }
    // "if isCancelled { … }"
    if let (end, _) = operand(at: word + 1), line[end - 1] == "}" { return withElse(end) }
    var hasOperator = first == "if" && text(at: word, is: " let ")
    for index in word..<line.count {
      if let end = block(at: index) {
        guard hasOperator else { return nil }
        return withElse(end)
      }
      // The end of an English sentence.
      if ".;".contains(line[index]), index + 1 == line.count || line[index + 1] == " " {
        return nil
      }
      if text(at: index, is: " = "), Self.declarators.contains(first) {
        return expression(at: index + 3, isPlain: true)
      }
      hasOperator =
        hasOperator || (first == "for" && text(at: index, is: " in "))
        || Self.comparisons.contains { text(at: index, is: $0) }
        || (first == "guard" && text(at: index, is: " else {"))
    }
    return nil
  }

  /// The end of a block with its alternative, where it has one.
  private func withElse(_ end: Int) -> Int {
    text(at: end, is: " else ") ? block(at: end + 6) ?? end : end
  }

  // MARK: - Expressions

  private static let operators = [
    " = ", " == ", " != ", " += ", " -= ", " < ", " > ", " <= ", " >= ", " && ", " || ", " ?? ",
    " -> ", " === ", " !== ", "..<", " + ", " * ", " % ", " ? ", " : ",
  ]

  /// The end of an expression that is plainly code; with `isPlain` of any expression.
  private func expression(at start: Int, isPlain: Bool = false) -> Int? {
    guard var (end, isCode) = operand(at: start) else { return nil }
    while let sign = Self.operators.first(where: { text(at: end, is: $0) }),
      let (next, _) = operand(at: end + sign.count)
    {
      end = next
      isCode = true
    }
    // A label and its value: "flags: .barrier".
    if !isCode, text(at: end, is: ": ."), let (next, _) = operand(at: end + 2) { return next }
    return isCode || isPlain ? end : nil
  }

  /// A name with what follows it, a literal or a block, and whether it's plainly code.
  private func operand(at start: Int) -> (end: Int, isCode: Bool)? {
    for prefix in ["try? ", "try! ", "try ", "await "] where text(at: start, is: prefix) {
      return operand(at: start + prefix.count).map { ($0.end, $0.isCode) }
    }
    guard start < line.count else { return nil }
    if line[start] == "!", let inner = operand(at: start + 1) { return (inner.end, true) }
    if let end = block(at: start) { return (end, true) }
    if line[start] == "[" || line[start] == "(" {
      return closing(of: start).map { end in
        let rest = chain(from: end)
        return (rest, line[start] == "[" || rest > end)
      }
    }
    if line[start].isNumber {
      var end = start
      while end < line.count, line[end].isNumber { end += 1 }
      return (end, text(at: end, is: "..<"))
    }
    var begin = start
    var isCode = false
    if "@#$.".contains(line[start]), start + 1 < line.count,
      line[start + 1].isLetter || (line[start] == "$" && line[start + 1].isNumber)
    {
      begin += 1
      isCode = true
    }
    guard var end = name(at: begin) else { return nil }
    let word = String(line[begin..<end])
    let last = chain(from: end)
    isCode = isCode || Self.isPlainlyName(word) || last > end
    end = last
    return ["e.g", "i.e"].contains(String(line[start..<end])) ? nil : (end, isCode)
  }

  /// The end of what follows a value: arguments, subscripts, members, trailing closures.
  private func chain(from start: Int) -> Int {
    var end = start
    while end < line.count {
      if line[end] == "(", let after = closing(of: end), !["s", "es"].contains(inside(end, after)) {
        end = after
      } else if line[end] == "[" || line[end] == "<", let after = closing(of: end) {
        end = after
      } else if text(at: end, is: "?["), let after = closing(of: end + 1) {
        end = after
      } else if let after = member(at: end) {
        end = after
      } else if text(at: end, is: " {"), let after = block(at: end + 1) {
        end = after
      } else {
        break
      }
    }
    return end
  }

  /// The end of ".name", "?.name" or "!.name".
  private func member(at start: Int) -> Int? {
    var dot = start
    if line[dot] == "?" || line[dot] == "!" { dot += 1 }
    guard dot + 1 < line.count, line[dot] == ".", line[dot + 1].isLowercase else { return nil }
    return name(at: dot + 1)
  }

  /// Whether a name can't be an English word: it has a capital inside it.
  private static func isPlainlyName(_ word: String) -> Bool {
    let names = ["iOS", "macOS", "GitHub", "SwiftPM", "DocC", "JUnit", "IDs", "URLs"]
    guard !names.contains(word), word.contains(where: \.isLowercase) else { return false }
    return word.dropFirst().contains(where: \.isUppercase)
  }

  // MARK: - Characters

  private func isWord(at index: Int) -> Bool {
    line[index].isLetter || line[index].isNumber || "_'’".contains(line[index])
  }

  /// Whether something may begin here: behind a space or an opening bracket.
  private func isBeginning(_ index: Int) -> Bool {
    index == 0 || " (“\"".contains(line[index - 1])
  }

  private func name(at start: Int) -> Int? {
    var end = start
    while end < line.count, line[end].isLetter || line[end].isNumber || line[end] == "_" {
      end += 1
    }
    return end > start && !line[start].isNumber
      || (end > start && start > 0 && line[start - 1] == "$")
      ? end : nil
  }

  private func text(at index: Int, is word: String) -> Bool {
    index >= 0 && index + word.count <= line.count
      && line[index..<(index + word.count)].elementsEqual(word)
  }

  /// The end of "{ … }"; nil where none begins here.
  private func block(at start: Int) -> Int? {
    start < line.count && line[start] == "{" ? closing(of: start) : nil
  }

  private func inside(_ start: Int, _ end: Int) -> String { String(line[(start + 1)..<(end - 1)]) }

  /// The index behind the bracket that closes the one at `start`.
  private func closing(of start: Int) -> Int? {
    let pairs: [Character: Character] = ["(": ")", "[": "]", "{": "}", "<": ">"]
    guard let closer = pairs[line[start]] else { return nil }
    var depth = 0
    for index in start..<line.count {
      if line[index] == line[start] { depth += 1 }
      if line[index] == closer { depth -= 1 }
      if depth == 0 { return index + 1 }
      // "a < b" isn't generic.
      if line[start] == "<", " .;".contains(line[index]) { return nil }
    }
    return nil
  }
}
