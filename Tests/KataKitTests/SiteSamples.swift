@testable import KataKit

/// A small site: a landing page and two katas, one of them with pictures.
enum SiteSamples {
  static let photoStore = KataFacts(
    .photoStore,
    spec:
      "let timeline = Timeline()\nfunc `reads overlap`() {}\nfunc `a write excludes reads`() {}",
    reference: "public struct Photo: Sendable {\npublic final class PhotoStore: Sendable {\n")
  static let atomicBox = KataFacts(
    .atomicBox, spec: "timeline.mark()\nfunc `reads share`() {}",
    reference: "public final class AtomicBox<Value> {\n")

  static let shelf = PictureShelf([
    "PhotoStore": .init(
      tests: ["a write excludes reads": ["+writer", "*reader|asks", "-writer"]],
      mistakes: [
        "no barrier": .init(
          test: "a write excludes reads", says: "It came in.", events: ["+writer", "+reader"])
      ])
  ])

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
    return [HandWrittenPage("ConcurrencyKatas", landing), kata("PhotoStore"), kata("AtomicBox")]
  }

  static func kata(_ name: String) -> HandWrittenPage {
    HandWrittenPage(
      name,
      "# \(name)\n\nWhat it is.\n\n## Overview\n\nThe story.\n\n### The contract\n\n- The contract."
    )
  }

  static func site(
    _ pages: [HandWrittenPage] = pages, shelf: PictureShelf = shelf,
    patterns: [String: Pattern] = [:], facilitatorPages: [HandWrittenPage] = []
  ) -> Site {
    var photoStore = photoStore
    photoStore.patterns = patterns
    return Site(
      written: pages, katas: [photoStore, atomicBox], shelf: shelf,
      facilitatorPages: facilitatorPages)
  }

  /// The site with a text of one page replaced.
  static func site(changing name: String, _ text: String, to other: String) -> Site {
    site(
      pages.map {
        $0.name == name ? HandWrittenPage(name, $0.text.replacing(text, with: other)) : $0
      })
  }
}
