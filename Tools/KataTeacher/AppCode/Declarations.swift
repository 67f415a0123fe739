import Foundation
import KataKit

/// The declarations of a module, from the compiler's symbol graph.
struct Declarations {
  /// A type or a member of one.
  struct Declaration: Equatable {
    /// Its path, with argument labels: `["PhotoStore", "read(_:)"]`.
    let path: [String]
    /// The declaration as written, without access level and attributes.
    let text: String
    /// "swift.class", "swift.method", and so on.
    let kind: String
    /// Whether other modules may subclass or override it.
    let isOpen: Bool

    /// The same declaration in a type with another name.
    func renamed(_ name: String) -> Declaration {
      Declaration(path: [name] + path.dropFirst(), text: text, kind: kind, isOpen: isOpen)
    }

    var isType: Bool {
      ["swift.class", "swift.struct", "swift.enum", "swift.protocol"].contains(kind)
    }
  }

  /// In the order of the source.
  private(set) var all: [Declaration] = []
  /// The superclass of each class, by name, if it's in the module.
  private var superclasses: [String: String] = [:]

  init() {}

  /// Reads the symbol graph of a module that the compiler has written into `folder`; empty if there
  /// is none.
  init(of module: String, in folder: String) throws {
    guard
      let data = FileManager.default.contents(atPath: "\(folder)/\(module).symbols.json")
    else { return }
    let graph: Graph
    do {
      graph = try JSONDecoder().decode(Graph.self, from: data)
    } catch {
      throw KataError(
        "The compiler's list of what \(module) declares can't be read; try 'make doctor'.",
        .environment)
    }
    let own = graph.symbols.filter { !$0.identifier.precise.contains("::SYNTHESIZED::") }
    all = own.map(Declaration.init)
    let names = Dictionary(
      own.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
      uniquingKeysWith: { first, _ in first })
    for relation in graph.relationships where relation.kind == "inheritsFrom" {
      if let name = names[relation.source], let other = names[relation.target] {
        superclasses[name] = other
      }
    }
  }

  /// The same declarations, in which a type whose name begins with `prefix` is found first by the
  /// rest of its name.
  func adapted(by prefix: String) -> Declarations {
    var adapted = self
    let names = Set(types.map { $0.path[0] }.filter { $0.hasPrefix(prefix) })
    let renamed = all.filter { names.contains($0.path[0]) }.map { declaration in
      declaration.renamed(String(declaration.path[0].dropFirst(prefix.count)))
    }
    adapted.all = renamed + all
    for name in names {
      // If it inherits from the type that it replaces, members of that type are found after its
      // own.
      let (short, above) = (String(name.dropFirst(prefix.count)), superclasses[name])
      if let above, above != short { adapted.superclasses[short] = above }
    }
    return adapted
  }

  /// The declaration of a type.
  func type(_ path: [String]) -> Declaration? { all.first { $0.path == path && $0.isType } }

  /// The declaration that a path refers to, including inherited ones of the module.
  func found(_ path: [String]) -> Declaration? {
    var path = path
    var seen: Set<String> = []
    while true {
      if let own = all.first(where: { $0.path == path }) { return own }
      let type = path.dropLast().joined(separator: ".")
      guard let above = superclasses[type], seen.insert(above).inserted, let name = path.last
      else { return nil }
      path = above.split(separator: ".").map(String.init) + [name]
    }
  }

  /// The types that aren't nested, in the order of the source.
  var types: [Declaration] { all.filter { $0.isType && $0.path.count == 1 } }

  /// The direct members of a type.
  func members(of type: Declaration) -> [Declaration] {
    all.filter { $0.path.dropLast() == type.path[...] }
  }
}

/// The parts of the compiler's symbol graph that are used here.
///
/// Source: the SymbolKit package's documentation of the format.
private struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Kind: Decodable { let identifier: String }
    struct Fragment: Decodable {
      let kind: String
      let spelling: String
    }

    let identifier: Identifier
    let kind: Kind
    let pathComponents: [String]
    let declarationFragments: [Fragment]
    let accessLevel: String
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
  }

  let symbols: [Symbol]
  let relationships: [Relationship]
}

extension Declarations.Declaration {
  fileprivate init(_ symbol: Graph.Symbol) {
    path = symbol.pathComponents
    kind = symbol.kind.identifier
    isOpen = symbol.accessLevel == "open"
    let words = symbol.declarationFragments.map(\.spelling).joined()
    text = words.replacing(" { get }", with: "").replacing(" { get set }", with: "")
      .replacing(#/^final (?!class)/#, with: "")
  }
}
