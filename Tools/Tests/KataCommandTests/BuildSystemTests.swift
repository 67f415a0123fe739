import Testing

@testable import KataKit

extension OwnBuildTests {
  /// SwiftPM has two build systems; by the toolchain's own, or the chosen one, all other tests judge.
  @Suite struct BuildSystemTests {
    @Test func `SwiftPM's other build system judges alike`() throws {
      let clone = try Clone(judged: ["SerialLog"])
      let own = try Toolchain(for: clone.repository).buildSystem
      let other = try #require(Toolchain.BuildSystem.allCases.first { $0 != own })
      let kata = try Catalogue.kata(named: "SerialLog")
      let reference = try clone.repository.text(clone.repository.referencePath(of: kata))
      let right = try clone.verdict(on: kata.name, answering: reference, buildSystem: other)
      #expect(right.kind == .passed)
      #expect(right.notes.isEmpty)
      let wrong = reference.replacing("queue.async", with: "queue.sync")
      #expect(
        try clone.verdict(on: kata.name, answering: wrong, buildSystem: other).kind == .failed)
    }
  }
}
