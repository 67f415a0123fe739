import KataKit

/// The texts of a new kata: they compile, hold as a proof, and have a mark wherever the author has
/// to write.
extension Scaffold {
  /// The kata's own files, in the order in which they are written.
  func texts(in repository: Repository) -> [(String, String)] {
    [
      (repository.referencePath(of: kata), reference), (repository.learnerPath(of: kata), stub),
      (repository.stubPath(of: kata), stub), (repository.specPath(of: kata), spec),
      (kata.descriptionPath, description), (DocumentationPage.path(ofPage: kata.name), page),
    ]
  }

  var chapterRow: String { "WRITE: a link to <doc:\(kata.name)>, in its place." }
  var changelogRow: String { "- WRITE: that \(kata.name) is new, and what it's about." }

  private var promise: String { "WRITE: a promise that a test can show broken, with its subject." }

  private var reference: String {
    """
    /// WRITE: what it is, in a sentence.
    ///
    /// - \(promise)
    ///
    /// WRITE: what else users must know.
    public final class \(kata.name): Sendable {
      /// Creates one.
      public init() {}

      /// WRITE: the public API with its contract, in place of this.
      public var isSolved: Bool { true }
    }

    """
  }

  private var stub: String {
    "// Page: make page KATA=\(kata.name) (\(DocumentationPage.path(ofPage: kata.name)))\n\n"
      + reference.replacing(
        "WRITE: what else users must know.", with: "Your turn. WRITE: what to do."
      )
      .replacing(
        "the public API with its contract", with: "the API of the reference, with harmless bodies"
      )
      .replacing("{ true }", with: "{\n    // TODO: Solve it.\n    false\n  }")
  }

  private var spec: String {
    """
    import KataTesting
    import Testing

    /// WRITE: what it proves, in a sentence.
    @Suite(.serialized, .kata) struct \(kata.name)Tests {
      // WRITE: the tests, in place of this one.
      @Test func `the kata is solved`() throws {
        let answer = \(kata.name)()
        #expect(try mustReturn("isSolved") { answer.isSolved }, "It isn't solved yet.")
      }
    }

    extension \(kata.name): OpaqueMirror {}

    """
  }

  private var description: String {
    let hints = ["a nudge.", "the way.", "nearly the answer."].map { "## Hint\n\nWRITE: \($0)\n" }
    let questions = ["first", "then"].map {
      "## Question\n\nWRITE: what an instructor asks \($0)?\n\nWRITE: what a good answer says.\n"
    }
    let mistakes = ["first", "second", "third"].map {
      """
      ## Mistake: WRITE: the \($0) mistake, in a few words

      - breaks: promise
      - rejected by: the kata is solved

      WRITE: what goes wrong, and how to fix it; and below, how it differs from the reference.

      \(diff("false"))
      """
    }
    return """
      ---
      title: WRITE: what the learner builds, how hard it is and how long it takes
      difficulty: \(kata.difficulty)
      minutes: \(kata.minutes)
      ---

      # \(kata.name)

      \((hints + questions).joined(separator: "\n"))
      ## Promises

      - promise: \(promise)

      \(mistakes.joined(separator: "\n"))
      ## Right answer: WRITE: another design, in a few words

      \(diff("!false"))
      """
  }

  private func diff(_ value: String) -> String {
    "```diff\n-  public var isSolved: Bool { true }\n+  public var isSolved: Bool { \(value) }\n```\n"
  }

  private var page: String {
    "# \(kata.name)\n\nWRITE: what it is, in a sentence.\n\n## Overview\n\nWRITE: the story.\n"
  }
}
