/// What a module shows of itself, as the compiler prints it.
struct PublicInterface {
  /// Each thing that it shows, and how often.
  private let facts: [String: Int]

  init(_ text: String) {
    let lines = text.replacing("@unchecked ", with: "")
      // Names within a function are nobody's business; labels are.
      .replacing(#/([(,] ?\w+) \w+:/#) { "\($0.1):" }
      .split(separator: "\n").filter { !$0.hasPrefix("//") && !$0.hasPrefix("import ") }
      .flatMap(Self.facts)
    facts = Dictionary(lines.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// Whether all that another shows is shown here, too.
  func contains(_ other: PublicInterface) -> Bool {
    other.facts.allSatisfy { facts[$0.key, default: 0] >= $0.value }
  }

  /// What a line says, in parts that may stand in other places.
  private static func facts(in line: Substring) -> [String] {
    let line = line.drop { $0 == " " }
    // Who doesn't override inherits, and is called the same way.
    if line.hasPrefix("override ") { return [] }
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
