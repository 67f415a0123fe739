import KataKit

/// What every hand-written page must have.
struct PageRules {
  let katas: [KataFacts]

  /// The faults of the hand-written pages, in the order of the katas and then alphabetically.
  func faults(of pages: [String: HandWrittenPage]) -> [PageFault] {
    let names = katas.map(\.kata.name)
    let missing = names.filter { pages[$0] == nil }.map {
      PageFault(page: "\($0).md", sentence: "The kata has no page; write one in Docs/.")
    }
    let own = names.compactMap { pages[$0] }.flatMap { faults(ofKata: $0) }
    let others = pages.values.filter { !names.contains($0.name) }
      .sorted { $0.name < $1.name }.flatMap { faults(of: $0) }
    return missing + own + others
  }

  private func faults(ofKata page: HandWrittenPage) -> [PageFault] {
    var faults = faults(of: page)
    let generated = [
      "## Hints", "## What goes wrong", "### What goes wrong", "## See Also", "## The contract",
      "### The contract",
    ]
    for heading in generated {
      guard let index = page.index(of: heading) else { continue }
      faults.append(
        PageFault(
          page: page.file, line: index + 1,
          sentence: "'\(heading)' is generated; leave it out here."))
    }
    return faults
  }

  private func faults(of page: HandWrittenPage) -> [PageFault] {
    var faults: [PageFault] = []
    if page.title == nil {
      faults.append(PageFault(page: page.file, sentence: "It has no title ('# …')."))
    }
    if page.abstract == nil {
      faults.append(
        PageFault(
          page: page.file,
          sentence: "It has no abstract: one sentence below the title says what it is."))
    }
    if !page.hasText(below: "## Overview") {
      faults.append(PageFault(page: page.file, sentence: "There is nothing below '## Overview'."))
    }
    return faults
  }
}
