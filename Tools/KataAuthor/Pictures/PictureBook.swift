import Foundation
import KataKit
import KataPictures

/// The pictures of all katas: what their specs show of the reference and of each mistake.
///
/// They are in a generated file in each kata's folder, if a page shows them: those of mistakes, and
/// those that a page names. The documentation reads them, and is built without missing ones;
/// `verify` writes them. The order of threads varies, so a picture that still shows the same is
/// never replaced.
struct PictureBook: Equatable, Sendable {
  /// The name of the generated file in a kata's folder.
  static let file = "Pictures.json"

  /// The generated file of a kata, relative to the root.
  static func path(of kata: Kata) -> String { "\(kata.folder)/\(file)" }

  /// The moment at which a spec rejected a mistake.
  struct Objection: Codable, Equatable, Sendable {
    /// The test that rejected it.
    let test: String
    /// The message.
    let says: String
    /// The events until then; nil if the spec has no timeline of it.
    let events: [TimelineEvent]?
    /// The schedule or the calls that the message shows, in lines; nil if it shows none.
    var run: [String]?

    /// Whether the code that is shown still is the answer's.
    fileprivate func isOf(_ answer: String) -> Bool {
      guard let run else { return true }
      return zip(run, run.dropFirst()).allSatisfy { line, next in
        // Code stands in the column of the held thread; what it does next may stand there as well.
        guard line.trimmingCharacters(in: .whitespaces) == "── held here ──",
          next.prefix(while: { $0 == " " }) == line.prefix(while: { $0 == " " }),
          !next.contains(" → "), !next.contains("── goes on ──")
        else { return true }
        return answer.contains(next.trimmingCharacters(in: .whitespaces).trimmingPrefix("after "))
      }
    }
  }

  /// The pictures of one kata.
  struct Page: Codable, Equatable, Sendable {
    /// The events of the reference, by test, if the test has a timeline.
    var tests: [String: [TimelineEvent]] = [:]
    /// The rejections, by mistake, if they were recorded.
    var mistakes: [String: Objection] = [:]

    var isEmpty: Bool { tests.isEmpty && mistakes.isEmpty }
  }

  /// The pictures by kata.
  private(set) var pages: [String: Page] = [:]

  init(_ pages: [String: Page] = [:]) {
    self.pages = pages
  }

  /// The events of a kata's reference in a test; nil if there is no picture.
  func events(of test: String, in kata: String) -> [TimelineEvent]? { pages[kata]?.tests[test] }

  /// The rejection of a mistake; nil if there is no picture.
  func objection(to mistake: String, in kata: String) -> Objection? {
    pages[kata]?.mistakes[mistake]
  }

  // MARK: - The files

  /// The pictures of some katas: empty if there are no files; throws if one is damaged.
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

  // MARK: - Keeping the files up to date

  /// Updates the files of a clone with the pictures of a proof of `katas`; returns the changes, in
  /// a sentence each.
  ///
  /// A damaged file isn't overwritten, since it may contain what this proof hasn't shown.
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

  /// Adds the pictures of a proof, and removes those that the catalogue no longer has, and those
  /// that belong to no mistake and aren't `asked` for by a page.
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

  /// Keeps the pictures of tests that still draw, and adds those of other tests.
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
    // The test that is known to reject a mistake may no longer exist.
    page.mistakes = page.mistakes.filter { result.tests.contains($0.value.test) }
    pages[kata] = page.isEmpty ? nil : page
  }

  /// Whether two pictures of a test differ only in the order of threads.
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
      let saysTheSame =
        kept.says == first.says
        || (kept.events == nil && first.events == nil && Self.isSaid(kept, of: result))
      let showsAsMuch = (kept.run == nil) == (first.run == nil)
      if saysTheSame, showsAsMuch, kept.isOf(result.candidate.text) { return }
    }
    pages[kata, default: Page()].mistakes[mistake.name] = first
    if pages[kata]?.isEmpty == true { pages[kata] = nil }
  }

  /// Removes the katas and the mistakes that the catalogue no longer has, and pictures that no page
  /// shows.
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

  /// How a kata's pictures have changed; nil if they haven't.
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
