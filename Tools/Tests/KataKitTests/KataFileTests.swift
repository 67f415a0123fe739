import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit
@testable import KataTeacher

@Suite struct KataFileTests {
  private static let text = """
    ---
    title: A counter of visits
    difficulty: 2
    minutes: 15
    needs: SerialLog, PhotoStore
    builds on: AsyncOperation
    ---

    # VisitCounter

    ## Hint

    A thread that adds to a number
    reads it first.

    ## Question

    Why a lock?

    Reading and writing are two steps.

    ## Promises

    - every visit: Every visit counts: no update
      is lost.
    - unlike: No two are ever alike.

    ## Mistake: no `lock`

    - breaks: every visit, unlike
    - rejected by: every visit counts
    - rejected by: no thread waits: never
    - verdict: race

    Visits are lost; take
    the lock.

    ```diff
     first
    -second
    +2

    @@
    +zeroth
     ninth
    ```

    ## Mistake: counts twice

    - rejected by: every visit counts
    - needs: two cores
    - answer: CountsTwice.swift

    Count once.

    ## Right answer: a queue

    - answer: Queue.swift

    ## Equivalent mutant: left out: `lock.lock()`

    No other thread is there.

    """

  private func kata(_ text: String = text) throws -> Kata {
    try KataFile(text, path: "Kata.md").kata(named: "VisitCounter", in: .barriers)
  }

  @Test func `all that the file says is read`() throws {
    let kata = try kata()
    #expect(kata.title == "A counter of visits")
    #expect(kata.difficulty == 2 && kata.minutes == 15)
    #expect(kata.needs == ["SerialLog", "PhotoStore"] && kata.buildsOn == ["AsyncOperation"])
    #expect(kata.hints == ["A thread that adds to a number reads it first."])
    #expect(kata.questions.map(\.text) == ["Why a lock?"])
    #expect(kata.questions.map(\.answer) == ["Reading and writing are two steps."])
    #expect(kata.mistakes.map(\.name) == ["no `lock`", "counts twice"])
    let mistake = kata.mistakes[0]
    #expect(
      kata.promises == [
        Promise("every visit", "Every visit counts: no update is lost."),
        Promise("unlike", "No two are ever alike."),
      ])
    #expect(mistake.breaks == ["every visit", "unlike"])
    #expect(mistake.rejectedBy == ["every visit counts", "no thread waits: never"])
    #expect(mistake.verdict == .race && kata.mistakes[1].verdict == .failed)
    #expect(!mistake.needsCores && kata.mistakes[1].needsCores)
    #expect(mistake.advice == "Visits are lost; take the lock.")
    #expect(kata.rightAnswers.map(\.name) == ["a queue"])
    #expect(kata.equivalents.map(\.mutant) == ["left out: `lock.lock()`"])
    guard case .change(let change) = mistake.answer, case .file(let file) = kata.mistakes[1].answer
    else {
      Issue.record("The first mistake is a change and the second a file.")
      return
    }
    #expect(file == "CountsTwice.swift")
    #expect(
      try change.applied(to: "first\nsecond\n\nthird\nninth\n")
        == "first\n2\n\nthird\nzeroth\nninth\n")
  }

  @Test(arguments: [
    ("---\ntitle", "title", 1, "the first line must be '---'"),
    ("minutes: 15\n", "", 6, "the head needs a line 'minutes: …'"),
    ("minutes: 15", "minutes: soon", 4, "'minutes' is a number from 1 to 240, not 'soon'"),
    ("difficulty: 2", "difficulty: 6", 3, "'difficulty' is a number from 1 to 5, not '6'"),
    ("needs: SerialLog", "after: SerialLog", 5, "there is no 'after' in a head"),
    ("minutes: 15", "title: Another", 4, "'title' appears a second time"),
    (
      "## Hint\n", "## Hints\n", 11,
      "no section begins like that; they begin with '## Hint', '## Question'"
    ),
    ("Why a lock?\n", "\n", 16, "'Question' has a paragraph that asks, and one that answers"),
    (
      "- unlike: No two", "- every visit: No two", 26, "there is a promise 'every visit' already"
    ),
    ("- unlike: No two", "- so, unlike: No two", 26, "a promise's name has no comma"),
    ("- unlike: No two", "No two", 26, "'- name: the bullet of the stub' is expected"),
    ("## Mistake: no", "## Promises\n\n## Mistake: no", 28, "'## Promises' appears a second"),
    (
      "- rejected by: every visit counts\n- rejected by: no thread waits: never\n", "", 28,
      "needs a line"
    ),
    ("- verdict: race", "- verdict: passed", 33, "a mistake's verdict is 'failed', 'hung'"),
    ("- verdict: race", "- needs: patience", 33, "a mistake can need only 'two cores'"),
    ("- verdict: race", "- verdict:", 33, "'key: value' is expected"),
    ("- verdict: race", "- colour: red", 33, "there is no 'colour' here; there is 'breaks'"),
    ("```diff", "```swift", 28, "the change stands in a block that begins with '```diff'"),
    ("```diff", "- answer: A.swift\n```diff", 38, "the list belongs above the text"),
    (" first\n-second", "first\n-second", 39, "a line of a diff begins with a space, '-', '+'"),
    ("\n+zeroth\n ninth", "\n ninth", 44, "this part of the diff changes nothing"),
    ("\n ninth", "", 44, "this part of the diff doesn't say where"),
    (
      "- answer: Queue.swift", "- answer: ../Queue.swift", 58,
      "'answer' is the name of a Swift file"
    ),
    (
      "# VisitCounter\n", "VisitCounter\n", 9,
      "above the first section only the head"
    ),
    (" ninth\n```", " ninth", 62, "a block that begins with '```' has no end"),
    (
      "No other thread is there.\n", "No other thread is there.\n\nNever.\n", 60,
      "'Equivalent mutant' has one paragraph"
    ),
  ])
  func `a fault is reported with its line`(
    part: String, instead: String, line: Int, says: String
  ) throws {
    let places = Self.text.ranges(of: part)
    let first = try #require(places.first, "'\(part)' isn't in the sample.")
    let error = #expect(throws: KataError.self) {
      try kata(Self.text.replacingCharacters(in: first, with: instead))
    }
    let message = error?.description ?? ""
    #expect(message.hasPrefix("Kata.md:\(line): "), "\(message)")
    #expect(message.contains(says), "\(message)")
  }

  @Test func `line ends that git has changed don't matter`() throws {
    let text = Self.text.replacing("\n", with: "\r\n")
    #expect(try kata(text).mistakes.map(\.advice) == (try kata().mistakes.map(\.advice)))
    #expect(try TeachingOrder("Barriers\r\n  First\r\n").entries.map(\.name) == ["First"])
  }

  @Test func `participants get it without answers, and teachers' parts stay at home`() throws {
    let file = try KataFile(Self.text, path: "Kata.md")
    let text = file.forParticipants(among: ["PhotoStore"], hasReferences: false)
    for part in [
      "```", "+2", "Queue", "CountsTwice", "Why a lock?", "mutant", "SerialLog", "breaks", "alike",
    ] {
      #expect(!text.contains(part), "\(part)")
    }
    let handedOut = try kata(text)
    #expect(handedOut.needs == ["PhotoStore"])
    #expect(handedOut.mistakes.map(\.advice) == (try kata().mistakes.map(\.advice)))
    #expect(handedOut.mistakes.allSatisfy { $0.answer == nil })
    let whole = try kata(file.forParticipants(among: [], hasReferences: true))
    #expect(whole.needs.isEmpty && whole.questions.isEmpty && whole.equivalents.isEmpty)
    #expect(whole.rightAnswers.count == 1 && whole.mistakes.allSatisfy { $0.answer != nil })
  }
}

