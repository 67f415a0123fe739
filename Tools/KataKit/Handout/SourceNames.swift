/// What a source file declares for others and what it mentions, as far as its text tells.
///
/// It relies on the project's format: what others can use is declared at the beginning of a line, or
/// two spaces in where it's in an extension of another file's type. In every doubt a file mentions
/// more than it uses, so that nothing is missing where only some files are taken along.
struct SourceNames {
  /// The types and functions that other files may use.
  private(set) var declared: Set<String> = []
  /// The members that it gives to others' types, by type.
  private(set) var members: [String: Set<String>] = [:]
  /// All words in it but those in comments.
  private(set) var mentioned: Set<String> = []
  /// The modules that it imports, or something of.
  private(set) var imported: Set<String> = []
  /// The names that it mentions in full, by module: `AsyncOperations.AsyncOperation`.
  private(set) var qualified: [String: Set<String>] = [:]

  private static let declaring: Set = [
    "class", "struct", "enum", "protocol", "typealias", "actor", "func", "let", "var",
  ]

  init(_ source: String) {
    var extended: String?
    for line in source.split(separator: "\n") {
      let code = Self.withoutComment(line)
      // With the sign of a macro, which is nobody's function.
      let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "#" }.map(
        String.init)
      guard let first = words.first else { continue }
      mentioned.formUnion(words)
      takeQualified(code)
      let isPrivate = words.contains("private") || words.contains("fileprivate")
      let depth = line.prefix { $0 == " " }.count
      if words.contains("import"), first == "import" || first.hasPrefix("_") {
        if let name = words.drop(while: { $0 != "import" }).dropFirst()
          .first(where: { !Self.declaring.contains($0) })
        {
          imported.insert(name)
        }
      } else if depth == 0 {
        extended = nil
        if words.contains("extension"), let name = Self.name(after: ["extension"], in: words) {
          extended = name
        } else if !isPrivate, let name = Self.name(after: Self.declaring, in: words) {
          declared.insert(name)
        }
      } else if depth == 2, !isPrivate, let extended,
        let name = Self.name(after: Self.declaring, in: words)
      {
        members[extended, default: []].insert(name)
      }
    }
    members = members.filter { !declared.contains($0.key) }
  }

  /// Whether it uses what `other` declares, as far as the names tell.
  func uses(_ other: SourceNames) -> Bool {
    !other.declared.isDisjoint(with: mentioned)
      || other.members.contains { type, names in
        mentioned.contains(type) && !names.isDisjoint(with: mentioned)
      }
  }

  private mutating func takeQualified(_ code: Substring) {
    for module in Module.allCases.map(\.rawValue) {
      for prefix in code.ranges(of: "\(module).") {
        // "AsyncOperations." isn't "Operations.".
        let before = code[..<prefix.lowerBound].last
        guard before?.isLetter != true else { continue }
        let name = code[prefix.upperBound...].prefix { $0.isLetter || $0.isNumber }
        qualified[module, default: []].insert(String(name))
      }
    }
  }

  private static func name(after keywords: Set<String>, in words: [String]) -> String? {
    guard let keyword = words.firstIndex(where: keywords.contains) else { return nil }
    return words[(keyword + 1)...].first
  }

  /// A line up to its comment; an address in a text isn't one.
  private static func withoutComment(_ line: Substring) -> Substring {
    var rest = line.startIndex
    while let slashes = line[rest...].firstRange(of: "//") {
      let isAddress =
        slashes.lowerBound > line.startIndex
        && line[line.index(before: slashes.lowerBound)] == ":"
      if !isAddress { return line[..<slashes.lowerBound] }
      rest = slashes.upperBound
    }
    return line
  }
}
