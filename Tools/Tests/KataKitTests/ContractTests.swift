import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct ContractTests {
  private let stub = """
    /// Keeps things, one after another.
    ///
    /// - Things come out in the
    ///   order of their coming.
    /// - `drop` is safe: twice, too.
    ///
    /// Your turn.
    ///
    /// - Take a lock.
    struct Box {
      /// Keeps one.
      ///
      /// - Parameters:
      ///   - value: What to keep.
      /// - Returns: Whether it's new,
      ///   or nil.
      /// - Throws: Nothing.
      func keep() {}
    }
    """

  private let promises = [
    Promise("order", "Things come out in the order of their coming."),
    Promise("dropped twice", "`drop` is safe: twice, too."),
    Promise("new", "Whether it's new, or nil."),
  ]

  private func kata(
    promising promises: [Promise], _ mistakes: [String: [String]]
  ) -> Kata {
    Kata(
      "Box", module: .barriers, title: "", difficulty: 1, minutes: 1, hints: [],
      promises: promises,
      mistakes: mistakes.sorted { $0.key < $1.key }.map {
        Mistake($0.key, .edit("a", "b"), breaks: $0.value, rejectedBy: ["t"], advice: "")
      }, rightAnswers: [])
  }

  @Test func `promises are the stub's bullets, and what it returns if that is one`() {
    let contract = Contract(
      of: kata(promising: promises, ["a": ["order", "new"], "b": ["dropped twice"]]), stub: stub)
    #expect(contract.shortfalls.isEmpty)
    #expect(contract.promises == promises)
    #expect(contract.breaking["new"]?.map(\.name) == ["a"])
  }

  @Test
  func `a bullet without a name falls short, a name without a bullet, and one that there isn't`() {
    let promises = [promises[0], Promise("lock", "Take a lock.")]
    let contract = Contract(
      of: kata(promising: promises, ["a": ["order"], "b": ["ordre"], "c": ["lock"]]), stub: stub)
    #expect(
      contract.shortfalls == [
        "lock: no bullet of the stub is the same: Take a lock.",
        "Kata.md has no promise for this bullet of the stub: `drop` is safe: twice, too.",
        "b: there is no promise 'ordre'; did you mean 'order'?",
      ])
  }

  @Test func `every promise is broken by a mistake, and every mistake breaks one`() {
    let contract = Contract(
      of: kata(promising: promises, ["a": ["order", "new"], "b": []]), stub: stub)
    #expect(
      contract.shortfalls == [
        "b: it must say which promise it breaks ('breaks:')",
        "no mistake breaks this promise: `drop` is safe: twice, too.",
      ])
  }

  @Test func `a promise counts as proven once a mistake that breaks it was rejected`() {
    let kata = kata(
      promising: promises, ["a": ["order", "new"], "b": ["dropped twice"]])
    let contract = Contract(of: kata, stub: stub)
    var report = ProofReport()
    report.note(contract, of: kata, rejected: ["b"])
    #expect(report.promises == 3 && report.promisesProven == 1)
    #expect(report.line.contains("1 of 3 promises broken by a mistake that is rejected"))
  }

  @Test func `links make no difference between stub and reference`() {
    let kata = kata(
      promising: [Promise("late", "Ends with `Fault.late`."), Promise("stays", "It stays.")], [:])
    let reference = """
      /// Ends.
      ///
      /// - Ends with ``Fault/late``.
      /// - More is promised.
      public func end() {}
      """
    #expect(Contract.missing(from: reference, of: kata) == ["It stays."])
  }

  @Test(arguments: Catalogue.katas.map(\.name))
  func `a kata's promises are its stub's, and its reference makes them too`(name: String) throws {
    let kata = try #require(Catalogue.katas.first { $0.name == name })
    let repository = Fixtures.repository
    let stub = try repository.text("\(kata.folder)/Answers/Stub.swift")
    #expect(Contract(of: kata, stub: stub).shortfalls == [])
    #expect(
      Contract.missing(from: try repository.text(repository.referencePath(of: kata)), of: kata)
        == [])
  }
}
