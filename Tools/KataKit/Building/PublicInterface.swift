/// What a module shows of itself, as the compiler prints it.
struct PublicInterface {
  /// Each thing that it shows, and how often.
  private let facts: [String: Int]
  /// What overrides something of a superclass.
  private let overrides: Set<String>

  init(_ text: String) {
    let lines = text.replacing("@unchecked ", with: "")
      // Names within a function are nobody's business; labels are.
      .replacing(#/([(,] ?\w+) \w+:/#) { "\($0.1):" }
      .split(separator: "\n").filter { !$0.hasPrefix("//") && !$0.hasPrefix("import ") }
    let facts = Self.whole(lines).flatMap(Self.facts)
    overrides = Set(facts.filter { $0.contains("override ") })
    self.facts = Dictionary(facts.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// Whether all that another shows is shown here, too, and who was compiled against that calls the same.
  ///
  /// A method that is overridden here alone isn't called by somebody who knows the other: where a class is
  /// final, the compiler calls the superclass's.
  func serves(_ other: PublicInterface) -> Bool {
    overrides.isSubset(of: other.overrides)
      && other.facts.allSatisfy {
        $0.key.contains("override ") || facts[$0.key, default: 0] >= $0.value
      }
  }

  /// The lines, but what stands between parentheses as one: a closure that an argument is by default is
  /// compiled into who calls.
  private static func whole(_ lines: [Substring]) -> [Substring] {
    var whole: [Substring] = []
    var open = 0
    for line in lines {
      if open > 0 { whole[whole.count - 1] += "\n" + line } else { whole.append(line) }
      for character in line { open += character == "(" ? 1 : character == ")" ? -1 : 0 }
    }
    return whole
  }

  /// What a line says, in parts that may stand in other places.
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
