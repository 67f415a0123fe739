import Foundation
import KataKit
import KataPictures

/// The pictures of all katas: what their specs show of the reference and of each mistake.
///
/// They stand in a generated file in each kata's folder, as far as a page shows them: beside a mistake's, or
/// where it asks for them. The documentation reads them and does without where they're missing; `verify`
/// writes them. As threads have their luck, a picture that still tells the
/// same is never replaced by another.
struct PictureBook: Equatable, Sendable {
  /// The name of the generated file in a kata's folder.
  static let file = "Pictures.json"

  /// The generated file of a kata, relative to the root.
  static func path(of kata: Kata) -> String { "\(kata.folder)/\(file)" }

  /// The moment at which a spec objected to a mistake.
  struct Objection: Codable, Equatable, Sendable {
    /// The test that objected.
    let test: String
    /// What it said.
    let says: String
    /// What had happened until then; nil where the spec has no timeline of it.
    let events: [TimelineEvent]?
  }

  /// The pictures of one kata.
  struct Page: Codable, Equatable, Sendable {
    /// By test, what the reference did; where the test has a timeline.
    var tests: [String: [TimelineEvent]] = [:]
    /// By mistake, what came of it; where it has been shown.
    var mistakes: [String: Objection] = [:]

    var isEmpty: Bool { tests.isEmpty && mistakes.isEmpty }
  }

  /// The pictures by kata.
  private(set) var pages: [String: Page] = [:]

  init(_ pages: [String: Page] = [:]) {
    self.pages = pages
  }

  /// What the reference of a kata did in a test; nil where there is no picture.
  func events(of test: String, in kata: String) -> [TimelineEvent]? { pages[kata]?.tests[test] }

  /// What a spec objected to in a mistake; nil where there is no picture.
  func objection(to mistake: String, in kata: String) -> Objection? {
    pages[kata]?.mistakes[mistake]
  }

  // MARK: - The files

  /// The pictures of some katas: none where there are no files; throws where one is damaged.
  static func read(_ katas: [Kata], in repository: Repository) throws -> PictureBook {
    var book = PictureBook()
    for kata in katas where repository.exists(path(of: kata)) {
      let path = path(of: kata)
      guard let text = try? repository.text(path),
        let page = try? JSONDecoder().decode(Page.self, from: Data(text.utf8))
      else {
        throw KataError(
          """
          \(path) can't be read; restore it with 'git checkout -- \(path)', or remove it and run \
          'make verify KATA=\(kata.name)'.
          """, .environment)
      }
      book.pages[kata.name] = page
    }
    return book
  }

  /// The text of a kata's file: a line for each test and each mistake.
  func text(of kata: String) throws -> String {
    let page = pages[kata] ?? Page()
    return """
      {
        "tests": \(try GeneratedJSON.object(page.tests, indent: "  ")),
        "mistakes": \(try GeneratedJSON.object(page.mistakes, indent: "  "))
      }

      """
  }

  // MARK: - Keeping it true

  /// Takes what a proof of `katas` has shown into the files of a clone; what has changed, a sentence each.
  ///
  /// A damaged file is left to whoever damaged it, since it may hold what this proof hasn't shown.
  static func update(
    _ katas: [Kata], in repository: Repository, with results: [CandidateResult]
  ) throws -> [String] {
    let before: PictureBook
    do {
      before = try read(katas, in: repository)
    } catch {
      return ["\(error)"]
    }
    var book = before
    let asked = try SiteFolder(repository: repository).pages().flatMap(\.picturesAsked)
    let news = book.update(with: results, catalogue: katas, asked: Set(asked))
    for kata in katas where before.pages[kata.name] != book.pages[kata.name] {
      if book.pages[kata.name] == nil {
        try? FileManager.default.removeItem(at: repository.url(path(of: kata)))
      } else {
        try repository.write(book.text(of: kata.name), to: path(of: kata))
      }
    }
    return news
  }

  /// Takes in what a proof has shown of some katas, and forgets what the catalogue no longer has, and the
  /// pictures that stand beside no mistake and no page has `asked` for by name.
  mutating func update(
    with results: [CandidateResult], catalogue: [Kata], asked: Set<String> = []
  ) -> [String] {
    let known = pages
    for result in results {
      let kata = result.candidate.kata.name
      switch result.candidate.role {
      case .reference where result.passedEveryTime: take(reference: result, of: kata)
      case .mistake(let mistake) where result.shortfall == nil:
        take(result, of: mistake, in: kata)
      case .reference, .mistake, .stub, .rightAnswer, .transplant, .mutant, .equivalent: break
      }
    }
    forget(allBut: catalogue, asked)
    return Set(known.keys).union(pages.keys).sorted().compactMap { kata in
      Self.news(of: kata, from: known[kata] ?? Page(), to: pages[kata] ?? Page())
    }
  }

