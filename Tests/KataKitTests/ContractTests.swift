import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct ContractTests {
  private let stub = """
    import Foundation

    /// Keeps one thing.
    ///
    /// It's kept until ``drop()`` is called. Who asks
    /// twice gets it twice! **Threads.** Any (of them).
    ///
    /// **Ends.** Nothing is left.
    ///
    /// ```swift
    /// box.keep(1) // Isn't read.
    /// ```
    ///
    /// # Heading
    ///
    /// - One item, e.g. this
    ///   one. And more.
    /// - Warning: May block.
    ///
    /// Source: a book. Chapter 2.
    ///
    /// Your turn. Write it.
    ///
    /// 1. With a lock.
    public final class Box {
      // A remark. No promise.

      /// Keeps `value`.
      ///
      /// - Parameters:
      ///   - value: What to keep.
      /// - Returns: Whether it's new.
      public func keep(_ value: Int) -> Bool { false }

      /// Keeps one thing.
      public func drop() {}
    }
    """

  @Test func `sentences are what is promised, each once`() {
    #expect(
      Contract.sentences(in: stub) == [
        "Keeps one thing.", "It's kept until ``drop()`` is called.",
        "Who asks twice gets it twice!",
        "**Threads.** Any (of them).", "Nothing is left.", "One item, e.g. this one.", "And more.",
        "May block.", "Keeps `value`.", "value: What to keep.", "Whether it's new.",
      ])
  }

  @Test func `a reference says what its stub says`() throws {
    for kata in Catalogue.katas {
      let repository = Fixtures.repository
      let missing = Contract.missing(
        from: try repository.text(repository.referencePath(of: kata)),
        of: try repository.text(repository.stubPath(of: kata)))
      #expect(missing.isEmpty, "\(repository.referencePath(of: kata)) lacks these sentences.")
    }
  }

  @Test func `links and private helpers make no difference between stub and reference`() {
    let stub = """
      /// Ends with `Fault.late`. Stays.
      public func end() {}

      /// Helps.
      /// Much.
      private func help() {}

      /// Given: the clock.
      public let clock = 1
      """
    let reference = """
      /// The clock.
      public let clock = 1

      /// More is said. Ends with ``Fault/late``.
      public func end() {}
      """
    #expect(Contract.missing(from: reference, of: stub) == ["Stays."])
  }

  private func kata(_ mistakes: [String: [String]], unproven: [Unproven] = []) -> Kata {
    Kata(
      "Box", module: .barriers, title: "", difficulty: 1, minutes: 1, hints: [],
      mistakes: mistakes.sorted { $0.key < $1.key }.map {
        Mistake($0.key, .edit("a", "b"), breaks: $0.value, rejectedBy: ["t"], advice: "")
      }, rightAnswers: [], unproven: unproven)
  }

  private let short = "/// One. Two. Twofold.\nstruct Box {}"

  @Test func `every promise is broken by a mistake or listed`() {
    let contract = Contract(
      of: kata(["first": ["One."]], unproven: [Unproven("fold", "a word")]), stub: short)
    #expect(contract.promises == ["One.", "Two."])
    #expect(contract.breaking["One."]?.map(\.name) == ["first"])
    #expect(contract.shortfalls == ["no mistake breaks this promise: Two."])
  }

  @Test func `a quotation stands in one sentence`() {
    let contract = Contract(
      of: kata(
        ["first": ["One.", "Two."], "second": ["Two"], "third": ["Three"]],
        unproven: [Unproven("Twofold.", "a word"), Unproven("Four", "a number")]), stub: short)
    #expect(
      contract.shortfalls == [
        "second: this stands in 2 sentences of the stub's documentation: Two",
        "third: this stands in no sentence of the stub's documentation: Three",
        "unproven: this stands in no sentence of the stub's documentation: Four",
      ])
  }

  @Test func `a mistake that quotes nothing falls short, and so does an entry that isn't needed`() {
    let contract = Contract(
      of: kata(
        ["first": ["One.", "Two.", "Twofold."], "second": []],
        unproven: [Unproven("One.", "a number")]), stub: short)
    #expect(
      contract.shortfalls == [
        "second: it must quote what it breaks ('breaks:')", "unproven: 'first' breaks it: One.",
      ])
  }

  @Test func `a promise counts as proven once a mistake that breaks it was rejected`() {
    let kata = kata(
      ["first": ["One."], "second": ["Two."]], unproven: [Unproven("fold", "a word")])
    let contract = Contract(of: kata, stub: short)
    var report = ProofReport()
    report.note(contract, of: kata, rejected: ["second"])
    #expect(report.promises == 2 && report.promisesProven == 1 && report.unproven == 1)
    #expect(report.line.contains("1 of 2 promises broken by a mistake that is rejected"))
  }
}
