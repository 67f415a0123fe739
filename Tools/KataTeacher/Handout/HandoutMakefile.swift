/// The Makefile for participants, with the targets that work in the handout.
struct HandoutMakefile {
  let text: String

  private static let ofParticipants: Set = [
    "help", "help-all", "kata", "run", "list", "page", "hint", "solution", "reset", "report",
    "export", "import",
    "doctor", "clean", "tool", "teacher-tool",
  ]
  /// Targets that need the references.
  private static let ofTheReferences: Set = ["verify", "diagnosis", "author-tool"]

  /// Removes from `makefile` the targets that need more; it has an empty line between any two
  /// targets.
  init(_ makefile: String, hasReferences: Bool) {
    let kept = Self.ofParticipants.union(hasReferences ? Self.ofTheReferences : [])
    text = makefile.split(separator: "\n\n", omittingEmptySubsequences: false)
      .filter { paragraph in
        paragraph.split(separator: "\n").compactMap(Self.target).allSatisfy(kept.contains)
      }
      .map { paragraph in
        paragraph.split(separator: "\n", omittingEmptySubsequences: false).map { line in
          guard line.hasPrefix(".PHONY:") else { return String(line) }
          return line.split(separator: " ")
            .filter { $0 == ".PHONY:" || kept.contains(String($0)) }.joined(separator: " ")
        }.joined(separator: "\n")
      }.joined(separator: "\n\n")
  }

  /// The target that a line begins, if it does.
  private static func target(in line: Substring) -> String? {
    line.prefixMatch(of: #/([a-z][a-z-]*):(?!=)/#).map { String($0.1) }
  }
}