  /// Keeps what is known of the tests that still draw, and takes in the others'.
  private mutating func take(reference result: CandidateResult, of kata: String) {
    let drawn = result.runs.flatMap(\.pictures).filter { $0.says == nil && $0.events.count >= 2 }
    var page = pages[kata] ?? Page()
    let known = page.tests
    page.tests = [:]
    for test in result.tests {
      let first = drawn.first { $0.test == test }?.events
      let kept = known[test]
      page.tests[test] = first.map { first in
        kept.map { Self.tellTheSame($0, first) ? $0 : first } ?? first
      }
    }
    // What a mistake is known to be rejected by may be gone.
    page.mistakes = page.mistakes.filter { result.tests.contains($0.value.test) }
    pages[kata] = page.isEmpty ? nil : page
  }

  /// Whether two pictures of a test differ by nothing but the order in which threads had their turns.
  private static func tellTheSame(_ one: [TimelineEvent], _ other: [TimelineEvent]) -> Bool {
    one.map(\.description).sorted() == other.map(\.description).sorted()
  }

  private mutating func take(_ result: CandidateResult, of mistake: Mistake, in kata: String) {
    let drawn = result.runs.flatMap(\.pictures)
    var first: Objection?
    for test in mistake.rejectedBy where first == nil {
      let picture = drawn.first { $0.test == test && $0.says != nil && !$0.events.isEmpty }
      first = picture.flatMap { picture in
        picture.says.map { Objection(test: test, says: $0, events: picture.events) }
      }
    }
    first = first ?? Self.words(of: result, about: mistake)
    let kept = pages[kata]?.mistakes[mistake.name]
    if let kept, let first, kept.test == first.test {
      // Words without a picture may have values in them that differ from run to run.
      if kept.says == first.says || (kept.events == nil && first.events == nil) { return }
    }
    pages[kata, default: Page()].mistakes[mistake.name] = first
    if pages[kata]?.isEmpty == true { pages[kata] = nil }
  }

  /// What a spec said of a mistake that it has no picture of.
  private static func words(of result: CandidateResult, about mistake: Mistake) -> Objection? {
    let reports = result.runs.flatMap(\.tests)
    for test in mistake.rejectedBy {
      let issues = reports.filter { $0.name == test }.flatMap(\.issues)
      guard let issue = issues.first(where: { !$0.message.isEmpty }) else { continue }
      // What is indented is a picture, which may stand before the words.
      let paragraphs = issue.sentence.split(separator: "\n\n")
      guard let words = paragraphs.first(where: { !$0.hasPrefix(" ") }) else { continue }
      let says = words.split(whereSeparator: \.isNewline).joined(separator: " ")
      // Addresses and ports are of one run alone, and long lists are for whoever has them on screen.
      if says.count <= 320, !says.contains(#/0x[0-9a-f]|127\.0\.0\.1|Error Domain/#) {
        return Objection(test: test, says: says, events: nil)
      }
    }
    return nil
  }

  /// Forgets the katas and the mistakes that the catalogue no longer has, and what nobody looks at.
  private mutating func forget(allBut catalogue: [Kata], _ asked: Set<String>) {
    for (name, page) in pages {
      let mistakes = catalogue.first { $0.name == name }.map { Set($0.mistakes.map(\.name)) }
      var page = mistakes == nil ? Page() : page
      page.mistakes = page.mistakes.filter { mistakes?.contains($0.key) == true }
      let beside = Set(page.mistakes.values.filter { $0.events != nil }.map(\.test))
      page.tests = page.tests.filter { test, _ in
        beside.contains(test) || asked.contains("\(name)/\(test)")
      }
      pages[name] = page.isEmpty ? nil : page
    }
  }

  /// What has become of a kata's pictures; nil where nothing has.
  private static func news(of kata: String, from old: Page, to new: Page) -> String? {
    let tests = changes(from: old.tests, to: new.tests)
    let mistakes = changes(from: old.mistakes, to: new.mistakes)
    guard !tests.isEmpty || !mistakes.isEmpty else { return nil }
    if old.isEmpty { return "\(kata): it was shown for the first time." }
    let names = tests.map { "'\($0)'" } + mistakes
    return names.count <= 2
      ? "\(kata): the picture of \(names.joined(separator: " and of ")) has changed."
      : "\(kata): \(names.count) pictures have changed."
  }

  private static func changes<Value: Equatable>(
    from old: [String: Value], to new: [String: Value]
  ) -> [String] {
    Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
  }
}
