import Foundation
import KataPictures
import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct PictureBookTests {
  private let kata = Fixtures.kata
  /// What pages ask for by name.
  private let asked: Set = ["Sample/alpha", "Sample/gone"]
  private let overlap = ["+a", "+b", "-a"].compactMap(TimelineEvent.init)
  private let turned = ["+b", "+a", "-a"].compactMap(TimelineEvent.init)
  private let other = ["+a", "-a"].compactMap(TimelineEvent.init)

  @Test func `of a test the first picture with two events is kept`() {
    var book = PictureBook()
    let news = book.update(
      with: [
        reference(
          Picture(test: "alpha", events: [overlap[0]]), Picture(test: "alpha", events: overlap),
          Picture(test: "alpha", events: other), Picture(test: "gone", events: other))
      ], catalogue: [kata], asked: asked)
    #expect(book.pages == ["Sample": .init(tests: ["alpha": overlap])])
    #expect(book.events(of: "alpha", in: "Sample") == overlap)
    #expect(book.events(of: "beta", in: "Sample") == nil)
    #expect(news == ["Sample: it was shown for the first time."])
  }

  @Test func `threads that took turns otherwise change nothing`() {
    var book = PictureBook(["Sample": .init(tests: ["alpha": overlap])])
    let again = reference(Picture(test: "alpha", events: turned))
    #expect(book.update(with: [again], catalogue: [kata], asked: asked).isEmpty)
    #expect(book.events(of: "alpha", in: "Sample") == overlap)
  }

  @Test func `another story is a new picture`() {
    var book = PictureBook(["Sample": .init(tests: ["alpha": overlap])])
    let news = book.update(
      with: [reference(Picture(test: "alpha", events: other))], catalogue: [kata], asked: asked)
    #expect(book.events(of: "alpha", in: "Sample") == other)
    #expect(news.count == 1)
  }

  @Test func `a test that draws no more loses its picture`() {
    let objection = PictureBook.Objection(test: "gone", says: "No.", events: other)
    var book = PictureBook([
      "Sample": .init(
        tests: ["alpha": overlap, "gone": other], mistakes: ["first": objection])
    ])
    let news = book.update(with: [reference()], catalogue: [kata], asked: asked)
    #expect(book.pages.isEmpty)
    #expect(news == ["Sample: 3 pictures have changed."])
  }

  @Test func `of a mistake the first test that must reject it and has a picture is shown`() {
    var book = PictureBook()
    _ = book.update(
      with: [
        rejected(
          Picture(test: "gamma", says: "Not this.", events: other),
          Picture(test: "beta", events: other),
          Picture(test: "beta", says: "Overlap.", events: overlap),
          Picture(test: "beta", says: "Again.", events: other))
      ], catalogue: [kata], asked: asked)
    #expect(
      book.objection(to: "second", in: "Sample")
        == .init(test: "beta", says: "Overlap.", events: overlap))
  }

  @Test func `a mistake of which the same is said keeps its picture`() {
    let known = PictureBook.Objection(test: "alpha", says: "Overlap.", events: overlap)
    var book = PictureBook(["Sample": .init(mistakes: ["second": known])])
    let same = rejected(Picture(test: "alpha", says: "Overlap.", events: other))
    #expect(book.update(with: [same], catalogue: [kata], asked: asked).isEmpty)
    #expect(book.objection(to: "second", in: "Sample") == known)
    let changed = rejected(Picture(test: "alpha", says: "No overlap.", events: other))
    #expect(book.update(with: [changed], catalogue: [kata], asked: asked).count == 1)
    #expect(book.objection(to: "second", in: "Sample")?.events == other)
    #expect(book.update(with: [rejected()], catalogue: [kata], asked: asked).count == 1)
    #expect(book.pages.isEmpty)
  }

  @Test func `without a picture the spec's own words are kept`() {
    var result = rejected()
    for index in result.runs[0].tests.indices {
      result.runs[0].tests[index].issues = [
        TestIssue(
          expectation: "Expectation failed: a == b", message: "2 of 8\nwere lost.\n\n  a  ├──┤",
          file: nil, line: nil)
      ]
    }
    var book = PictureBook()
    #expect(book.update(with: [result], catalogue: [kata], asked: asked).count == 1)
    #expect(
      book.objection(to: "second", in: "Sample")
        == .init(test: "alpha", says: "2 of 8 were lost.", events: nil))
    result.runs[0].tests[0].issues = [
      TestIssue(expectation: "", message: "3 of 8 were lost.", file: nil, line: nil)
    ]
    #expect(book.update(with: [result], catalogue: [kata], asked: asked).isEmpty)
    result.runs[0].tests[0].issues = [
      TestIssue(expectation: "", message: "Nothing came.", file: nil, line: nil)
    ]
    #expect(book.update(with: [result], catalogue: [kata], asked: asked).count == 1)
    #expect(book.objection(to: "second", in: "Sample")?.says == "Nothing came.")
    let pictured = rejected(Picture(test: "alpha", says: "Overlap.", events: overlap))
    #expect(book.update(with: [pictured], catalogue: [kata], asked: asked).count == 1)
    #expect(book.objection(to: "second", in: "Sample")?.events == overlap)
  }

  @Test func `words may stand behind an indented paragraph`() throws {
    var result = rejected()
    result.runs[0].tests[0].issues = [
      TestIssue(
        expectation: "", message: "  thread 1\n  put(1)\n\nNo order of these calls gives that.",
        file: nil, line: nil)
    ]
    var book = PictureBook()
    #expect(book.update(with: [result], catalogue: [kata], asked: asked).count == 1)
    let objection = try #require(book.objection(to: "second", in: "Sample"))
    #expect(objection.says == "No order of these calls gives that.")
    #expect(objection.run == nil)
  }

  @Test func `the columns of a schedule are kept as long as the answer has their code`() throws {
    let test = "in every schedule a put is taken"
    let mistake = Mistake("second", .edit("a", "c"), rejectedBy: [test], advice: "Do that.")
    let kata = Kata(
      "Sample", module: .barriers, title: "A sample", difficulty: 1, minutes: 5,
      hints: ["one", "two", "three"], mistakes: [mistake], rightAnswers: [])
    var book = PictureBook()
    func columns(of answer: String, line: Int = 61, _ code: String, _ call: String) -> [String]? {
      var result = CandidateResult(
        candidate: Candidate(kata: kata, role: .mistake(mistake), text: answer))
      let message = """
          thread 1
          ── held here ──
          line \(line)  \(code)
          \(call) → 2

        No order of these calls gives that.
        """
      var report = TestReport(name: test, status: .failed, line: 1, id: test)
      report.issues = [TestIssue(expectation: "", message: message, file: nil, line: nil)]
      result.runs = [SpecRun()]
      result.runs[0].tests = [report]
      _ = book.update(with: [result], catalogue: [kata])
      return book.objection(to: "second", in: "Sample")?.run
    }
    let answer = "  let isIn = lock.withLock { !isClosed }\n  count += 1\n"
    let first = columns(of: answer, "count += 1", "take()")
    #expect(first == ["thread 1", "── held here ──", "count += 1", "take() → 2"])
    #expect(try book.text(of: "Sample").contains(#""run":["thread 1","#))
    // Where more than one schedule fails, which one is found may change.
    #expect(columns(of: answer, line: 62, "count += 1", "close()") == first)
    let changed = answer.replacing("count += 1", with: "count += 2")
    let later = columns(of: changed, "count += 2", "close()")
    #expect(later == ["thread 1", "── held here ──", "count += 2", "close() → 2"])
  }

  @Test func `a picture that no page shows isn't kept`() {
    var book = PictureBook()
    let results = [
      reference(Picture(test: "alpha", events: overlap), Picture(test: "beta", events: other)),
      rejected(Picture(test: "beta", says: "Overlap.", events: overlap)),
    ]
    _ = book.update(with: results, catalogue: [kata])
    #expect(book.pages["Sample"]?.tests == ["beta": other])
    _ = book.update(with: results, catalogue: [kata], asked: asked)
    #expect(book.pages["Sample"]?.tests == ["alpha": overlap, "beta": other])
    _ = book.update(with: [rejected()], catalogue: [kata])
    #expect(book.pages.isEmpty)
  }

  @Test func `what falls short changes nothing`() {
    let known = PictureBook(["Sample": .init(tests: ["alpha": overlap])])
    var book = known
    var failed = reference(Picture(test: "alpha", events: other))
    failed.runs[0].tests[0].status = .failed
    var escaped = rejected(Picture(test: "alpha", says: "No.", events: other))
    escaped.runs[0].tests[0].status = .passed
    #expect(book.update(with: [failed, escaped], catalogue: [kata], asked: asked).isEmpty)
    #expect(book == known)
  }

  @Test func `what the catalogue no longer has is forgotten, and nothing else`() {
    let objection = PictureBook.Objection(test: "alpha", says: "No.", events: other)
    var book = PictureBook([
      "Sample": .init(
        tests: ["alpha": other], mistakes: ["first": objection, "gone": objection]),
      "Gone": .init(tests: ["alpha": other]),
    ])
    let news = book.update(with: [], catalogue: [kata], asked: asked)
    #expect(
      book.pages == [
        "Sample": .init(tests: ["alpha": other], mistakes: ["first": objection])
      ])
    #expect(
      news == [
        "Gone: the picture of 'alpha' has changed.", "Sample: the picture of gone has changed.",
      ])
  }

  // MARK: - The file

  @Test func `the file is read as it was written, a line for each picture`() throws {
    let book = PictureBook([
      "Sample": .init(
        tests: ["b": other, "a \"quoted\"": overlap],
        mistakes: [
          "first": .init(test: "alpha", says: "Two\nlines.", events: other),
          "second": .init(test: "beta", says: "No.", events: nil),
        ])
    ])
    let text = try book.text(of: "Sample")
    #expect(text.contains("\n    \"b\": [\"+a\",\"-a\"]\n"))
    #expect(text.contains("\n    \"second\": {\"says\":\"No.\",\"test\":\"beta\"}\n"))
    let kata = Fixtures.kata
    let path = PictureBook.path(of: kata)
    try Fixtures.withEmptyRepository { repository in
      #expect(try PictureBook.read([kata], in: repository) == PictureBook())
      try repository.write(text, to: path)
      #expect(try PictureBook.read([kata], in: repository) == book)
      try repository.write("<<<<<<< HEAD", to: path)
      let error = #expect(throws: KataError.self) { try PictureBook.read([kata], in: repository) }
      #expect(error?.description.contains("git checkout -- \(path)") == true)
      #expect(try PictureBook.update([kata], in: repository, with: []).count == 1)
      #expect(try repository.text(path) == "<<<<<<< HEAD")
    }
  }

  @Test func `the committed files are such as verify could have written`() throws {
    let book = try PictureBook.read(Catalogue.katas, in: Fixtures.repository)
    for kata in Catalogue.katas where book.pages[kata.name] != nil {
      let path = PictureBook.path(of: kata)
      #expect(
        try book.text(of: kata.name) == Fixtures.repository.text(path),
        "\(path) is generated: let 'make verify' write it.")
    }
  }

  @Test func `what a process has left is read, but for a line cut short`() {
    var run = SpecRun()
    run.pictureLines = Data(
      """
      {"test":"alpha","events":["+a","-a"]}
      {"test":"gamma","ev
      {"test":"beta","says":"No.","events":["+a"]}

      """.utf8)
    #expect(
      run.pictures == [
        Picture(test: "alpha", events: other),
        Picture(test: "beta", says: "No.", events: [other[0]]),
      ])
    #expect(SpecRun().pictures.isEmpty)
  }

  // MARK: - Fixtures

  /// The lines that a spec's process writes.
  private static func lines(of pictures: [Picture]) -> Data {
    let lines = pictures.compactMap { try? JSONEncoder().encode($0) }
    return Data(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  private func reference(_ pictures: Picture...) -> CandidateResult {
    var result = CandidateResult(candidate: Candidate(kata: kata, role: .reference, text: ""))
    result.runs = [Fixtures.run()]
    result.runs[0].pictureLines = Self.lines(of: pictures)
    return result
  }

  /// The mistake that alpha and beta must reject, rejected by both.
  private func rejected(_ pictures: Picture...) -> CandidateResult {
    var result = CandidateResult(
      candidate: Candidate(kata: kata, role: .mistake(kata.mistakes[1]), text: ""))
    result.runs = [Fixtures.run(alpha: .failed, beta: .failed)]
    result.runs[0].pictureLines = Self.lines(of: pictures)
    return result
  }
}
