import Foundation

/// The file that describes a kata, `Kata.md`, split into its sections.
///
/// It's Markdown of a strict form that any viewer shows well: a head between two lines of `---`, a
/// heading with the kata's name, and sections that begin with `## Hint`, `## Mistake: …` and so on.
/// CONTRIBUTING documents the form.
package struct KataFile {
  /// A section, from its heading to the next one.
  package struct Section {
    /// What it describes.
    package let kind: Kind
    /// The text after the colon of its heading; empty if there's no colon.
    package let name: String
    /// The line number of its heading.
    let line: Int
    /// The lines below its heading.
    package var body: [String] = []

    /// The lines below its heading, each with its number in the file.
    var numbered: [Line] {
      body.enumerated().map { Line(number: line + 1 + $0, text: $1) }
    }
  }

  /// The kinds of sections, by their headings.
  package enum Kind: String, CaseIterable {
    case hint = "Hint"
    case question = "Question"
    case promises = "Promises"
    case mistake = "Mistake"
    case rightAnswer = "Right answer"
    case beyondOperation = "Beyond Operation"
    case equivalent = "Equivalent mutant"

    /// Whether its heading ends with a name.
    package var isNamed: Bool { ![.hint, .question, .promises].contains(self) }
  }

  /// A line of the file, with its number from 1.
  package struct Line {
    let number: Int
    package let text: String
  }

  /// The file's name in the kata's folder.
  package static let name = "Kata.md"

  /// The file's path, for messages.
  let path: String
  /// The values of the head, by key.
  package private(set) var head: [String: Line] = [:]
  /// The sections, in their order.
  package private(set) var sections: [Section] = []

  private static let required = ["title", "difficulty", "minutes"]
  /// The keys of a head, in the order in which they're written.
  package static let keys = required + ["needs", "builds on"]

  /// Splits a text into sections.
  ///
  /// - Throws: A ``KataError`` with the line that doesn't have the form, and what is expected
  ///   there.
  package init(_ text: String, path: String) throws {
    self.path = path
    let lines = text.linesOfAnyEnding.enumerated()
      .map { Line(number: $0 + 1, text: $1) }
    guard lines.first?.text == "---" else {
      throw fault(1, "the first line must be '---', and below it the head")
    }
    guard let end = lines.dropFirst().firstIndex(where: { $0.text == "---" }) else {
      throw fault(1, "nothing ends the head; it needs a second line of '---'")
    }
    for line in lines[1..<end] {
      let (key, value) = try pair(line)
      guard Self.keys.contains(key) else {
        let keys = Self.keys.map { "'\($0)'" }.joined(separator: ", ")
        throw fault(line.number, "there is no '\(key)' in a head; it has \(keys)")
      }
      guard head.updateValue(Line(number: line.number, text: value), forKey: key) == nil else {
        throw fault(line.number, "'\(key)' appears a second time")
      }
    }
    for key in Self.required where head[key] == nil {
      throw fault(end + 1, "the head needs a line '\(key): …'")
    }
    try cut(lines[(end + 1)...])
  }

  private mutating func cut(_ lines: ArraySlice<Line>) throws {
    var isCode = false
    var hasTitle = false
    for line in lines {
      if line.text.hasPrefix("```") { isCode.toggle() }
      if !isCode, line.text.hasPrefix("## ") {
        sections.append(try section(line))
      } else if !sections.isEmpty {
        sections[sections.count - 1].body.append(line.text)
      } else if line.text.hasPrefix("# "), !hasTitle {
        hasTitle = true
      } else if !line.text.isEmpty {
        throw fault(
          line.number,
          "above the first section only the head and a line '# ' with the name may appear")
      }
    }
    guard !isCode else { throw fault(lines.endIndex, "a block that begins with '```' has no end") }
  }

  private func section(_ line: Line) throws -> Section {
    let heading = line.text.dropFirst(3)
    for kind in Kind.allCases {
      if !kind.isNamed, heading == kind.rawValue {
        return Section(kind: kind, name: "", line: line.number)
      }
      if kind.isNamed, heading.hasPrefix(kind.rawValue + ": ") {
        let name = heading.dropFirst(kind.rawValue.count + 2)
        return Section(kind: kind, name: String(name), line: line.number)
      }
    }
    let headings = Kind.allCases.map { "'## \($0.rawValue)\($0.isNamed ? ": …" : "")'" }
    throw fault(
      line.number,
      "no section begins like that; they begin with \(headings.joined(separator: ", "))")
  }

  /// Reads "key: value", as in the head and in lists.
  func pair(_ line: Line) throws -> (key: String, value: String) {
    guard let colon = line.text.range(of: ": "), colon.upperBound < line.text.endIndex else {
      throw fault(line.number, "'key: value' is expected")
    }
    return (
      String(line.text[..<colon.lowerBound]), String(line.text[colon.upperBound...])
    )
  }

  /// An error about a line, as a sentence.
  func fault(_ line: Int, _ sentence: String) -> KataError {
    KataError("\(path):\(line): \(sentence).", .environment)
  }
}

extension String {
  /// The lines, with any line endings: git may have changed them.
  var linesOfAnyEnding: [String] {
    replacingOccurrences(of: "\r\n", with: "\n").components(separatedBy: "\n")
  }
}
