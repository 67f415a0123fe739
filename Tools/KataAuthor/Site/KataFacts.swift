import KataKit

/// What the site needs of a kata beside its catalogue entry.
struct KataFacts {
  let kata: Kata
  /// The names of the spec's tests, in its order.
  let tests: [String]
  /// Whether the spec records timelines.
  let isAboutOrder: Bool
  /// The public types that the reference declares, in its order.
  let types: [String]
  /// The types of other modules that the reference extends, with their modules: "Foundation/Operation".
  let extended: [String]
  /// The stub's promises.
  let contract: Contract
  /// The measured patterns of mistakes.
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

  /// The names of all possible pictures of it.
  var pictureNames: [String] {
    guard isAboutOrder else { return [] }
    return tests.map { "\(kata.name)/\($0)" }
      + kata.mistakes.map { "\(kata.name)/mistake/\($0.name)" }
  }

  /// The paths of the reference's public types, or of the types of others that it extends.
  var localSymbols: [String] { types.isEmpty ? extended : types }

  /// The symbols with the reference's documentation: the type with the kata's name, or all symbols.
  var symbols: [String] {
    let names = types.contains(kata.name) ? [kata.name] : localSymbols
    return names.map { "\(kata.module.rawValue)/\($0)" }
  }

  /// The spec's message about a mistake, in one sentence; nil if it hasn't been measured.
  func says(of mistake: Mistake) -> String? {
    guard let pattern = patterns[mistake.name] else { return nil }
    let named = mistake.rejectedBy.compactMap { pattern.said(by: $0) }.flatMap { $0.sorted() }
    let gists = named.filter { $0.status != .crashed }.map(\.gist).filter { !$0.isEmpty }
    // An ellipsis stands for a value that differs between runs.
    return gists.first { !$0.contains("…") } ?? gists.first
  }
}
