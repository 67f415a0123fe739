import Foundation
import KataTesting
import Testing

extension CycleDetectorTests {
  // MARK: - The queue

  @Test func `what has no cycle is added and runs`() throws {
    let release = Gate("let the first end")
    let graph = CycleGraph(["third": ["second"], "second": ["first"], "first": []]) {
      [timeline] name in
      timeline.visit(name) { if name == "first" { release.wait() } }
    }
    let queue = OperationQueue()
    for name in graph.names { timeline.asks(name) {} }
    try mustReturn(
      "addOperations(refusingCycles:)",
      "It adds them and returns: whoever runs may need the thread that adds it."
    ) { try queue.addOperations(refusingCycles: graph(graph.names)) }
    release.open()
    eventually(
      timeline.showing(
        "Three operations without a cycle were added; not all of them have run.")
    ) { graph.names.allSatisfy { graph[$0].isFinished } }
    timeline.expect(
      """
      third   ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      second       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      first             ┆┄┄┄┄├────┤
      """, "Each of them must run once, after the one that it waits for.")
  }

  @Test(arguments: [false, true])
  func `with a cycle none is added, and the error names it`(isFirst: Bool) throws {
    let graph = CycleGraph([
      "free": [], "decrypt": ["tiltShift"], "tiltShift": ["upload"], "upload": ["decrypt"],
      "waiting": ["upload"],
    ]) { [timeline] name in timeline.visit(name) {} }
    let names = isFirst ? graph.names.reversed() : graph.names
    let queue = OperationQueue()
    let attempt = TestThread("addOperations(refusingCycles:)") {
      try queue.addOperations(refusingCycles: graph(names))
    }
    let error = #expect(
      throws: DependencyCycle.self,
      """
      Three of the operations wait for each other. Added like that, they stay in the queue for ever: \
      throw the cycle.
      """
    ) { try attempt.result() }
    runUntilQuiet()
    let added = queue.operations.map { $0.name ?? "?" } + timeline.orderOfEntry
    #expect(
      added.isEmpty,
      """
      The cycle was refused, and yet \(added.joined(separator: ", ")) got into the queue. Whoever \
      hears an error expects that nothing was done: look first, then add all or none.
      """)
    if let error {
      #expect(
        graph.isCycle(error.operations),
        "The error must hold the cycle: each waits for the next, and the last for the first.")
      let text = "\(error)"
      #expect(
        error.operations.allSatisfy { text.contains($0.name ?? "?") },
        """
        The error says "\(text)". Whoever reads it in a log has to find the operations: give their \
        names, in order.
        """)
    }
    graph.takeApart()
    eventually("The queue never emptied.") { queue.operationCount == 0 }
  }

  // the queue      asked
  // another one            further ──▶ b ⇄ c
  @Test func `who waits for a cycle far away is refused`() throws {
    let graph = CycleGraph(["asked": ["further"], "further": ["b"], "b": ["c"], "c": ["b"]])
    let queues = [OperationQueue(), OperationQueue()]
    queues[1].addOperations(graph(["further", "b", "c"]), waitUntilFinished: false)
    let attempt = TestThread("addOperations(refusingCycles:)") {
      try queues[0].addOperations(refusingCycles: graph(["asked"]))
    }
    let error = #expect(
      throws: DependencyCycle.self,
      """
      The operation waits, through another one, for two in another queue that wait for each other. It \
      would never begin: throw the cycle, whoever is part of it.
      """
    ) { try attempt.result() }
    #expect(queues[0].operationCount == 0, "The cycle was refused, and yet it was added.")
    if let error {
      #expect(
        graph.isCycle(error.operations),
        "The error must hold the cycle alone, not who waits for it.")
    }
    graph.takeApart()
    eventually("The queues never emptied.") { queues.allSatisfy { $0.operationCount == 0 } }
  }

  @Test func `the error says who waits for whom`() throws {
    let (upload, decrypt, nameless) = (BlockOperation {}, BlockOperation {}, BlockOperation {})
    upload.name = "upload"
    decrypt.name = "decrypt"
    let error = DependencyCycle([upload, nameless, decrypt])
    #expect(
      error.operations == [upload, nameless, decrypt],
      "The error was made of three operations, and holds others, or not in this order.")
    let text = "\(error)".replacing("Foundation.", with: "")
    #expect(
      text == "upload → BlockOperation → decrypt → upload",
      """
      upload waits for one without a name, which waits for decrypt, which waits for upload. The error \
      says "\(text)": give each name once and the first once more, with arrows in between, and the \
      type where there is no name.
      """)
  }

  // MARK: - Large graphs

  @Test(arguments: CrowdShape.allCases)
  func `twenty thousand operations are no trouble`(shape: CrowdShape) throws {
    let crowd = CycleCrowd(shape, count: 20_000)
    let cycle = try crowd.search()
    try #require(
      !crowd.isTired,
      """
      Twenty thousand operations (\(shape)) were asked for their dependencies, or compared with \
      each other, millions of times. Follow nobody twice, whether you came back from there or not, \
      and look operations up by ObjectIdentifier.
      """)
    let length = shape.cycle(of: crowd.count)
    if length == 0 {
      #expect(cycle == nil, "Twenty thousand operations (\(shape)) have no cycle.")
    } else {
      let found = cycle ?? []
      let next = found.dropFirst() + found.prefix(1)
      let isRing = zip(found, next).allSatisfy { number, next in
        shape.waited(for: number, of: crowd.count).contains(next)
      }
      #expect(
        found.count == length && Set(found).count == length && isRing,
        """
        Twenty thousand operations (\(shape)): their cycle has \(length) members, and \
        \(found.count) were named, or not in order.
        """)
    }
  }
}
