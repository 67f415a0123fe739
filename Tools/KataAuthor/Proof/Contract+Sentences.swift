import KataKit

/// The contract of a kata whose `Kata.md` names no promises yet: each sentence of the stub's documentation is one.
///
/// Code, headings, the source and what stands from "Your turn" on promise nothing.
extension Contract {
  /// The kata with its sentences as promises, each its own name, and what no sentence says, a sentence each.
  static func naming(sentencesOf kata: Kata, stub: String) -> (kata: Kata, faults: [String]) {
    let sentences = sentences(in: stub)
    var faults: [String] = []
    func sentence(with quotation: String, saidBy name: String) -> String? {
      let found = sentences.filter { $0.contains(quotation) }
      if found.count == 1 { return found[0] }
      // The whole of a short one may begin a longer one.
      if found.contains(quotation) { return quotation }
      let what = found.isEmpty ? "stands in no sentence" : "stands in \(found.count) sentences"
      faults.append("\(name): this \(what) of the stub's documentation: \(quotation)")
      return nil
    }
    let named = Kata(
      kata.name, module: kata.module, title: kata.title, difficulty: kata.difficulty,
      minutes: kata.minutes, hints: kata.hints,
      promises: sentences.map { Promise($0, $0) },
      mistakes: kata.mistakes.map { mistake in
        Mistake(
          mistake.name, mistake.answer,
          breaks: mistake.breaks.compactMap { sentence(with: $0, saidBy: mistake.name) },
          rejectedBy: mistake.rejectedBy, verdict: mistake.verdict,
          needsCores: mistake.needsCores, advice: mistake.advice)
      }, rightAnswers: [],
      unproven: kata.unproven.compactMap { entry in
        sentence(with: entry.promise, saidBy: "not proven").map { Unproven($0, entry.reason) }
      })
    return (named, faults)
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
