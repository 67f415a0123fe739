/// The reference with one small edit that was made by rule.
struct Mutant: Sendable {
  /// The rule and the line, which no other mutant of the kata has: "left out: item?.cancel()".
  let name: String
  let text: String

  /// All mutants of a text, in the order of the rules.
  ///
  /// Many don't compile, and some are the same program.
  static func all(of source: String) -> [Mutant] {
    var mutants: [Mutant] = []
    var count: [String: Int] = [:]
    var seen: Set<String> = [source]
    for (name, text) in MutationRules(source).edits where seen.insert(text).inserted {
      count[name, default: 0] += 1
      let number = count[name] == 1 ? "" : " (\(count[name]!))"
      mutants.append(Mutant(name: name + number, text: text))
    }
    return mutants
  }
}
