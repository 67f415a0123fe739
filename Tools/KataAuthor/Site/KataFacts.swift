import KataKit

/// What the site knows of a kata beside its catalogue entry.
struct KataFacts {
  let kata: Kata
  /// The names of the spec's tests, in its order.
  let tests: [String]
  /// Whether the spec records who was inside what and when.
  let isAboutOrder: Bool
  /// The public types that the reference declares, in its order.
  let types: [String]
  /// The types of other modules that the reference extends, with their modules: "Foundation/Operation".
  let extended: [String]
  /// What the stub promises.
  let contract: Contract
  /// What the spec was seen to say of each mistake.
  var patterns: [String: Pattern] = [:]

  init(
    _ kata: Kata, spec: String, reference: String, stub: String = "",
    patterns: [String: Pattern] = [:]
  ) {
    self.kata = kata
    contract = Contract(of: kata, stub: stub)
    self.patterns = patterns
    tests = spec.matches(of: #/func `([^`]+)`\(/#).map { String($0.1) }
    isAboutOrder = spec.contains("timeline") || spec.contains("Timeline")
    extended = reference.matches(of: #/\nextension (\w+)/#).map { match in
      let module = match.1 == "Array" ? "Swift" : "Foundation"
      return "\(module)/\(match.1)"
    }
    types = reference.split(separator: "\n").compactMap { line in
      line.prefixMatch(
        of: #/(?:public|open) (?:final )?(?:class|struct|enum|protocol|actor) (\w+)/#
      ).map { String($0.1) }
    }
  }

  init(_ kata: Kata, in repository: Repository, _ book: PatternBook) throws {
    self.init(
      kata, spec: try repository.spec(of: kata),
      reference: try repository.text(repository.referencePath(of: kata)),
      stub: try repository.text(repository.stubPath(of: kata)),
      patterns: book.patterns[kata.name] ?? [:])
  }

  /// The names of all pictures that there may be of it.
  var pictureNames: [String] {
    guard isAboutOrder else { return [] }
    return tests.map { "\(kata.name)/\($0)" }
      + kata.mistakes.map { "\(kata.name)/mistake/\($0.name)" }
  }

  /// The paths of what the reference makes public: its types, or those of others that it extends.
  var localSymbols: [String] { types.isEmpty ? extended : types }

  /// The symbols that the reference's documentation is read from: the type of the kata's name, or all
  /// that there is.
  var symbols: [String] {
    let names = types.contains(kata.name) ? [kata.name] : localSymbols
    return names.map { "\(kata.module.rawValue)/\($0)" }
  }

  /// What the spec says of a mistake, in one sentence; nil where nobody has measured it.
  func says(of mistake: Mistake) -> String? {
    guard let pattern = patterns[mistake.name] else { return nil }
    let named = mistake.rejectedBy.compactMap { pattern.said(by: $0) }.flatMap { $0.sorted() }
    let gists = named.filter { $0.status != .crashed }.map(\.gist).filter { !$0.isEmpty }
    // An ellipsis stands for a value that differs from run to run.
    return gists.first { !$0.contains("…") } ?? gists.first
  }
}
