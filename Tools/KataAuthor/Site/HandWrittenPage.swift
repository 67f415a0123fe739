/// A hand-written page of `Docs/ConcurrencyKatas.docc`.
///
/// A heading inside a code block isn't one.
struct HandWrittenPage {
  /// The file's name without its extension: "PhotoStore".
  let name: String
  private(set) var lines: [String]

  init(_ name: String, _ text: String) {
    self.name = name
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
  }

  var file: String { "\(name).md" }
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// The lines that aren't code, with their indices.
  var proseLines: [(index: Int, line: String)] {
    var isCode = false
    return lines.enumerated().compactMap { index, line in
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        isCode.toggle()
        return nil
      }
      return isCode ? nil : (index, line)
    }
  }

  /// The names of the pictures that it asks for.
  var picturesAsked: [String] { proseLines.compactMap { Self.pictureAsked(in: $0.line)?.name } }

  /// The caption and name of a picture that a line asks for: `![caption](picture:Kata/test)`; nil
  /// if it asks for none.
  static func pictureAsked(in line: String) -> (caption: String, name: String)? {
    line.trimmed.wholeMatch(of: #/!\[(.*)\]\(picture:(.+)\)/#)
      .map { (String($0.1), String($0.2)) }
  }

  /// The index of a heading's line, such as "## Overview".
  func index(of heading: String) -> Int? {
    proseLines.first { $0.line.trimmed == heading }?.index
  }

  /// The page's title.
  var title: String? {
    proseLines.first { $0.line.hasPrefix("# ") }.map { $0.line.dropFirst(2).description.trimmed }
  }

  /// The sentence below the title.
  var abstract: String? {
    var depth = 0
    var isBelowTitle = false
    for (_, line) in proseLines {
      if line.hasPrefix("# ") {
        isBelowTitle = true
        continue
      }
      if line.hasPrefix("#") { return nil }
      let isDirective = line.hasPrefix("@") || depth > 0
      if isDirective { depth += line.count { $0 == "{" } - line.count { $0 == "}" } }
      guard isBelowTitle, !isDirective, !line.trimmed.isEmpty else { continue }
      return line.trimmed
    }
    return nil
  }

  /// Whether there is text between a heading and the next one.
  func hasText(below heading: String) -> Bool {
    guard let index = index(of: heading) else { return false }
    let next = proseLines.first { $0.index > index && $0.line.hasPrefix("#") }?.index ?? lines.count
    return lines[(index + 1)..<next].contains { !$0.trimmed.isEmpty }
  }

  // MARK: - Changes

  mutating func replaceLine(_ index: Int, with text: String) {
    lines[index] = text
  }

  mutating func insert(_ text: String, below index: Int) {
    lines.insert(contentsOf: ["", text], at: index + 1)
  }

  mutating func append(_ text: String) {
    lines += ["", text]
  }

  /// Adds lines to the page's `@Metadata`, which is created if it's missing.
  mutating func addMetadata(_ entries: [String]) {
    let entries = entries.map { "  \($0)" }
    if let index = proseLines.first(where: { $0.line.hasPrefix("@Metadata") })?.index {
      lines.insert(contentsOf: entries, at: index + 1)
    } else if let index = proseLines.first(where: { $0.line.hasPrefix("# ") })?.index {
      lines.insert(contentsOf: ["", "@Metadata {"] + entries + ["}"], at: index + 1)
    }
  }

  /// Adds groups at the end of the page's Topics, which are created if they're missing.
  mutating func addTopics(_ groups: String) {
    guard let topics = index(of: "## Topics") else { return append("## Topics\n\n\(groups)") }
    let next = proseLines.first { $0.index > topics && $0.line.hasPrefix("## ") }?.index
    lines.insert(contentsOf: ["", groups, ""], at: next ?? lines.count)
  }
}

extension String {
  /// The text without the spaces around it.
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
