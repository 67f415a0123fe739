/// The reference with one small edit, made by rule.
struct Mutant: Sendable {
  /// The rule and the line, unique within the kata: "left out: item?.cancel()".
  let name: String
  let text: String

  /// All mutants of a text, in the order of the rules.
  ///
  /// Many don't compile, and some behave the same. A member that is also in the stub, word for
  /// word, is given to the learner, and isn't changed.
  static func all(of source: String, stub: String = "") -> [Mutant] {
    var mutants: [Mutant] = []
    var count: [String: Int] = [:]
    var seen: Set<String> = [source]
    let given = GivenMembers(source, stub: stub)
    for (name, text) in MutationRules(source).edits where seen.insert(text).inserted {
      guard !given.holdsEdit(to: text) else { continue }
      count[name, default: 0] += 1
      let number = count[name] == 1 ? "" : " (\(count[name]!))"
      mutants.append(Mutant(name: name + number, text: text))
    }
    return mutants
  }
}

/// The members and properties of a reference's types that are also in the stub, word for word.
private struct GivenMembers {
  private let lines: [Substring]
  private var isGiven: [Bool]

  init(_ source: String, stub: String) {
    lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    isGiven = lines.map { _ in false }
    let stubLines = Set(stub.split(separator: "\n"))
    for (index, line) in lines.enumerated()
    where line.hasPrefix("  private ") && !line.hasSuffix("{") {
      isGiven[index] = stubLines.contains(line)
    }
    var start = 0
    for (index, line) in lines.enumerated() where line.hasPrefix("  ") && !line.hasPrefix("   ") {
      guard line == "  }" else {
        start = index
        continue
      }
      if stub.contains(lines[start...index].joined(separator: "\n")) {
        for number in start...index { isGiven[number] = true }
      }
    }
  }

  /// Whether the first line in which a text differs is given.
  func holdsEdit(to text: String) -> Bool {
    let edited = text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = zip(lines, edited).enumerated().first { $1.0 != $1.1 }?.offset
    return first.map { isGiven[$0] } ?? false
  }
}
