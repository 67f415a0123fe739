/// The declarations of a file for other files, read without the compiler, which may have refused
/// it.
struct WrittenDeclarations {
  struct Declaration {
    let line: Int
    /// What it declares, without its modifiers: "func update", "init", "var photos".
    let name: String
    /// Its signature in one line, without its body.
    let text: String

    /// Whether its type is inferred by the compiler.
    fileprivate var isInferred: Bool { text.hasSuffix(name) && !text.contains(":") }

    fileprivate var isType: Bool {
      name.contains(#/^(?:class|struct|enum|actor|protocol) /#)
    }

    /// What other files see of it: no internal parameter names and no defaults; of a type only its
    /// name.
    fileprivate var seen: String {
      isType
        ? name
        : text.replacing(#/([(,] ?\w+) \w+:/#) { "\($0.1):" }.replacing(#/ = [^,)]*/#, with: "")
    }
  }

  let all: [Declaration]

  /// Reads the declarations that are public, or that override public ones.
  init(_ source: String) {
    var all: [Declaration] = []
    var open: (line: Int, text: String)?
    let lines = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      let text = code.split(separator: " ").joined(separator: " ")
      if let begun = open {
        open?.text += (begun.text.hasSuffix("(") || text.hasPrefix(")") ? "" : " ") + text
      } else if text.contains(#/^(@[\w()]+ )*(public|open|package|override) /#) {
        open = (index + 1, text)
      }
      guard let begun = open, Self.isWhole(begun.text) else { continue }
      open = nil
      if let declaration = Self.declaration(begun.text, line: begun.line) {
        all.append(declaration)
      }
    }
    self.all = all
  }

  private static func isWhole(_ text: String) -> Bool {
    text.count { $0 == "(" } <= text.count { $0 == ")" } && !text.hasSuffix(",")
  }

  private static func declaration(_ text: String, line: Int) -> Declaration? {
    var signature = String(text.prefix { $0 != "{" })
    // A default closure of a parameter was removed with the body.
    if !isWhole(signature) { signature = signature.replacing(#/ ?= ?$/#, with: "") + ")" }
    let pattern =
      #/\b((?:func|var|let|class|struct|enum|actor|protocol|typealias) [^\s(:<]+|init|subscript)/#
    guard let name = signature.firstMatch(of: pattern)?.1 else { return nil }
    if name.hasPrefix("var ") || name.hasPrefix("let ") {
      signature = String(signature.prefix { $0 != "=" })
    }
    while signature.last == " " { signature.removeLast() }
    return Declaration(line: line, name: String(name), text: signature)
  }

  /// What this file lacks of another file's declarations.
  ///
  /// - Parameters:
  ///   - wanted: The declarations that other code was written for.
  ///   - messages: The compiler's errors in that code; declarations that they name come first.
  /// - Returns: A sentence about one declaration, with what this file has instead; nil if nothing
  ///   is missing.
  func sentence(lacking wanted: WrittenDeclarations, saying messages: [String]) -> String? {
    let missing = wanted.all.filter { declaration in
      !all.contains { $0.seen == declaration.seen || $0.name == declaration.name && $0.isInferred }
    }
    func isNamed(_ declaration: Declaration) -> Bool {
      let word = declaration.name.split(separator: " ").last.map(String.init) ?? ""
      return messages.contains { message in
        ["'", "(", "<"].contains { message.contains("'\(word)\($0)") }
      }
    }
    // A type is named in the errors for each of its missing members.
    let members = missing.filter { !$0.isType }
    let named = members.first(where: isNamed) ?? missing.first(where: isNamed)
    guard let lacking = named ?? members.first ?? missing.first else { return nil }
    let alike = all.filter { $0.name == lacking.name }
    // Of several with the same name, the one that the other file doesn't have.
    let known = Set(wanted.all.map(\.seen))
    guard let own = alike.first(where: { !known.contains($0.seen) }) else {
      return "The stub has `\(lacking.text)`, and your file doesn't."
    }
    return "The stub has `\(lacking.text)`; yours is `\(own.text)`, in line \(own.line)."
  }
}
