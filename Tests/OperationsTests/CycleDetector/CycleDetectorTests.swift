import Foundation
import KataTesting
import Testing

/// Proves that operations that wait for each other in a cycle are found; that no other operation is
/// taken for a member; and that a queue refuses operations if one of them is in a cycle or waits
/// for one.
@Suite(.serialized, .kata) struct CycleDetectorTests {
  let timeline = Timeline()

  // MARK: - What is a cycle

  @Test(arguments: [2, 3, 7])
  func `a cycle of any length is found`(length: Int) throws {
    let names = (0..<length).map { "\($0)" }
    let graph = ring(length)
    defer { graph.takeApart() }
    try expectCycle(
      in: graph, "\(length) operations wait for each other in a cycle, and none can ever begin.")
    // Wherever the search begins, the cycle is the same.
    try expectCycle(
      in: graph, from: [names[length / 2]],
      "\(names[length / 2]) is the only operation in the list, and part of a cycle.")
  }

  @Test func `an operation that waits for itself is found`() throws {
    let graph = CycleGraph(["a": [], "b": ["b", "a"]])
    defer { graph.takeApart() }
    try expectCycle(in: graph, "An operation that waits for itself never begins.")
  }

  @Test(arguments: [false, true])
  func `a graph without a cycle has none`(isBackwards: Bool) throws {
    let graphs = [
      CycleGraph([:]),
      CycleGraph(["a": ["b"], "b": ["c"], "c": []]),
      // A diamond: two paths lead to d.
      CycleGraph(["a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []]),
      // Two diamonds on top of each other, a short cut, and a second operation that waits for d.
      CycleGraph([
        "a": ["b", "c", "g"], "b": ["d"], "c": ["d"], "d": ["e", "f"], "e": ["g"], "f": ["g"],
        "g": [], "h": ["d"],
      ]),
      // Two that wait for the same operation, independent of each other.
      CycleGraph(["a": ["c"], "b": ["c"], "c": [], "d": []]),
    ]
    for graph in graphs {
      let names = isBackwards ? graph.names.reversed() : graph.names
      try expectNone(
        in: graph, from: names + names,
        """
        Two paths to the same operation are no cycle: only a path that leads back to an operation \
        on it is one. Every operation is listed twice, which is no cycle either.
        """)
    }
  }

  // entry ──▶ hall ──▶ a ──▶ b ──▶ c
  //                    ◀───────────┘
  @Test func `operations that only lead to a cycle aren't part of it`() throws {
    let graph = CycleGraph([
      "entry": ["hall", "free"], "hall": ["a"], "a": ["b"], "b": ["c"], "c": ["a"], "free": [],
    ])
    defer { graph.takeApart() }
    let sentence = "a, b and c wait for each other; entry and hall only wait for them."
    try expectCycle(in: graph, from: ["entry"], sentence)
    try expectCycle(in: graph, sentence)
  }

  // a ⇄ b ⇄ c
  @Test func `of two cycles that meet, one is returned`() throws {
    let graph = CycleGraph(["a": ["b"], "b": ["a", "c"], "c": ["b"]])
    defer { graph.takeApart() }
    try expectCycle(
      in: graph, "a and b wait for each other, and so do b and c: return either cycle, not both.")
  }

  @Test(arguments: [false, true])
  func `a cycle is found from any operation of the list`(isLast: Bool) throws {
    let graph = CycleGraph([
      "a": ["b"], "b": [], "c": ["b"], "x": ["y"], "y": ["z"], "z": ["x"],
    ])
    defer { graph.takeApart() }
    let names = ["a", "b", "c", "y"]
    try expectCycle(
      in: graph, from: isLast ? names : names.reversed(),
      """
      y is \(isLast ? "last" : "first") in the list, and part of a cycle; the others have nothing \
      to do with it.
      """)
  }

  @Test func `each call sees the dependencies as they are`() throws {
    let graph = CycleGraph(["a": ["b"], "b": ["c"], "c": []])
    defer { graph.takeApart() }
    try expectNone(in: graph, "a waits for b, and b for c.")
    graph["c"].addDependency(graph["a"])
    try expectCycle(
      in: graph,
      """
      c depends on a since the last call, which found no cycle. Each call must see the \
      dependencies as they are: keep nothing from one call to the next.
      """)
    graph["c"].removeDependency(graph["a"])
    try expectNone(
      in: graph,
      """
      c doesn't depend on a any more, as it did at the last call. Each call must see the \
      dependencies as they are: keep nothing from one call to the next.
      """)
  }

  // Nothing orders the two searches.
  @Test func `two threads may search at once`() throws {
    let graph = CycleGraph(["a": ["b", "c"], "b": ["c"], "c": []])
    try expectNone(in: graph, "a waits for b and c, and b for c.")
    let meeting = RelaxedRendezvous()
    let other = meeting.looker("cycle(from:)") {
      _ = CycleDetector.cycle(from: graph(graph.names))
    }
    let one = TestThread("cycle(from:)") {
      let cycle = CycleDetector.cycle(from: graph(graph.names))
      meeting.changed()
      return cycle == nil
    }
    #expect(
      try one.result(timersInPlay: true),
      """
      Two threads searched a graph without a cycle at once, and one found a cycle: give each \
      search its own marks.
      """)
    try other.result(timersInPlay: true)
  }

  // the list         asked ──▶ further
  // the first queue            further ──▶ b ⇄ c
  // the second queue                           c
  @Test func `a cycle in other queues is found`() throws {
    let graph = CycleGraph(["asked": ["further"], "further": ["b"], "b": ["c"], "c": ["b"]])
    let queues = [OperationQueue(), OperationQueue()]
    queues[0].addOperations([graph["further"], graph["b"]], waitUntilFinished: false)
    queues[1].addOperation(graph["c"])
    try expectCycle(
      in: graph, from: ["asked"],
      """
      The only operation in the list waits, through others, for two that wait for each other in \
      two queues. Follow the dependencies into other queues too; the list is only where the search \
      begins.
      """)
    graph.takeApart()
    eventually("The queues never emptied.") { queues.allSatisfy { $0.operationCount == 0 } }
  }

  // MARK: - Fixtures

  /// Operations 0, 1, 2 and so on, of which each waits for the next, and the last for the first.
  func ring(_ length: Int) -> CycleGraph {
    switch length {
    case 2: CycleGraph(["0": ["1"], "1": ["0"]])
    case 3: CycleGraph(["0": ["1"], "1": ["2"], "2": ["0"]])
    default:
      CycleGraph([
        "0": ["1"], "1": ["2"], "2": ["3"], "3": ["4"], "4": ["5"], "5": ["6"], "6": ["0"],
      ])
    }
  }
}
