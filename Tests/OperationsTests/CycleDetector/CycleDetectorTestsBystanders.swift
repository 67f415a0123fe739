import Foundation
import KataTesting
import Testing

// MARK: - What waits for nothing

extension CycleDetectorTests {
  @Test(arguments: BystanderStand.allCases)
  func `a cycle through an operation that doesn't wait isn't reported`(stand: BystanderStand) throws
  {
    try withBystander("a", that: stand, in: ["a": [], "b": ["c"], "c": ["a"]]) { graph in
      graph["a"].addDependency(graph["b"])
      try expectNone(
        in: graph,
        """
        a \(stand.rawValue), so it waits for nothing, whatever it depends on, and the others will \
        run.
        """)
    }
  }

  // x ──▶ a ⇄ b
  @Test(arguments: BystanderStand.allCases)
  func `an operation of the list that doesn't wait isn't followed`(stand: BystanderStand) throws {
    try withBystander("x", that: stand, in: ["a": ["b"], "b": ["a"], "x": []]) { graph in
      graph["x"].addDependency(graph["a"])
      try expectNone(
        in: graph, from: ["x"],
        """
        x \(stand.rawValue), so it waits for nothing, though it depends on a. The list names x \
        alone: don't follow an operation of the list either, if it doesn't wait.
        """)
    }
  }

  // x ──▶ a ⇄ b
  @Test(arguments: [["a", "x"], ["x", "a"]], BystanderStand.allCases)
  func `a cycle that an operation that doesn't wait leads to is found`(
    names: [String], stand: BystanderStand
  ) throws {
    try withBystander("x", that: stand, in: ["a": ["b"], "b": ["a"], "x": []]) { graph in
      graph["x"].addDependency(graph["a"])
      try expectCycle(
        in: graph, from: names,
        """
        x \(stand.rawValue), and a and b wait for each other. The list names \(names[0]), then \
        \(names[1]), and the order must not matter. Don't follow x, and don't mark the operations \
        behind it as searched.
        """)
    }
    // Two paths lead from v to v, and only the one through x resolves itself.
    let waiting: KeyValuePairs = ["v": names, "a": ["u"], "x": [], "u": ["v"]]
    try withBystander("x", that: stand, in: waiting) { knot in
      knot["x"].addDependency(knot["u"])
      try expectCycle(
        in: knot, from: ["v"],
        """
        v waits for a, a for u, and u for v. v depends on x too, which also leads to u, but x \
        \(stand.rawValue): the cycle through x resolves itself, and the other doesn't.
        """)
    }
  }

  /// Calls `body` with a graph in which one operation, without dependencies so far, doesn't wait.
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
    case .endsMeanwhile: graph[name].endWhenRead()
    }
    try body(graph)
  }
}

/// Why an operation doesn't wait.
enum BystanderStand: String, CaseIterable, Sendable {
  case hasBegun = "has begun"
  case hasFinished = "has finished"
  case wasCancelled = "was cancelled"
  case endsMeanwhile = "runs, and ends while its state is being read"
}
