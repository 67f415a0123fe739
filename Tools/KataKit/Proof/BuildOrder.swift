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

/// Which answers are built together, in which order: those that are slow to build with each other.
struct BuildOrder {
  /// The answers of each round, at most one to each kata.
  let rounds: [[Candidate]]

  /// Orders the answers to several katas; the reference is the first to each.
  ///
  /// An answer with an outline of its own has all specs of its module compiled again, and one that
  /// differs from the reference in bodies alone has none. So every kata begins with the former, in the
  /// first rounds, and ends with the latter, in the last ones.
  init(_ queues: [[Candidate]]) {
    let count = queues.map(\.count).max() ?? 0
    var rounds = [[Candidate]](repeating: [], count: count)
    for queue in queues {
      let reference = queue.first.map { Outline(of: $0.text).text }
      var others: [Candidate] = []
      var bodies: [Candidate] = []
      for (index, candidate) in queue.enumerated() {
        if index > 0, Outline(of: candidate.text).text == reference {
          bodies.append(candidate)
        } else {
          others.append(candidate)
        }
      }
      for (round, candidate) in others.enumerated() { rounds[round].append(candidate) }
      let start = count - bodies.count
      for (index, candidate) in bodies.enumerated() { rounds[start + index].append(candidate) }
    }
    self.rounds = rounds
  }
}
