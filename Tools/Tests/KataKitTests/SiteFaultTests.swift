import KataPictures
import Testing

@testable import KataAuthor
@testable import KataKit

/// Each rule of the site, with a page that breaks it.
@Suite struct SiteFaultTests {
  @Test func `a kata without a page is a fault`() {
    var pages = SiteSamples.pages
    pages.removeAll { $0.name == "AtomicBox" }
    #expect(
      SiteSamples.site(pages).faults.map(\.description)
        == ["AtomicBox.md: The kata has no page; write one in Docs/."])
  }

  @Test func `a module without a chapter is a fault`() {
    let pages = SiteSamples.pages.filter { $0.name != "BarriersChapter" }
    #expect(
      SiteSamples.site(pages).faults.map(\.description)
        == ["BarriersChapter.md: The module has no chapter; write one in Docs/."])
  }

  @Test(arguments: [
    ("# PhotoStore", "PhotoStore", "no title"),
    ("What it is.", "", "no abstract"),
    ("## Overview", "## Story", "nothing below '## Overview'"),
  ])
  func `a page that lacks a part is a fault`(part: String, instead: String, says: String) {
    let faults = SiteSamples.site(changing: "PhotoStore", part, to: instead).faults
    #expect(faults.contains { $0.page == "PhotoStore.md" && $0.sentence.contains(says) })
  }

  @Test(arguments: ["## Hints", "## See Also", "### The contract"])
  func `what is generated may not be written by hand`(heading: String) {
    let faults = SiteSamples.site(changing: "PhotoStore", "The story.", to: "\(heading)\n\nMine.")
      .faults
    #expect(faults.contains { $0.line == 7 && $0.sentence.contains("'\(heading)' is generated") })
  }

  // MARK: - Pictures

  @Test func `a picture that a page asks for is shown, with its caption, light and dark`() throws {
    let site = SiteSamples.site(
      changing: "AtomicBox", "The story.",
      to: "![The writer *alone*](picture:PhotoStore/a write excludes reads)")
    let page = try #require(site.pages["AtomicBox.md"])
    let picture = try #require(
      SiteSamples.book.picture(named: "PhotoStore/a write excludes reads"))
    #expect(
      page.contains(
        """
        @Image(source: "\(picture.file)", alt: "The writer *alone*: \(picture.events.words)") {
          The writer \\*alone\\*
        }
        """))
    #expect(site.pictures.contains(picture))
    #expect(picture.drawing(.light) != picture.drawing(.dark))
  }

  @Test(arguments: [
    ("PhotoStore/reeds overlap", "there is 'PhotoStore/a write excludes reads'"),
    ("PhotoStore/mistake/no barier", "'PhotoStore/mistake/no barrier'"),
    ("PhotoStor/reads overlap", "nor a kata 'PhotoStor'; did you mean PhotoStore?"),
    ("AtomicBox/no such test", "there is 'AtomicBox/"),
  ])
  func `a picture that can't exist is a fault that says what there is`(name: String, says: String) {
    let site = SiteSamples.site(changing: "PhotoStore", "The story.", to: "![See](picture:\(name))")
    #expect(site.faults.count == 1)
    #expect(site.faults.first?.line == 7)
    #expect(site.faults.first?.sentence.contains(says) == true)
  }

  @Test func `a picture that wasn't taken yet leaves nothing`() throws {
    let test = try #require(SiteSamples.atomicBox.tests.first)
    let site = SiteSamples.site(
      changing: "AtomicBox", "The story.", to: "![See](picture:AtomicBox/\(test))")
    #expect(site.faults.isEmpty)
    #expect(site.pages["AtomicBox.md"]?.contains("picture:") == false)
  }

  @Test func `a picture that the proof hasn't taken is a fault that says how to take it`() throws {
    let taken = try #require(SiteSamples.book.names(in: "PhotoStore").first)
    let name = try #require(SiteSamples.photoStore.pictureNames.first { $0 != taken })
    let faults = SiteSamples.site(
      changing: "PhotoStore", "The story.", to: "![See](picture:\(name))"
    ).faults
    #expect(
      faults.map(\.sentence) == [
        """
        There is no picture '\(name)' yet; 'make verify KATA=PhotoStore' takes it where the test has a timeline.
        """
      ])
  }

  @Test func `a picture amid text is a fault`() {
    let line = "As in ![See](picture:PhotoStore/reads overlap)"
    let faults = SiteSamples.site(changing: "PhotoStore", "The story.", to: line).faults
    #expect(
      faults.map(\.sentence) == [
        "A picture needs a line of its own: ![caption](picture:Kata/test)."
      ])
  }

  @Test func `a picture in a block of code is left alone`() {
    let code = "```\n![See](picture:Nothing)\n```"
    let site = SiteSamples.site(changing: "PhotoStore", "The story.", to: code)
    #expect(site.faults.isEmpty)
    #expect(site.pages["PhotoStore.md"]?.contains(code) == true)
  }

  @Test func `a kata about order that shows no picture is a fault once it has been measured`() {
    let empty = PictureBook.Page()
    let told = SiteSamples.site(book: PictureBook(["PhotoStore": empty]))
    #expect(told.faults.map(\.page) == ["PhotoStore.md"])
    #expect(told.notes.contains { $0.hasPrefix("1 katas about order") })
    let whole = SiteSamples.site(book: PictureBook(["PhotoStore": empty, "AtomicBox": empty]))
    #expect(whole.faults.map(\.page) == ["PhotoStore.md", "AtomicBox.md"])
  }

  @Test func `names that differ in signs alone have different files`() {
    let names = ["A/a b", "A/a-b", "A/a, b", "A/mistake/a b"]
    #expect(Set(names.map { SitePicture(name: $0, events: []).file }).count == names.count)
  }

  // MARK: - The project's own

  @Test func `the project's own pages are without fault`() throws {
    let repository = Fixtures.repository
    let site = Site(
      written: try SiteFolder(repository: repository).pages(),
      katas: try Catalogue.katas.map { try KataFacts($0, in: repository, PatternBook()) },
      book: try PictureBook.read(Catalogue.katas, in: repository))
    #expect(site.faults == [])
    for kata in Catalogue.katas { #expect(site.pages["\(kata.name).md"] != nil) }
  }
}
