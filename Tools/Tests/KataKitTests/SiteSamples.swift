import KataPictures

@testable import KataAuthor
@testable import KataKit

/// A small site: a landing page and two katas, one of them with pictures.
enum SiteSamples {
  private static func kata(_ name: String) -> Kata {
    Catalogue.katas.first { $0.name == name } ?? Fixtures.kata
  }

  static let photoStore = KataFacts(
    kata("PhotoStore"),
    spec:
      "let timeline = Timeline()\nfunc `reads overlap`() {}\nfunc `a write excludes reads`() {}",
    reference: "public struct Photo: Sendable {\npublic final class PhotoStore: Sendable {\n")
  static let atomicBox = KataFacts(
    kata("AtomicBox"), spec: "timeline.mark()\nfunc `reads share`() {}",
    reference: "public final class AtomicBox<Value> {\n")

  static let book = PictureBook([
    "PhotoStore": .init(
      tests: ["a write excludes reads": events("+writer", "*reader|asks", "-writer")],
      mistakes: [
        "no barrier": .init(
          test: "a write excludes reads", says: "It came in.", events: events("+writer", "+reader"))
      ])
  ])

  private static func events(_ texts: String...) -> [TimelineEvent] {
    texts.compactMap { TimelineEvent($0) }
  }

  static var pages: [HandWrittenPage] {
    let landing = """
      # Concurrency Katas

      Learn.

      ## Overview

      \(Site.cardsMarker)

      ## Topics

      ### The katas

      \(Site.listMarker)
      """
    let chapter = "# Barriers\n\nOne or many.\n\n## Overview\n\nThe story of it."
    return [
      HandWrittenPage("ConcurrencyKatas", landing), HandWrittenPage("BarriersChapter", chapter),
      page("PhotoStore"), page("AtomicBox"),
    ]
  }

  static func page(_ name: String) -> HandWrittenPage {
    HandWrittenPage(name, "# \(name)\n\nWhat it is.\n\n## Overview\n\nThe story.")
  }

  static func site(
    _ pages: [HandWrittenPage] = pages, book: PictureBook = book,
    patterns: [String: Pattern] = [:], generated: [HandWrittenPage] = []
  ) -> Site {
    var photoStore = photoStore
    photoStore.patterns = patterns
    return Site(
      written: pages, katas: [photoStore, atomicBox], book: book,
      generated: generated)
  }

  /// The site with a text of one page replaced.
  static func site(changing name: String, _ text: String, to other: String) -> Site {
    site(
      pages.map {
        $0.name == name ? HandWrittenPage(name, $0.text.replacing(text, with: other)) : $0
      })
  }
}
