import Foundation
import KataTesting
import Testing

// MARK: - What waits for nothing

extension CycleDetectorTests {
  @Test(arguments: BystanderStand.allCases)
  func `a cycle through one that doesn't wait any more is none`(stand: BystanderStand) throws {
    try withBystander("a", that: stand, in: ["a": [], "b": ["c"], "c": ["a"]]) { graph in
      graph["a"].addDependency(graph["b"])
      try expectNone(
        in: graph,
        """
        a \(stand.rawValue), so it waits for nobody, whatever it depends on; the others will have \
        their turn.
        """)
    }
  }

  // x ──▶ a ⇄ b
  @Test(arguments: [["a", "x"], ["x", "a"]], BystanderStand.allCases)
  func `a cycle that one who doesn't wait leads to is found`(
    names: [String], stand: BystanderStand
  ) throws {
    try withBystander("x", that: stand, in: ["a": ["b"], "b": ["a"], "x": []]) { graph in
      graph["x"].addDependency(graph["a"])
      try expectCycle(
        in: graph, from: names,
        """
        x \(stand.rawValue), and a and b wait for each other. The list names \(names[0]), then \
        \(names[1]), and the order doesn't matter. Whoever follows x all the same mustn't take those \
        behind it for searched: don't follow x at all.
        """)
    }
    // Two ways lead from v to v, and only the one through x comes undone.
    let waiting: KeyValuePairs = ["v": names, "a": ["u"], "x": [], "u": ["v"]]
    try withBystander("x", that: stand, in: waiting) { knot in
      knot["x"].addDependency(knot["u"])
      try expectCycle(
        in: knot, from: ["v"],
        """
        v waits for a, a for u, and u for v. v depends on x too, which leads to u as well; but x \
        \(stand.rawValue), so it isn't part of a cycle, and takes nothing away from the other.
        """)
    }
  }

  /// Calls `body` with a graph in which one operation, so far without a dependency, doesn't wait any more.
  private func withBystander(
    _ name: String, that stand: BystanderStand, in waiting: KeyValuePairs<String, [String]>,
    _ body: (CycleGraph) throws -> Void
  ) throws {
    let release = Gate("let it end")
    let graph = CycleGraph(waiting) { [timeline] in timeline.visit($0, until: release) }
    let queue = OperationQueue()
    defer {
      release.open()
      graph.takeApart()
      eventually("The queue never emptied.") { queue.operationCount == 0 }
    }
    switch stand {
    case .hasBegun:
      queue.addOperation(graph[name])
      eventually("The queue never began \(name).") { graph[name].isExecuting }
    case .hasFinished:
      release.open()
      queue.addOperations([graph[name]], waitUntilFinished: true)
      runUntilQuiet()
    case .wasCancelled: graph[name].cancel()
    }
    try body(graph)
  }
}

/// Why an operation doesn't wait any more.
enum BystanderStand: String, CaseIterable, Sendable {
  case hasBegun = "has begun"
  case hasFinished = "has finished"
  case wasCancelled = "was cancelled"
}
