/// Types of a module of references that answers to another kata of that module build on.
package struct BorrowedTypes {
  private let types: [String]
  private let module: String

  init(_ types: [String], from module: Module) {
    self.types = types
    self.module = module.rawValue
  }

  /// A source text that imports the module and names these types in full.
  ///
  /// Comments and string literals are left as they are, and so is what is named in full already.
  package func named(in source: String) -> String {
    guard !types.isEmpty else { return source }
    var text = source.replacing(Self.token) { match in
      let token = source[match.range]
      let isMention = types.contains { token == $0 || token.hasPrefix("\($0).") }
      return isMention ? "\(module).\(token)" : String(token)
    }
    let line = "import \(module)\n"
    guard !text.hasPrefix(line), !text.contains("\n\(line)") else { return text }
    if let first = text.firstMatch(of: #/(?m)^import /#) {
      text.insert(contentsOf: line, at: first.range.lowerBound)
    } else {
      text = "\(line)\n\(text)"
    }
    return text
  }

  /// A comment, a string literal, a name in backticks, or a name with the members behind it.
  private static var token: Regex<Substring> {
    #/(?s)\/\/[^\n]*|\/\*.*?\*\/|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|`[^`\n]*`|[\w.]+/#
  }
}

extension Kata {
  /// What its answers build on of its own module's references; what is another's needs no name in full.
  package var borrowedTypes: BorrowedTypes {
    BorrowedTypes(buildsOn.filter { !$0.contains(".") }, from: module)
  }
}

extension Repository {
  /// The text of a kata's reference as it stands in `Katas/`.
  ///
  /// What it builds on comes from the module of references there, and is named in full.
  package func referenceAsAnswer(to kata: Kata) throws -> String {
    kata.borrowedTypes.named(in: try text(referencePath(of: kata)))
  }
}
