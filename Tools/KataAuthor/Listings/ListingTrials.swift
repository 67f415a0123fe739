import Foundation
import KataKit
import KataTeacher

/// Judges the code that pages show as its reader would, and compares the result with what the pages
/// say.
struct ListingTrials: Sendable {
  let repository: Repository
  let timeout: Double
  let say: @Sendable (String) -> Void

  /// The listings of all pages that are about one of `katas`.
  static func listings(of katas: [Kata], in repository: Repository) throws -> [PageListing] {
    let names = Set(katas.map(\.name))
    return try SiteFolder(repository: repository).pages().sorted { $0.name < $1.name }
      .flatMap(PageListing.all).filter { names.contains($0.kata.name) }
  }

  /// Differences between the results and the pages, in a sentence each.
  ///
  /// Blocks until all are judged.
  func shortfalls(of listings: [PageListing]) throws -> [String] {
    try BoundedParallelMap(listings, width: 2) { [self] listing in
      let place = "\(listing.page):\(listing.line)"
      let shortfall: String?
      do {
        shortfall = try self.shortfall(of: listing)
      } catch let error as KataError where !error.isOfMachine {
        shortfall = "\(error)"
      }
      say("  \(place), \(listing.kata.name): \(shortfall ?? "as the page says")\n")
      return shortfall.map { "\(place): \($0)" }
    }.outputs().compactMap(\.self)
  }

  private func shortfall(of listing: PageListing) throws -> String? {
    try repository.withFolderForAnswers { folder in
      func file(_ name: String, _ text: String) throws -> String {
        let file = folder.appending(path: name)
        try file.replaceContent(with: Data(text.utf8), name: file.path)
        return file.path
      }
      let path = try file("\(listing.kata.name).swift", listing.code)
      let adapter = try listing.adapter.map { try file("Adapter.swift", $0) }
      let code = try AppCode([path], as: listing.kata, adapter: adapter)
      let judged = try AppCodeJudge(repository: repository, timeout: timeout).judge(code)
      let text = AppCodeText(repository: repository, style: TextStyle(hasColours: false))
        .text(judged, on: code)
      return listing.shortfall(judged, printed: text)
    }
  }
}

extension PageListing {
  /// The difference between a result and the page, in a sentence; nil if there is none.
  func shortfall(_ judged: AppCodeVerdict, printed text: String) -> String? {
    let found = Self.expectation(judged)
    guard found == expectation else {
      let why =
        found?.description ?? judged.verdict.compilerMessages.first?.message ?? "no verdict"
      return "the page says \(expectation), but it is \(why)"
    }
    guard let quotation else { return nil }
    return Self.words(in: text).contains(Self.words(in: quotation))
      ? nil : "the page's quotation differs from what is printed:\n\(text)"
  }

  private static func expectation(_ judged: AppCodeVerdict) -> Expectation? {
    if judged.gap != nil { return .needsAdapter }
    if judged.keepsContract { return .keepsContract }
    switch judged.verdict.kind {
    case .passed: return .passed
    case .race: return .race
    case .failed, .hung, .crashed:
      return judged.contractFailure.map { .broken(judged.verdict.kind, test: $0.name) }
    case .doesNotCompile, .notStarted, .racesNotChecked: return nil
    }
  }

  /// A text without its line breaks and indentation.
  private static func words(in text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
