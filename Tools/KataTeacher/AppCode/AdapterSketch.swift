import Foundation
import KataKit

/// The beginning of an adapter: the kata's names in terms of the code's, with a placeholder
/// wherever only the code's author knows what to call.
struct AdapterSketch {
  let own: Declarations
  let expected: Declarations
  let missing: [Declarations.Declaration]
  let kata: Kata
  /// The text of the stub.
  let stub: String

  var lines: [String] {
    imports + expected.types.map { lines(for: $0) }.filter { !$0.isEmpty }.flatMap { [""] + $0 }
  }

  /// What the stub imports.
  private var imports: [String] {
    let lines = stub.split(separator: "\n").map(String.init).filter { $0.hasPrefix("import ") }
    return lines.sorted()
  }

  private func lines(for type: Declarations.Declaration) -> [String] {
    let name = type.path[0]
    let lacking = expected.members(of: type).filter { missing.contains($0) }
    if let theirs = own.type(type.path), theirs.kind == type.kind {
      guard !lacking.isEmpty else { return [] }
      // An open class gets the missing members in a subclass, since members of an extension can't
      // be overridden.
      return type.isOpen
        ? wrapped("class \(AppCode.prefix)\(name): \(name)\(arguments(of: theirs))", lacking)
        : wrapped("extension \(name)", lacking, extending: type)
    }
    guard let theirs = candidate(for: type) else {
      let isTaken = own.type(type.path) != nil
      let head = head(of: type)
        .replacing(" \(name)", with: " \(isTaken ? AppCode.prefix : "")\(name)", maxReplacements: 1)
      return wrapped(head, expected.members(of: type).filter { !$0.isInherited })
    }
    let other = theirs.path[0] + arguments(of: theirs)
    let open = expected.members(of: type).filter {
      !$0.isInherited && own.found([theirs.path[0], $0.path[1]]) == nil
    }
    if open.isEmpty { return ["typealias \(name) = \(other)"] }
    if type.isOpen { return wrapped("class \(name): \(other)", open) }
    return ["typealias \(name) = \(other)", ""]
      + wrapped("extension \(theirs.path[0])", open, extending: theirs)
  }

  /// The type of the code that probably corresponds.
  ///
  /// It has the same kind and most of the members. Only for the kata's main type; the others are
  /// small.
  private func candidate(for type: Declarations.Declaration) -> Declarations.Declaration? {
    func count(_ type: Declarations.Declaration) -> Int { expected.members(of: type).count }
    let main =
      expected.type([kata.name])
      ?? expected.types.filter { $0.kind == "swift.class" }.max { count($0) < count($1) }
    guard type == main else { return nil }
    let names = expected.types.map(\.path)
    let members = expected.members(of: type).map { $0.path[1] }
    func likeness(_ theirs: Declarations.Declaration) -> Int {
      members.count { own.found([theirs.path[0], $0]) != nil }
    }
    return own.types
      .filter { $0.kind == type.kind && !names.contains($0.path) }
      .filter { type.isOpen || $0.isGeneric == type.isGeneric }
      .max { likeness($0) < likeness($1) }
  }

  /// A placeholder for the arguments of a generic type that isn't the kata's.
  private func arguments(of type: Declarations.Declaration) -> String {
    type.isGeneric && !expected.types.contains(where: \.isGeneric) ? "<<#of what#>>" : ""
  }

  /// How the stub begins a type, without its access level.
  private func head(of type: Declarations.Declaration) -> String {
    let lines = stub.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let begin = lines.firstIndex {
      $0.contains(#/^(public|open) [^(]*(class|struct|enum) /#)
        && $0.contains("\(type.word) \(type.path[0])")
    }
    guard let begin, let end = lines[begin...].firstIndex(where: { $0.contains("{") })
    else { return type.text }
    return lines[begin...end].map { $0.replacing(#/ *\/\/.*/#, with: "") }
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
      .replacing(#/ ?\{.*/#, with: "").replacing(#/^(public|open) /#, with: "")
  }

  /// A declaration with its members; `extending` is the type if it's an extension.
  private func wrapped(
    _ head: String, _ members: [Declarations.Declaration],
    extending type: Declarations.Declaration? = nil
  ) -> [String] {
    var lines = ["\(head) {"]
    var wasCase = true
    for member in members {
      let isCase = member.kind == "swift.enum.case"
      if !(isCase && wasCase), lines.count > 1 { lines.append("") }
      lines += body(of: member, extending: type).map { "  \($0)" }
      wasCase = isCase
    }
    return lines + ["}"]
  }

  private func body(
    of member: Declarations.Declaration, extending type: Declarations.Declaration?
  ) -> [String] {
    var text = member.text.components(separatedBy: "\n")
    if ["swift.enum.case", "swift.typealias"].contains(member.kind) { return text }
    let isStored = text[0].hasPrefix("let ") || text[0].hasPrefix("static let ")
    if isStored, type == nil { return text }
    if isStored { text[0].replace(#/\blet /#, with: "var ", maxReplacements: 1) }
    if member.kind == "swift.init", type?.kind == "swift.class" {
      text[0] = "convenience \(text[0])"
    }
    let last = text.removeLast()
    // `var value: Value { get throws }`
    if let effects = last.wholeMatch(of: #/(.*) \{ get (throws|async|async throws) \}/#) {
      return text + ["\(effects.1) {", "  get \(effects.2) {", "    <#call yours#>", "  }", "}"]
    }
    return text + ["\(last) {", "  <#call yours#>", "}"]
  }
}

extension Declarations.Declaration {
  /// Whether it's a type with arguments.
  fileprivate var isGeneric: Bool { text.contains("\(path[path.count - 1])<") }
}
