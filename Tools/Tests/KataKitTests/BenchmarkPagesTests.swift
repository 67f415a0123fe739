import Foundation
import Testing

@testable import KataKit

/// What is measured, and the pages that quote it.
@Suite struct BenchmarkPagesTests {
  private static let repository = Fixtures.repository

  @Test func `the page of each kata that is measured says how`() throws {
    let folder = "Benchmarks/Sources/bench/Katas"
    let measured = try Self.repository.files(below: folder)
      .map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
      .filter { $0 != "All" }
    #expect(!measured.isEmpty)
    for kata in measured {
      let page = try Self.repository.text("Docs/ConcurrencyKatas.docc/\(kata).md")
      #expect(page.contains("`make bench KATA=\(kata)`"), "\(kata)")
    }
  }

  @Test func `what pages say can be measured, is`() throws {
    let pages = try Self.repository.files(below: "Docs/ConcurrencyKatas.docc")
      .filter { $0.hasSuffix(".md") }
    for page in pages + ["Benchmarks/README.md"] {
      for quotation in try Self.repository.text(page).matches(of: #/make bench KATA=(\w+)/#) {
        let kata = quotation.1
        #expect(
          Self.repository.exists("Benchmarks/Sources/bench/Katas/\(kata).swift"),
          "\(page): \(kata)")
      }
    }
  }
}
