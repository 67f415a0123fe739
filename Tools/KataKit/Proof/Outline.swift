/// What is left of a source text without the bodies of its functions.
///
/// Specs are compiled again when an answer's outline changes, but not for another body. It is read
/// off the braces alone: good enough to put answers in a quick order, and for nothing else.
struct Outline {
  let text: String

  init(of source: String) {
    var kept = ""
    /// What stands before the next brace.
    var head = ""
    /// How many braces are open since the body that is left out began.
    var depthInBody = 0
    for character in source {
      switch character {
      case "{" where depthInBody > 0: depthInBody += 1
      case "}" where depthInBody > 0: depthInBody -= 1
      case _ where depthInBody > 0: break
      case "{":
        if !Self.isHeadOfType(head) { depthInBody = 1 }
        kept.append(character)
        head = ""
      case "}", "\n":
        kept.append(character)
        head = ""
      default:
        kept.append(character)
        head.append(character)
      }
    }
    text = kept
  }

  private static func isHeadOfType(_ head: String) -> Bool {
    head.contains(#/\b(class|struct|enum|extension|actor|protocol)\b/#)
      && !head.contains(#/\b(func|init|var|let)\b/#)
  }
}

extension Candidate {
  /// The answers to one kata in the order in which they're built most quickly.
  ///
  /// The reference and the stub come first, then whole files, all of which change what the module
  /// declares; then the edits, those with one outline in a row. Rounds of several katas so have their
  /// slow builds in common.
  static func inBuildOrder(_ candidates: [Candidate]) -> [Candidate] {
    var outlines: [String] = []
    let ranked = candidates.map { candidate -> (rank: Int, candidate: Candidate) in
      guard candidate.isEdit else { return (-1, candidate) }
      let outline = Outline(of: candidate.text).text
      let rank = outlines.firstIndex(of: outline) ?? outlines.count
      if rank == outlines.count { outlines.append(outline) }
      return (rank, candidate)
    }
    // Swift's sort keeps the order of equals.
    return ranked.sorted { $0.rank < $1.rank }.map(\.candidate)
  }

  /// Whether its text is the reference's but for some edits.
  private var isEdit: Bool {
    let answer: Answer
    switch role {
    case .reference, .stub: return false
    case .rightAnswer(let right): answer = right.answer
    case .mistake(let mistake): answer = mistake.answer
    }
    return if case .edits = answer { true } else { false }
  }
}
