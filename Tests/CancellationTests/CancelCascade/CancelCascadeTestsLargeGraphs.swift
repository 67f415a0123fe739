import AsyncOperations
import Dispatch
import Foundation
import KataTesting
import Testing

extension CancelCascadeTests {
  // MARK: - Large graphs

  @Test func `a hundred thousand in a chain are no trouble`() throws {
    try expectNoTrouble(CascadeChain(length: 100_000, isStar: false))
  }

  // root ◀── a, b, c, …
  @Test func `a hundred thousand that depend on one are no trouble`() throws {
    try expectNoTrouble(CascadeChain(length: 100_000, isStar: true))
  }

  private func expectNoTrouble(
    _ chain: CascadeChain, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    defer { chain.takeApart() }
    try chain.cascade(sourceLocation: sourceLocation)
    #expect(
      !chain.ledger.isFull,
      """
      \(chain.shape), and their dependencies were read, or they were compared, millions of times. \
      Searching all of them for each of them takes far too long. Store once which operations \
      depend on which, and remember those that you have found in a set.
      """, sourceLocation: sourceLocation)
    #expect(
      chain.ledger.tells == chain.length,
      "\(chain.shape); \(chain.ledger.tells) were cancelled instead of all.",
      sourceLocation: sourceLocation)
  }

  // root ◀── a ◀── b, and a depends on b as well: neither will ever begin
  @Test func `a cycle comes to an end`() throws {
    let graph = CascadeGraph(["root": [], "a": ["root"], "b": ["a"]], on: timeline)
    graph["a"].addDependency(graph["b"])
    defer { graph["a"].removeDependency(graph["b"]) }
    try graph.cascade(from: "root")
    #expect(
      graph.cancelled == ["a", "b", "root"],
      timeline.showing(
        """
        a depends on b and on root, and b on a: all of them must be cancelled. In a cycle each \
        operation depends on the next: cancel each when the search leaves it, in whatever order \
        that is.
        """))
    #expect(
      ["a", "b", "root"].allSatisfy { graph.tells(of: $0) == 1 },
      timeline.showing("a depends on b and on root, and b on a: each must be cancelled once."))
  }
}
