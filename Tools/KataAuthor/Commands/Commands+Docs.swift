import Foundation
import KataKit

extension Commands {
  /// Writes the complete catalogue of documentation, for DocC to build.
  package func docs() throws -> ExitCode {
    let left = Catalogue.katas.flatMap(repository.leftToWrite)
    for sentence in left { print("\(sentence)\n") }
    guard left.isEmpty else { return .notDone }
    let folder = SiteFolder(repository: repository)
    let patterns = try PatternBook.read(Catalogue.katas, in: repository)
    let book = try PictureBook.read(Catalogue.katas, in: repository)
    let site = Site(
      written: try folder.pages(),
      katas: try Catalogue.katas.map { try KataFacts($0, in: repository, patterns) },
      book: book,
      generated: Module.allCases.map { module in
        let page = FacilitatorPage(module)
        return HandWrittenPage(page.name, page.markdown)
      })
    for note in site.notes { print("\(note)\n") }
    guard site.faults.isEmpty else {
      for fault in site.faults { print("\(SiteFolder.written)/\(fault)\n") }
      return .notDone
    }
    try folder.write(site)
    print(
      "\(SiteFolder.complete) is complete: \(site.pages.count) pages, \(site.pictures.count) pictures.\n"
    )
    return .done
  }

  /// Checks a site that DocC has built for dead links.
  package func checkDocs(_ folder: String) throws -> ExitCode {
    let check = try LinkCheck(URL(filePath: folder))
    for link in check.deadLinks { print("\(link)\n") }
    guard check.deadLinks.isEmpty else { return .notDone }
    print("\(check.pages) pages, \(check.links) links: none is dead.\n")
    return .done
  }
}
