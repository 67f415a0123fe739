/// The Makefile as participants get it: without the targets that need what they haven't got.
struct HandoutMakefile {
  let text: String

  /// Targets for which the tools' tests, the docs or the benchmarks would have to be there.
  private static let ofTheClone: Set = ["bench-loop", "docs", "docs-check", "format", "lint"]
  /// Targets that make something out of the references, or prove them.
  private static let ofTheReferences: Set = [
    "diagnosis", "handout", "scoreboard", "grade", "test", "verify",
  ]

  init(_ makefile: String, hasReferences: Bool) {
    // With references a kata can be proven, but what is made out of all of them can't.
    let dropped = Self.ofTheClone.union(Self.ofTheReferences)
      .subtracting(hasReferences ? ["verify", "diagnosis", "scoreboard", "grade"] : [])
    text = makefile.split(separator: "\n\n", omittingEmptySubsequences: false)
      .filter { paragraph in
        !paragraph.split(separator: "\n").contains { line in
          dropped.contains { line.hasPrefix("\($0):") }
        }
      }
      .map { paragraph in
        paragraph.split(separator: "\n", omittingEmptySubsequences: false).map { line in
          guard line.hasPrefix(".PHONY:") else { return String(line) }
          return line.split(separator: " ").filter { !dropped.contains(String($0)) }
            .joined(separator: " ")
        }.joined(separator: "\n")
      }.joined(separator: "\n\n")
  }
}
