import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct SitePageTests {
  @Test func `a heading inside code is none`() {
    let page = HandWrittenPage("A", "# A\n\n```\n## Overview\n```\n\n## Overview\n\nText.\n")
    #expect(page.index(of: "## Overview") == 6)
    #expect(page.hasText(below: "## Overview"))
  }

  @Test func `the abstract is the first sentence below the title and the directives`() {
    let text = "# A\n\n@Metadata {\n  @TechnologyRoot\n}\n\nWhat it is.\n\n## Overview\n"
    #expect(HandWrittenPage("A", text).abstract == "What it is.")
    #expect(HandWrittenPage("A", text).title == "A")
    #expect(HandWrittenPage("A", "# A\n\n## Overview\n\nNo.").abstract == nil)
    #expect(HandWrittenPage("A", "Text.").title == nil)
  }

  @Test func `metadata is added to what is there`() {
    var page = HandWrittenPage("A", "# A\n\n@Metadata {\n  @TechnologyRoot\n}\n")
    page.addMetadata(["@PageColor(blue)"])
    #expect(page.text == "# A\n\n@Metadata {\n  @PageColor(blue)\n  @TechnologyRoot\n}\n")
    var bare = HandWrittenPage("A", "# A\n\nText.")
    bare.addMetadata(["@PageColor(blue)"])
    #expect(bare.text == "# A\n\n@Metadata {\n  @PageColor(blue)\n}\n\nText.\n")
  }

  @Test func `topics are added to those that are there, before what follows`() {
    var page = HandWrittenPage(
      "A", "# A\n\n## Topics\n\n### B\n\n- <doc:B>\n\n## See Also\n\n- <doc:C>")
    page.addTopics("### D\n\n- <doc:D>")
    #expect(page.text.contains("- <doc:B>\n\n\n### D\n\n- <doc:D>\n\n## See Also"))
    var bare = HandWrittenPage("A", "# A\n\nText.")
    bare.addTopics("### D\n\n- <doc:D>")
    #expect(bare.text == "# A\n\nText.\n\n## Topics\n\n### D\n\n- <doc:D>\n")
  }

  // MARK: - A kata's page

  @Test func `a kata's page has its head, hints, mistakes and links`() throws {
    let site = SiteSamples.site()
    #expect(site.faults.isEmpty)
    let page = try #require(site.pages["PhotoStore.md"])
    #expect(
      page.contains(
        "## Overview\n\nChapter: <doc:BarriersChapter> · ●●○○○ · 20 minutes · do first: <doc:SerialLog>"
      ))
    #expect(page.contains("make kata KATA=PhotoStore"))
    for tab in ["Not yet", "Hint 1", "Hint 2", "Hint 3"] {
      #expect(page.contains("@Tab(\"\(tab)\")"))
    }
    for mistake in SiteSamples.photoStore.kata.mistakes {
      #expect(page.contains("### \(mistake.name.sentenceCased)\n"))
      #expect(page.contains("**How to fix it.** \(mistake.advice)"))
    }
    #expect(page.contains("Verdict: **data race**."))
    #expect(page.contains("    ``/Barriers/PhotoStore``\n"))
    #expect(page.contains("    **The next kata**\n\n    <doc:AtomicBox>\n"))
    #expect(site.pages["AtomicBox.md"]?.contains("The next kata") == false)
  }

  @Test func `a mistake shows its wrong run beside the right one, and what the spec said`() throws {
    let site = SiteSamples.site()
    let page = try #require(site.pages["PhotoStore.md"])
    let wrong = try #require(SiteSamples.book.picture(named: "PhotoStore/mistake/no barrier"))
    let right = try #require(SiteSamples.book.picture(named: "PhotoStore/a write excludes reads"))
    #expect(page.contains("> The spec says: It came in."))
    #expect(page.contains("@Image(source: \"\(wrong.file)\""))
    #expect(page.contains("@Image(source: \"\(right.file)\""))
    #expect(Set(site.pictures.map(\.name)) == [wrong.name, right.name])
  }

  @Test func `a mistake that fails in a schedule shows it`() throws {
    let objection = PictureBook.Objection(
      test: "in every schedule reads overlap", says: "No order gives that.", events: nil,
      run: ["thread 1", "  get()"])
    let book = PictureBook(["PhotoStore": .init(mistakes: ["a serial queue": objection])])
    let page = try #require(SiteSamples.site(book: book).pages["PhotoStore.md"])
    #expect(
      page.contains("```\nthread 1\n  get()\n```\n\n> The spec says: No order gives that.\n"))
    #expect(page.contains("Columns show a schedule: see <doc:EverySchedule>."))
    let other = try #require(SiteSamples.site().pages["PhotoStore.md"])
    #expect(!other.contains("<doc:EverySchedule>"))
  }

  @Test func `without pictures a mistake says what the spec was seen to say`() throws {
    let pattern = Pattern(always: [
      "reads overlap": [FailureSignature(.failed, "They must overlap.")]
    ])
    let site = SiteSamples.site(book: PictureBook(), patterns: ["a serial queue": pattern])
    let page = try #require(site.pages["PhotoStore.md"])
    #expect(page.contains("> The spec says: They must overlap."))
    #expect(page.contains("> The spec says: Two threads touch the same memory"))
    #expect(!page.contains("@Image"))
    #expect(site.faults.isEmpty)
    #expect(site.notes.contains { $0.hasPrefix("2 katas about order have no picture yet") })
  }

  // MARK: - Lists

  @Test func `chapters list their katas and the landing page lists the chapters`() throws {
    let site = SiteSamples.site()
    let chapter = try #require(site.pages["BarriersChapter.md"])
    #expect(chapter.contains("### Katas\n\n- <doc:PhotoStore>\n- <doc:AtomicBox>"))
    #expect(chapter.contains("1. <doc:AtomicBox>: "))
    let landing = try #require(site.pages["ConcurrencyKatas.md"])
    #expect(landing.contains("@Links(visualStyle: detailedGrid) {\n  - <doc:BarriersChapter>\n}"))
    #expect(landing.contains("### The katas\n\n- <doc:BarriersChapter>"))
    #expect(!landing.contains("<!--"))
  }

  @Test func `a page that is generated whole is taken as it is`() {
    let guide = HandWrittenPage("WorkshopBarriers", "# Teaching Barriers\n\nQuestions.")
    #expect(SiteSamples.site(generated: [guide]).pages["WorkshopBarriers.md"] == guide.text)
  }
}
