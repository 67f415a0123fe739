import AsyncOperations
import Dispatch
import Foundation
import KataTesting
import Testing

extension CancelCascadeTests {
  // MARK: - Large graphs

  @Test func `a hundred thousand in a chain are no trouble`() throws {
    let chain = CascadeChain(length: 100_000)
    defer { chain.takeApart() }
    try chain.cascade()
    #expect(
      !chain.ledger.isFull,
      """
      A hundred thousand operations stand in a chain, and they were asked for their dependencies, or \
      compared with each other, millions of times: who searches all of them for each of them is done \
      next week. Note once who depends on whom, and remember in a set whom you have found.
      """)
    #expect(
      chain.ledger.tells == chain.length,
      """
      A hundred thousand operations stand in a chain; \(chain.ledger.tells) were told instead of \
      all.
      """)
  }

  // root ◀── a ◀── b, and a depends on b as well: none of the two will ever begin
  @Test func `a cycle comes to an end`() throws {
    let graph = CascadeGraph(["root": [], "a": ["root"], "b": ["a"]], on: timeline)
    graph["a"].addDependency(graph["b"])
    defer { graph["a"].removeDependency(graph["b"]) }
    try graph.cascade(from: "root")
    #expect(
      graph.cancelled == ["a", "b", "root"],
      timeline.showing(
        """
        a and b wait for each other, and a for root: all of them must be cancelled. In a cycle each operation \
        depends on the next: tell each when the search leaves it, in whatever order that is.
        """))
    #expect(
      ["a", "b", "root"].allSatisfy { graph.tells(of: $0) == 1 },
      timeline.showing("a and b wait for each other, and a for root: each must be told once."))
  }
}
