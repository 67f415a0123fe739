/// An entry of the catalogue as Swift source, made from what the entry says.
///
/// Only what is written down here gets into a handout: the texts of answers do only where the
/// references do.
struct CatalogueSource {
  let kata: Kata
  /// The katas that are handed out; what isn't among them can't be done first.
  let names: Set<String>
  /// Whether the answers' texts are told.
  let hasReferences: Bool

  var text: String {
    """
    extension Kata {
      static let \(identifier) = Kata(
        \(SwiftLiteral.of(kata.name)), module: .\(kata.module), title: \(SwiftLiteral.of(kata.title)),
        difficulty: \(kata.difficulty), minutes: \(kata.minutes),
        needs: \(list(kata.needs.filter(names.contains))), buildsOn: \(list(kata.buildsOn)),
        hints: [
    \(kata.hints.map { "\(SwiftLiteral.of($0, indent: 6)),\n" }.joined())\
        ],
        mistakes: [
    \(kata.mistakes.map(mistake).joined())\
        ],
        rightAnswers: [
    \(hasReferences ? kata.rightAnswers.map(rightAnswer).joined() : "")\
        ],
        unproven: [
    \(kata.unproven.map(unproven).joined())\
        ])
    }

    """
  }

  /// The name of the constant, as the catalogue's list has it.
  var identifier: String { kata.name.prefix(1).lowercased() + kata.name.dropFirst() }

  private func mistake(_ mistake: Mistake) -> String {
    """
          Mistake(
            \(SwiftLiteral.of(mistake.name)), \(answer(mistake.answer)),
            breaks: \(list(mistake.breaks)),
            rejectedBy: \(list(mistake.rejectedBy)), verdict: .\(mistake.verdict.rawValue),
            advice:
    \(SwiftLiteral.of(mistake.advice, indent: 10))),

    """
  }

  private func rightAnswer(_ answer: RightAnswer) -> String {
    "      RightAnswer(\(SwiftLiteral.of(answer.name)), \(self.answer(answer.answer))),\n"
  }

  private func unproven(_ entry: Unproven) -> String {
    "      Unproven(\(SwiftLiteral.of(entry.text)), \(SwiftLiteral.of(entry.reason))),\n"
  }

  private func answer(_ answer: Answer) -> String {
    guard hasReferences else { return ".edits([])" }
    switch answer {
    case .file(let name): return ".file(\(SwiftLiteral.of(name)))"
    case .edits(let edits):
      let texts = edits.map {
        "Edit(\(SwiftLiteral.of($0.text)), \(SwiftLiteral.of($0.replacement)))"
      }
      return ".edits([\(texts.joined(separator: ", "))])"
    }
  }

  private func list(_ names: [String]) -> String {
    "[\(names.map { SwiftLiteral.of($0) }.joined(separator: ", "))]"
  }
}

/// Texts as literals of Swift.
enum SwiftLiteral {
  /// A literal on one line, whatever the text.
  static func of(_ text: String) -> String {
    "\"\(text.unicodeScalars.map(escaped).joined())\""
  }

  /// A literal over several lines that are broken where the text has spaces.
  static func of(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      broken(String(line)).map { $0.unicodeScalars.map(escaped).joined() }
        .joined(separator: "\\\n\(margin)")
    }
    return "\(margin)\"\"\"\n\(margin)\(lines.joined(separator: "\n\(margin)"))\n\(margin)\"\"\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": "\\\\"
    case "\"": "\\\""
    case "\n": "\\n"
    case "\t": "\\t"
    case "\0"..<" ", "\u{7F}": "\\u{\(String(scalar.value, radix: 16))}"
    default: String(scalar)
    }
  }

  /// Pieces of a line of up to about ninety characters, each but the last with its space.
  private static func broken(_ line: String) -> [String] {
    var pieces = [""]
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      if pieces[pieces.count - 1].count + word.count > 88 { pieces.append("") }
      pieces[pieces.count - 1] += word + " "
    }
    pieces[pieces.count - 1].removeLast()
    return pieces
  }
}
