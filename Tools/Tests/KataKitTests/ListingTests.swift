import Foundation
import Testing

@testable import KataKit

/// The page "Tests without sleep", and the package that it takes its code from.
@Suite struct ListingTests {
  private static let page = "Docs/ConcurrencyKatas.docc/TestsWithoutSleep.md"

  @Test func `the page's listings stand in the package`() throws {
    let repository = Fixtures.repository
    let package = try repository.swiftFiles(in: "Tests/QuiescenceExample")
      .filter { !$0.contains("/.build/") }.map { Self.lines(of: try repository.text($0)) }
    let listings = try repository.text(Self.page).matches(of: #/(?s)```swift\n(.*?)```/#)
      .map { String($0.1) }
    // The test that sleeps is the one to avoid.
    let own = listings.filter { !$0.contains("Thread.sleep") }
    #expect(own.count == listings.count - 1 && own.count > 5)
    for listing in own where !listing.contains("../concurrency-katas") {
      #expect(package.contains { $0.contains(Self.lines(of: listing)) }, "\(listing)")
    }
  }

  /// Lines without their indentation, and without those that are empty.
  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
