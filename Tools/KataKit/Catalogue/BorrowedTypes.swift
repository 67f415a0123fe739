/// Reference types of a module that answers to another kata of that module use.
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

  /// A comment, a string literal, a name in backticks, or a name with its members.
  private static var token: Regex<Substring> {
    #/(?s)\/\/[^\n]*|\/\*.*?\*\/|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|`[^`\n]*`|[\w.]+/#
  }
}

extension Kata {
  /// The references of its own module that its answers use; types of other modules need no
  /// qualified name.
  package var borrowedTypes: BorrowedTypes {
    BorrowedTypes(buildsOn.filter { !$0.contains(".") }, from: module)
  }
}

extension Repository {
  /// The text of a kata's reference as an answer in `Katas/`.
  ///
  /// The references that it uses are imported from their module, and named in full.
  package func referenceAsAnswer(to kata: Kata) throws -> String {
    kata.borrowedTypes.named(in: try text(referencePath(of: kata)))
  }
}
