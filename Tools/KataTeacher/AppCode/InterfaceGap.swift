import KataKit

/// What a spec uses and code doesn't have so, and how an adapter would give it.
struct InterfaceGap {
  /// What the stub declares and the code lacks, in the stub's order.
  let missing: [Declarations.Declaration]
  /// What both declare, and not in the same words: what is expected, and what is there.
  let different: [(expected: String, found: String)]
  /// What else is in the spec's way, a sentence each.
  let obstacles: [String]
  private let kata: Kata
  private let sketch: AdapterSketch

  /// Compares what code declares with what the stub of a kata does, whose text is `stub`.
  init(between own: Declarations, and expected: Declarations, of kata: Kata, stub: String) {
    self.kata = kata
    missing = expected.all.filter { own.found($0.path) == nil && !$0.isInherited }
    different = expected.all.compactMap { declaration in
      guard let found = own.found(declaration.path), !declaration.isType,
        found.signature != declaration.signature
      else { return nil }
      return (declaration.qualified, found.qualified)
    }
    obstacles = expected.types.flatMap { type in
      own.type(type.path).map { Self.obstacles($0, expected: type, in: own) } ?? []
    }
    sketch = AdapterSketch(own: own, expected: expected, missing: missing, kata: kata, stub: stub)
  }

  /// The lines of an adapter to begin with.
  var adapter: [String] { sketch.lines }

  /// What keeps the spec from using a type of the code, though it bears the right name.
  private static func obstacles(
    _ found: Declarations.Declaration, expected: Declarations.Declaration, in own: Declarations
  ) -> [String] {
    let name = expected.path[0]
    if found.kind != expected.kind {
      return [
        "Your \(name) is a \(found.word), and the spec's is a \(expected.word): put one of that name "
          + "around yours."
      ]
    }
    var sentences: [String] = []
    if expected.isOpen, found.text.contains("final ") {
      sentences.append("Your \(name) is final, and the spec's operations are subclasses of it.")
    }
    if found.text.contains("@MainActor") {
      sentences.append("Your \(name) is the main actor's, and the spec calls it on other threads.")
    }
    let inits = own.members(of: found).filter { $0.kind == "swift.init" }
    if expected.isOpen, !inits.isEmpty, !inits.contains(where: { $0.path[1] == "init()" }) {
      sentences.append(
        "Your \(name) has no init() without arguments, which the spec's operations call.")
    }
    return sentences
  }

  /// What is said of it, in lines: what the spec uses, and an adapter to begin with; empty where nothing is
  /// known.
  var text: String {
    var parts = obstacles
    if !missing.isEmpty {
      parts.append(
        (["The spec of \(kata.name) uses, and your code doesn't have under that name:", ""]
          + missing.map { "    \($0.qualified)" }).joined(separator: "\n"))
    }
    if !different.isEmpty {
      parts.append(
        (["The spec of \(kata.name) uses, and your code has otherwise:", ""]
          + different.flatMap { ["    \($0.expected)", "    (yours: \($0.found))"] })
          .joined(separator: "\n"))
    }
    guard !parts.isEmpty else { return "" }
    parts.append(
      """
      Your code needn't change. Put an adapter into a file of its own, such as Adapter.swift, and
      name it with --adapter (with make: ADAPTER=Adapter.swift). It could begin so:
      """)
    parts.append(adapter.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n"))
    return parts.joined(separator: "\n\n")
  }
}

extension Declarations.Declaration {
  /// Whether it's what a superclass outside has already.
  var isInherited: Bool { text.contains("override ") }

  /// The declaration with its type's name, where it's a member.
  var qualified: String { path.count == 1 ? text : "\(path[0]): \(text)" }

  /// What kind of type it is, as one says it.
  var word: String { String(kind.dropFirst("swift.".count)) }

  /// The declaration but for the names that only its body knows.
  fileprivate var signature: String {
    text.replacing(#/([(,] ?\w+) \w+:/#) { "\($0.1):" }
      .replacing("@escaping ", with: "").replacing("@Sendable ", with: "")
      .replacing(#/^let /#, with: "var ")
  }
}
