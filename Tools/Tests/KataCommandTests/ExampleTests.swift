import Foundation
import Testing

@testable import KataKit

extension OwnBuildTests {
  /// The package in `Tests/QuiescenceExample`, which uses the library of specs from outside.
  @Suite struct ExampleTests {
    private static let source = "Tests/QuiescenceExample/Sources/Uploads/UploadQueue.swift"

    private let clone: Clone

    init() throws {
      clone = try Clone()
    }

    private func test() throws -> Command.Result {
      let toolchain = try Toolchain(for: clone.repository)
      let scratch = clone.root.appending(path: ".build/example").path
      return try Command(
        toolchain.swift, ["test", "--scratch-path", scratch],
        environment: SpecPackage.environment
      ).run(in: clone.root.appending(path: "Tests/QuiescenceExample"))
    }

    @Test func `a package of one's own proves with it, and is shown what is wrong`() throws {
      let (ending, output) = try test()
      #expect(ending == .exited(0), "\(output.suffix(2000))")
      #expect(output.contains("Test run with 3 tests in 1 suite passed"))

      let right = try clone.repository.text(Self.source)
      let label = #"DispatchQueue(label: "com.example.uploads""#
      try #require(right.contains(label))
      try clone.repository.write(
        right.replacing(label, with: "\(label), attributes: .concurrent"), to: Self.source)
      let (failure, said) = try test()
      #expect(failure == .exited(1))
      // The page shows what is printed then.
      let page = try clone.repository.text("Docs/ConcurrencyKatas.docc/TestsWithoutSleep.md")
      let shown = try #require(page.firstMatch(of: #/```\n(The upload of dawn [^`]*)```/#)).1
      for line in shown.split(separator: "\n") {
        #expect(said.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
      }
    }
  }
}
