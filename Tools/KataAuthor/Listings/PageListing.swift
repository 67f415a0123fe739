import KataKit

/// Code that a page shows, and the verdict that the page says it gets.
///
/// In a page, that is one Swift block, or two: the code, and the adapter for it. The verdict
/// follows in a line of its own, and after it optionally a quotation of the output:
///
///     > Verdict: PhotoStore, failed by "a write excludes reads".
struct PageListing: Sendable {
  /// What a page can say about its code.
  enum Expectation: Equatable, Sendable, CustomStringConvertible {
    case passed, keepsContract, race, needsAdapter
    /// The first test that isn't passed, and its result.
    case broken(Verdict.Kind, test: String)

    /// The wording of a page.
    var description: String {
      switch self {
      case .passed: "passed"
      case .keepsContract: "keeps the contract of Operation"
      case .race: "data race"
      case .needsAdapter: "needs an adapter"
      case .broken(.hung, let test): "hung in \"\(test)\""
      case .broken(.crashed, let test): "crashed in \"\(test)\""
      case .broken(_, let test): "failed by \"\(test)\""
      }
    }
  }

  let page: String
  /// The line of the verdict, counted from 1.
  let line: Int
  let kata: Kata
  let code: String
  let adapter: String?
  let expectation: Expectation
  /// The page's quotation of the output.
  let quotation: String?

  /// The listings of a page; empty if it has no verdicts.
  ///
  /// - Throws: A ``KataError`` with the line that isn't what is expected.
  static func all(in page: HandWrittenPage) throws -> [PageListing] {
    guard page.proseLines.contains(where: { $0.line.hasPrefix(verdictMark) }) else { return [] }
    var listings: [PageListing] = []
    var code: [Block] = []
    let blocks = Block.all(in: page.lines)
    for (index, line) in page.proseLines {
      code = blocks.filter {
        $0.language == "swift" && $0.end < index && $0.end > (listings.last?.line ?? 0)
      }
      guard line.hasPrefix(verdictMark) else { continue }
      let quotation = blocks.first { $0.start > index && $0.language == "text" }
      let isBelow = quotation.map { page.lines[(index + 1)..<$0.start].allSatisfy(\.isEmpty) }
      listings.append(
        try PageListing(
          page.file, index, line, code.map(\.text),
          quotation: isBelow == true ? quotation?.text : nil))
    }
    if let rest = blocks.last(where: { $0.language == "swift" }),
      rest.start > (listings.last?.line ?? 0)
    {
      throw fault(page.file, rest.start, "the page has verdicts, but none for this code")
    }
    return listings
  }

  private static let verdictMark = "> Verdict: "

  private init(
    _ page: String, _ index: Int, _ line: String, _ code: [String], quotation: String?
  ) throws {
    guard
      let match = line.wholeMatch(
        of: #/> Verdict: (\w+), (?:(failed by|hung in|crashed in) "(.+)"|([\w ]+))\./#)
    else {
      throw Self.fault(
        page, index,
        "a verdict is '\(Self.verdictMark)PhotoStore, failed by \"…\".', or 'hung in', 'crashed in', 'data race', "
          + "'passed', 'keeps the contract of Operation', 'needs an adapter'")
    }
    guard (1...2).contains(code.count) else {
      throw Self.fault(
        page, index,
        "above a verdict there is one block of Swift, or two with the adapter, not \(code.count)")
    }
    self.page = page
    self.line = index + 1
    self.quotation = quotation
    self.code = code[0]
    adapter = code.count > 1 ? code[1] : nil
    kata = try Catalogue.kata(named: String(match.1))
    let known: [Expectation] = [.passed, .keepsContract, .race, .needsAdapter]
    let kinds: [Substring: Verdict.Kind] = ["hung in": .hung, "crashed in": .crashed]
    let broken = match.3.map {
      Expectation.broken(kinds[match.2 ?? ""] ?? .failed, test: String($0))
    }
    let words = match.4.map(String.init) ?? ""
    guard let expectation = broken ?? known.first(where: { $0.description == words }) else {
      throw Self.fault(page, index, "there is no verdict '\(words)'")
    }
    self.expectation = expectation
  }

  private static func fault(_ page: String, _ index: Int, _ sentence: String) -> KataError {
    KataError("\(SiteFolder.written)/\(page):\(index + 1): \(sentence).", .notDone)
  }
}

/// A block of code in a page.
private struct Block {
  let language: String
  /// The indices of the lines of its fences.
  let start: Int
  let end: Int
  let text: String

  static func all(in lines: [String]) -> [Block] {
    var blocks: [Block] = []
    var start: Int?
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      guard let begin = start else {
        start = index
        continue
      }
      blocks.append(
        Block(
          language: String(lines[begin].dropFirst(3)), start: begin, end: index,
          text: lines[(begin + 1)..<index].joined(separator: "\n") + "\n"))
      start = nil
    }
    return blocks
  }
}
