import Foundation
import KataTesting
import Testing

@testable import KataAuthor
@testable import KataKit
@testable import KataTeacher

/// Code that pages show with its verdict: reading it, and comparing.
@Suite struct PageListingTests {
  private func listings(_ text: String) throws -> [PageListing] {
    try PageListing.all(in: HandWrittenPage("Page", text))
  }

  private let page = """
    # Page

    Why.

    ```swift
    // wrong
    ```

    Words, and `code`.

    > Verdict: PhotoStore, failed by "a write excludes reads".

    ```text
    A reader came in
    while.
    ```

    ```swift
    // app
    ```

    With this adapter:

    ```swift
    // adapter
    ```

    > Verdict: AsyncOperation, keeps the contract of Operation.

    That is all.

    ```text
    Not of the verdict.
    ```
    """

  @Test func `a verdict is about the code above it, and quotes what stands right below`() throws {
    let listings = try listings(page)
    #expect(listings.map(\.kata.name) == ["PhotoStore", "AsyncOperation"])
    #expect(listings.map(\.code) == ["// wrong\n", "// app\n"])
    #expect(listings.map(\.adapter) == [nil, "// adapter\n"])
    #expect(listings.map(\.quotation) == ["A reader came in\nwhile.\n", nil])
    #expect(
      listings.map(\.expectation) == [
        .broken(.failed, test: "a write excludes reads"), .keepsContract,
      ])
    #expect(listings.map(\.line) == [11, 28])
  }

  @Test func `a page that tells no verdict shows what it likes`() throws {
    #expect(try listings("# Page\n\n```swift\nlet a = 1\n```\n").isEmpty)
  }

  @Test(arguments: [
    (#"PhotoStore, failed by "a write excludes reads"."#, "PhotoStore, fine.", "no verdict 'fine'"),
    (
      #"PhotoStore, failed by "a write excludes reads"."#, "PhotoStore", "a verdict is '> Verdict: "
    ),
    ("```swift\n// wrong\n```\n", "", "one block of Swift, or two with the adapter, not 0"),
    ("AsyncOperation, keeps", "AsyncOperatio, keeps", "did you mean AsyncOperation?"),
    ("That is all.", "```swift\nlet b = 2\n```", "none for this code"),
  ]) func `what can't be read is reported`(part: String, instead: String, says: String) throws {
    let error = try #require(throws: KataError.self) {
      try listings(page.replacing(part, with: instead))
    }
    #expect(error.description.contains(says))
  }

  @Test func `the page is wrong where the verdict is another, or prints something else`() throws {
    let listing = try listings(page)[0]
    var verdict = Verdict(listing.kata, .failed)
    verdict.tests = [
      TestReport(name: "a write excludes reads", status: .failed, line: 1, id: "a")
    ]
    let judged = AppCodeVerdict(verdict, on: listing.kata)
    #expect(listing.shortfall(judged, printed: "  A reader\n  came in while.\n") == nil)
    #expect(
      listing.shortfall(judged, printed: "A writer came in.")?.contains(
        "differs from what is printed")
        == true)
    verdict.kind = .passed
    verdict.tests[0].status = .passed
    let passed = AppCodeVerdict(verdict, on: listing.kata)
    #expect(
      listing.shortfall(passed, printed: "A reader came in while.")?.contains("it is") == true)
  }

  @Test func `every page of the project can be read`() throws {
    let listings = try ListingTrials.listings(of: Catalogue.katas, in: Fixtures.repository)
    for listing in listings {
      guard case .broken(_, let test) = listing.expectation else { continue }
      #expect(
        try Fixtures.repository.spec(of: listing.kata).contains("`\(test)`"),
        "\(listing.page):\(listing.line) names a test that isn't in the spec: \(test)")
    }
  }
}
