import KataKit

/// What the documentation of a kata's stub promises, sentence by sentence, and who breaks it.
///
/// Code, headings, the source and what stands from "Your turn" on promise nothing.
struct Contract {
  /// The sentences, each once, in their order.
  let sentences: [String]
  /// The mistakes that quote each sentence.
  private(set) var breaking: [String: [Mistake]] = [:]
  /// Why no mistake breaks a sentence, for those of which somebody has said so.
  private(set) var unproven: [String: String] = [:]
  /// What is missing or wrong, a sentence each; empty where every promise is broken by a mistake.
  private(set) var shortfalls: [String] = []

  /// The contract of a kata with this stub.
  init(of kata: Kata, stub: String) {
    sentences = Self.sentences(in: stub)
    for mistake in kata.mistakes {
      if mistake.breaks.isEmpty {
        shortfalls.append("\(mistake.name): it must quote what it breaks ('breaks:')")
      }
      for quotation in mistake.breaks {
        guard let sentence = sentence(with: quotation, quotedBy: mistake.name) else { continue }
        breaking[sentence, default: []].append(mistake)
      }
    }
    for entry in kata.unproven {
      guard let sentence = sentence(with: entry.text, quotedBy: "unproven") else { continue }
      unproven[sentence] = entry.reason
      if let mistake = breaking[sentence]?.first {
        shortfalls.append("unproven: '\(mistake.name)' breaks it: \(sentence)")
      }
    }
    for promise in promises where breaking[promise] == nil {
      shortfalls.append("no mistake breaks this promise: \(promise)")
    }
  }

  /// The sentences that mistakes must break.
  var promises: [String] { sentences.filter { unproven[$0] == nil } }

  /// The sentence that a quotation stands in, if it's one.
  private mutating func sentence(with quotation: String, quotedBy name: String) -> String? {
    let found = sentences.filter { $0.contains(quotation) }
    if found.count == 1 { return found[0] }
    // The whole of a short one may begin a longer one.
    if found.contains(quotation) { return quotation }
    let what = found.isEmpty ? "stands in no sentence" : "stands in \(found.count) sentences"
    shortfalls.append("\(name): this \(what) of the stub's documentation: \(quotation)")
    return nil
  }

  /// The sentences of a stub's documentation that its reference doesn't have.
  ///
  /// Whoever compares the two must find that both promise the same in the same words; the reference may
  /// promise more. How a symbol is linked makes no difference, and what is private promises nothing.
  static func missing(from reference: String, of stub: String) -> [String] {
    let own = Set(sentences(in: reference).map(plain))
    return sentences(in: stub.replacing(#/\n( *\/\/\/.*\n)+(?= *private )/#, with: "\n"))
      .filter { !own.contains(plain($0)) }
  }

  /// A sentence without links to symbols, and without the word that marks what a stub has from the start.
  private static func plain(_ sentence: String) -> String {
    let text = sentence.replacing(#/``([^`]+)``/#) { "`\($0.1.replacing("/", with: "."))`" }
    guard let given = text.prefixMatch(of: #/Given: /#) else { return text }
    let rest = text[given.range.upperBound...]
    return rest.prefix(1).uppercased() + rest.dropFirst()
  }

  // MARK: - Reading

  /// The sentences of a stub's documentation that may promise something.
  static func sentences(in stub: String) -> [String] {
    var sentences: [String] = []
    for comment in Self.comments(in: stub) {
      for paragraph in Self.paragraphs(of: comment) {
        for sentence in Self.sentences(of: paragraph) where !sentences.contains(sentence) {
          sentences.append(sentence)
        }
      }
    }
    return sentences
  }

  /// The lines of each documentation comment, without the slashes.
  private static func comments(in text: String) -> [[Substring]] {
    var comments: [[Substring]] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let line = line.drop { $0 == " " }
      guard line.hasPrefix("///") else {
        isInside = false
        continue
      }
      let rest = line.dropFirst(3)
      if !isInside { comments.append([]) }
      isInside = true
      comments[comments.count - 1].append(rest.hasPrefix(" ") ? rest.dropFirst() : rest)
    }
    return comments
  }

  /// The paragraphs and items of a comment that may promise something, each in one line.
  private static func paragraphs(of comment: [Substring]) -> [String] {
    var paragraphs: [String] = []
    var isCode = false
    var isNew = true
    for line in comment {
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        isCode.toggle()
        isNew = true
        continue
      }
      if isCode { continue }
      let words = line.split(separator: " ").joined(separator: " ")
      if words.isEmpty || words.hasPrefix("#") {
        isNew = true
        continue
      }
      if let item = words.prefixMatch(
        of:
          #/(?:[-*]|\d+\.) (?:(?:Parameters|Returns|Throws|Warning|Note|Important|Precondition|Parameter \w+):)? ?/#
      ) {
        paragraphs.append(String(words[item.range.upperBound...]))
        isNew = false
      } else if isNew {
        paragraphs.append(words)
        isNew = false
      } else {
        paragraphs[paragraphs.count - 1] += " " + words
      }
    }
    paragraphs = paragraphs.map { String($0.trimmingPrefix(#/\*\*[^*]+\*\* /#)) }
    let task = paragraphs.firstIndex { $0.hasPrefix("Your turn") } ?? paragraphs.endIndex
    return paragraphs[..<task].filter { !$0.isEmpty && !$0.hasPrefix("Source:") }
  }

  /// The sentences of a paragraph.
  private static func sentences(of paragraph: String) -> [String] {
    var sentences: [String] = []
    var rest = paragraph[...]
    while let end = rest.firstMatch(of: #/[.!?][)"”]? (?=["“(`*\p{Lu}])/#) {
      sentences.append(String(rest[..<end.range.upperBound].dropLast()))
      rest = rest[end.range.upperBound...]
    }
    return sentences + [String(rest)]
  }
}
