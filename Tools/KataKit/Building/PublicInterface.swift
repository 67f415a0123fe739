import Foundation

/// The public interface of a module, as the compiler prints it.
struct PublicInterface {
  /// Each declaration, and how often it appears.
  private let facts: [String: Int]
  /// The declarations that override something of a superclass.
  private let overrides: Set<String>

  init(_ text: String) {
    let lines = Self.withoutBodies(text).replacing("@unchecked ", with: "")
      // Parameter names inside a function don't matter; labels do.
      .replacing(#/([(,] ?\w+) \w+:/#) { "\($0.1):" }
      .split(separator: "\n").filter { !$0.hasPrefix("//") && !$0.hasPrefix("import ") }
    let facts = Self.whole(lines).flatMap(Self.facts)
    overrides = Set(facts.filter { $0.contains("override ") })
    self.facts = Dictionary(facts.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// Whether code that was compiled against `other` can link to this, and calls the same
  /// declarations.
  ///
  /// An override that only this interface has isn't called by code that knows only the other: if a
  /// class is final, the compiler calls the superclass's method directly.
  func isCompatible(with other: PublicInterface) -> Bool {
    overrides.isSubset(of: other.overrides)
      && other.facts.allSatisfy {
        $0.key.contains("override ") || facts[$0.key, default: 0] >= $0.value
      }
  }

  /// The text without inlinable bodies: code that was compiled against the same declarations
  /// without bodies can still call them.
  private static func withoutBodies(_ text: String) -> String {
    guard text.contains("@inlinable ") else { return text }
    var lines: [String] = []
    /// What ends the body that is being skipped.
    var end: String?
    for line in text.replacing("@inlinable ", with: "").components(separatedBy: "\n") {
      if end == nil, line.contains(#/(func|init\b|subscript|^ *(get|set)\b).* \{$/#) {
        lines.append(String(line.dropLast(2)))
        end = line.prefix { $0 == " " } + "}"
      } else if end == nil {
        lines.append(line)
      } else if line == end {
        end = nil
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Joins lines inside parentheses into one: a closure as a default argument is compiled into its
  /// callers.
  private static func whole(_ lines: [Substring]) -> [Substring] {
    var whole: [Substring] = []
    var open = 0
    for line in lines {
      if open > 0 { whole[whole.count - 1] += "\n" + line } else { whole.append(line) }
      for character in line { open += character == "(" ? 1 : character == ")" ? -1 : 0 }
    }
    return whole
  }

  /// The parts of a line that may be in a different order.
  private static func facts(in line: Substring) -> [String] {
    let line = line.drop { $0 == " " }
    if line.hasPrefix("case "), !line.contains("(") {
      return line.dropFirst("case ".count).split(separator: ", ").map { "case \($0)" }
    }
    guard
      let head = line.wholeMatch(
        of: #/(.*?(?:class|struct|enum) [\w.]+.*?) : ([^{]*?)( where .*)? \{}?/#)
    else { return [String(line)] }
    return [String(head.1) + (head.3.map(String.init) ?? "")]
      + head.2.split(separator: ", ").map { "\(head.1) is \($0)" }
  }
}
