import KataKit

/// How code differs from what a spec uses, and an adapter that could close the gap.
struct InterfaceGap {
  /// Declarations of the stub that the code lacks, in the stub's order.
  let missing: [Declarations.Declaration]
  /// Declarations that both have in different forms: the expected one and the one found.
  let different: [(expected: String, found: String)]
  /// Other obstacles for the spec, in a sentence each.
  let obstacles: [String]
  private let kata: Kata
  private let sketch: AdapterSketch

  /// Compares the code's declarations with those of a kata's stub, whose text is `stub`.
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

  /// The lines of a first adapter.
  var adapter: [String] { sketch.lines }

  /// What keeps the spec from using a type of the code, though it bears the right name.
  private static func obstacles(
    _ found: Declarations.Declaration, expected: Declarations.Declaration, in own: Declarations
  ) -> [String] {
    let name = expected.path[0]
    if found.kind != expected.kind {
      return [
        "Your \(name) is a \(found.word), and the spec's is a \(expected.word): wrap yours in one with "
          + "that name."
      ]
    }
    var sentences: [String] = []
    if expected.isOpen, found.text.contains("final ") {
      sentences.append("Your \(name) is final, but the spec's operations are subclasses of it.")
    }
    if found.text.contains("@MainActor") {
      sentences.append(
        "Your \(name) is isolated to the main actor, but the spec calls it on other threads.")
    }
    let inits = own.members(of: found).filter { $0.kind == "swift.init" }
    if expected.isOpen, !inits.isEmpty, !inits.contains(where: { $0.path[1] == "init()" }) {
      sentences.append(
        "Your \(name) has no init() without arguments, but the spec's operations call it.")
    }
    return sentences
  }

  /// The gap in lines: what the spec uses, and a first adapter; empty if nothing is known.
  var text: String {
    var parts = obstacles
    if !missing.isEmpty {
      parts.append(
        (["The spec of \(kata.name) uses these, and your code has none with these names:", ""]
          + missing.map { "    \($0.qualified)" }).joined(separator: "\n"))
    }
    if !different.isEmpty {
      parts.append(
        (["The spec of \(kata.name) uses these, and your code declares them differently:", ""]
          + different.flatMap { ["    \($0.expected)", "    (yours: \($0.found))"] })
          .joined(separator: "\n"))
    }
    guard !parts.isEmpty else { return "" }
    parts.append(
      """
      Your code needn't change. Put an adapter into a file of its own, such as Adapter.swift, and
      name it with --adapter (with make: ADAPTER=Adapter.swift). It could begin like this:
      """)
    parts.append(adapter.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n"))
    return parts.joined(separator: "\n\n")
  }
}

extension Declarations.Declaration {
  /// Whether it overrides a declaration of a superclass outside the module.
  var isInherited: Bool { text.contains("override ") }

  /// The declaration, with its type's name if it's a member.
  var qualified: String { path.count == 1 ? text : "\(path[0]): \(text)" }

  /// The kind of type in a word.
  var word: String { String(kind.dropFirst("swift.".count)) }

  /// The declaration without internal parameter names.
  fileprivate var signature: String {
    text.replacing(#/([(,] ?\w+) \w+:/#) { "\($0.1):" }
      .replacing("@escaping ", with: "").replacing("@Sendable ", with: "")
      .replacing(#/^let /#, with: "var ")
  }
}