@Suite struct ChangeTests {
  private func change(_ hunks: (old: [String], new: [String])...) -> Change {
    Change(hunks.map { Change.Hunk(line: 7, old: $0.old, new: $0.new) })
  }

  @Test func `each part is found where its lines stand`() throws {
    let change = change((["a"], []), (["b", "c"], ["x"]))
    #expect(try change.applied(to: "a\nb\nb\nc\n") == "b\nx\n")
  }

  @Test(arguments: [("a\na\nb", 2), ("b", 0), ("b\na", 0)])
  func `a part that fits nowhere, or twice, or before another is refused`(text: String, count: Int)
  {
    let change = change((["a"], ["x"]), (["b"], ["y"]))
    let error = #expect(throws: Change.Misfit.self) { try change.applied(to: text) }
    #expect(error?.count == count && error?.hunk.line == 7)
  }

  @Test func `what a part puts in isn't looked through for the next`() throws {
    #expect(try change((["a"], ["b"]), (["b"], ["y"])).applied(to: "a\nb") == "b\ny")
  }
}

@Suite struct TeachingOrderTests {
  @Test func `the order is that of the lines`() throws {
    let text = "# Order\n\nGCDBasics\n  Second\n  First\n\nBarriers\n  Third\n"
    let order = try TeachingOrder(text)
    #expect(order.entries.map(\.name) == ["Second", "First", "Third"])
    #expect(order.entries.map(\.module) == [.gcdBasics, .gcdBasics, .barriers])
  }

  @Test func `the file is such as a handout would have it`() throws {
    let text = try Fixtures.repository.text(TeachingOrder.path)
    #expect(TeachingOrder.text(of: Catalogue.katas) == text)
  }

  @Test(arguments: [
    ("  First\n", 1, "a module must stand above its katas"),
    ("GCD\n  First\n", 1, "'GCD' is no module; they are GCDBasics, "),
    ("Barriers\n  First\n\n  First\n", 4, "'First' is listed a second time"),
  ])
  func `a fault is reported with its line`(text: String, line: Int, says: String) {
    let error = #expect(throws: KataError.self) { try TeachingOrder(text) }
    #expect(error?.description.hasPrefix("Tests/Order.txt:\(line): \(says)") == true)
  }

  @Test func `a kata that isn't listed is reported`() throws {
    try Fixtures.withEmptyRepository { repository in
      try repository.write("Barriers\n", to: TeachingOrder.path)
      try repository.write("", to: "Tests/Gallery/Barriers/VisitCounter/Kata.md")
      let error = #expect(throws: KataError.self) { try TeachingOrder(in: repository) }
      #expect(error?.description.contains("doesn't list 'VisitCounter' below 'Barriers'") == true)
    }
  }
}
