import Foundation

extension Commands {
  /// Writes the complete catalogue of documentation, for DocC to build.
  public func docs() throws -> ExitCode {
    let folder = SiteFolder(house: house)
    let patterns = try PatternBook.read(in: house)
    guard let book = PictureBook.read(in: house) else {
      throw KataError(
        "\(PictureBook.path) can't be read; restore it with 'git checkout -- \(PictureBook.path)'.",
        .environment)
    }
    let site = Site(
      written: try folder.pages(),
      katas: try Catalogue.katas.map { try KataFacts($0, in: house, patterns) },
      book: book,
      generated: Module.allCases.map { module in
        let page = FacilitatorPage(module)
        return HandWrittenPage(page.name, page.markdown)
      } + [HandWrittenPage(AgendasPage().name, AgendasPage().markdown)])
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

  /// Looks for dead links in a site that DocC has built.
  public func checkDocs(_ folder: String) throws -> ExitCode {
    let check = try LinkCheck(URL(filePath: folder))
    for link in check.deadLinks { print("\(link)\n") }
    guard check.deadLinks.isEmpty else { return .notDone }
    print("\(check.pages) pages, \(check.links) links: none is dead.\n")
    return .done
  }
}
