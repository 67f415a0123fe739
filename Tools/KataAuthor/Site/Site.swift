import KataKit

/// The complete documentation catalogue, made of the hand-written pages, the catalogue of katas and
/// the pictures of real runs.
struct Site {
  /// The pages, text by file name.
  private(set) var pages: [String: String] = [:]
  /// The first pages of the modules' symbol documentation.
  private(set) var modulePages: [Module: String] = [:]
  /// The pictures that pages show.
  private(set) var pictures: [SitePicture] = []
  /// The faults; nothing is built until they're fixed.
  private(set) var faults: [PageFault] = []
  /// What is missing, in a sentence each; the site is built without it.
  private(set) var notes: [String] = []

  /// The root page.
  static let landing = "ConcurrencyKatas"
  /// The lines of the landing page that are replaced by the chapters: as cards, and as a list.
  static let cardsMarker = "<!-- the chapters, as cards -->"
  static let listMarker = "<!-- the chapters -->"

  /// Makes the site of the hand-written pages and of `generated` pages.
  init(
    written: [HandWrittenPage], katas: [KataFacts], book: PictureBook,
    generated: [HandWrittenPage] = []
  ) {
    var shown = SitePictures(book)
    var written = Dictionary(written.map { ($0.name, $0) }) { $1 }
    faults += PageRules(katas: katas).faults(of: written)
    for name in written.keys.sorted() {
      guard var page = written[name] else { continue }
      faults += shown.resolve(in: &page, of: katas)
      written[name] = page
    }
    for (index, facts) in katas.enumerated() {
      guard var page = written[facts.kata.name] else { continue }
      let next = index + 1 < katas.count ? katas[index + 1].kata : nil
      KataPage(facts: facts, next: next).complete(&page, &shown)
      written[page.name] = page
    }
    for module in Module.allCases {
      let katas = katas.filter { $0.kata.module == module }
      guard !katas.isEmpty else { continue }
      modulePages[module] = ModulePage(module: module, katas: katas).markdown
      guard var page = written[module.chapter] else {
        let file = "\(module.chapter).md"
        faults.append(
          PageFault(page: file, sentence: "The module has no chapter; write one in Docs/."))
        continue
      }
      ChapterPage(module: module, katas: katas.map(\.kata)).complete(&page)
      written[page.name] = page
    }
    for page in generated { written[page.name] = page }
    if var page = written[Self.landing] {
      Self.completeLanding(&page, katas.map(\.kata))
      written[page.name] = page
    }
    faults += missingPictures(written, katas, book)
    pages = Dictionary(uniqueKeysWithValues: written.values.map { ($0.file, $0.text) })
    pictures = shown.shown.values.sorted { $0.file < $1.file }
  }

  /// Inserts the chapters into the landing page.
  private static func completeLanding(_ page: inout HandWrittenPage, _ katas: [Kata]) {
    let modules = Module.allCases.filter { module in katas.contains { $0.module == module } }
    let chapters = modules.map { "- <doc:\($0.chapter)>" }.joined(separator: "\n")
    let cards = "@Links(visualStyle: detailedGrid) {\n\(chapters.indented(by: 2))\n}"
    for (index, line) in page.proseLines {
      if line.trimmed == cardsMarker { page.replaceLine(index, with: cards) }
      if line.trimmed == listMarker { page.replaceLine(index, with: chapters) }
    }
  }

  /// Faults of pages about order without a picture.
  ///
  /// Katas whose pictures were never taken are only counted, as long as there are several of them.
  private mutating func missingPictures(
    _ written: [String: HandWrittenPage], _ katas: [KataFacts], _ book: PictureBook
  ) -> [PageFault] {
    let bare = katas.filter { facts in
      facts.isAboutOrder && written[facts.kata.name]?.text.contains("@Image(source:") == false
    }
    let isWhole = katas.allSatisfy { book.pages[$0.kata.name] != nil || !$0.isAboutOrder }
    let blamed = bare.filter { isWhole || book.pages[$0.kata.name] != nil }
    if bare.count > blamed.count {
      notes.append(
        "\(bare.count - blamed.count) katas about order have no picture yet: there is no \(PictureBook.file)."
      )
    }
    return blamed.map {
      PageFault(
        page: "\($0.kata.name).md",
        sentence: "The kata is about order, but its page shows no picture; take one with "
          + "'make verify KATA=\($0.kata.name)'.")
    }
  }
}
