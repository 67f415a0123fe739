import Foundation
import KataTesting
import Testing

extension CycleDetectorTests {
  // MARK: - The queue

  @Test func `operations without a cycle are added and run`() throws {
    let release = Gate("let the first end")
    let graph = CycleGraph(["third": ["second"], "second": ["first"], "first": []]) {
      [timeline] name in
      timeline.visit(name) { if name == "first" { release.wait() } }
    }
    let queue = OperationQueue()
    for name in graph.names { timeline.asks(name) {} }
    try mustReturn(
      "addOperations(refusingCycles:)",
      "It must add them and return without waiting: the operations may need the caller's thread."
    ) { try queue.addOperations(refusingCycles: graph(graph.names)) }
    release.open()
    eventually(
      timeline.showing(
        "Three operations without a cycle were added, and some of them haven't run.")
    ) { graph.names.allSatisfy { graph[$0].isFinished } }
    timeline.expect(
      """
      third   ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      second       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      first             ┆┄┄┄┄├────┤
      """, "Each operation must run once, after the one that it waits for.")
  }

  @Test(arguments: [false, true])
  func `with a cycle no operation is added, and the error names the cycle`(isFirst: Bool) throws {
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
      Three of the operations wait for each other, and no error was thrown. They would stay in the \
      queue for ever: throw the cycle.
      """
    ) { try attempt.result() }
    runUntilQuiet()
    let added = queue.operations.map { $0.name ?? "?" } + timeline.orderOfEntry
    #expect(
      added.isEmpty,
      """
      An error was thrown, and \(added.joined(separator: ", ")) got into the queue. If one \
      operation is refused, none may be added. Check all of them before you add the first.
      """)
    if let error {
      #expect(
        error.operations.isCycle,
        """
        The error must have the members of the cycle: each waits for the next, and the last for \
        the first.
        """)
      let text = "\(error)"
      #expect(
        error.operations.allSatisfy { text.contains($0.name ?? "?") },
        """
        The error's text is "\(text)", and a member of the cycle isn't named. List the names of \
        all members, in order.
        """)
    }
    graph.takeApart()
    eventually("The queue never emptied.") { queue.operationCount == 0 }
  }

  // the queue      asked
  // another one            further ──▶ b ⇄ c
  @Test func `an operation that waits for a cycle far away is refused`() throws {
    let graph = CycleGraph(["asked": ["further"], "further": ["b"], "b": ["c"], "c": ["b"]])
    let queues = [OperationQueue(), OperationQueue()]
    queues[1].addOperations(graph(["further", "b", "c"]), waitUntilFinished: false)
    let attempt = TestThread("addOperations(refusingCycles:)") {
      try queues[0].addOperations(refusingCycles: graph(["asked"]))
    }
    let error = #expect(
      throws: DependencyCycle.self,
      """
      The operation waits, through another one, for a cycle in another queue, and no error was \
      thrown. It would never begin: throw the cycle, even if the operation isn't part of it.
      """
    ) { try attempt.result() }
    #expect(
      queues[0].operationCount == 0,
      "The operation was refused, and it's in the queue all the same.")
    if let error {
      #expect(
        error.operations.isCycle,
        "The error must have only the members of the cycle, not the operations that wait for it.")
    }
    graph.takeApart()
    eventually("The queues never emptied.") { queues.allSatisfy { $0.operationCount == 0 } }
  }

  @Test func `the error says which operation waits for which`() throws {
    let (upload, decrypt, nameless) = (BlockOperation {}, BlockOperation {}, PlainOperation())
    upload.name = "upload"
    decrypt.name = "decrypt"
    let error = DependencyCycle([upload, nameless, decrypt])
    #expect(
      error.operations == [upload, nameless, decrypt],
      "The error was created with three operations, and has others, or in another order.")
    let text = "\(error)".replacing(String(reflecting: PlainOperation.self), with: "PlainOperation")
    #expect(
      text == "upload → PlainOperation → decrypt → upload",
      """
      upload waits for an operation without a name, which waits for decrypt, which waits for \
      upload. The error's text is "\(text)". Join the names with arrows, the first one once more \
      at the end, and use the type if there is no name.
      """)
  }

  // MARK: - Large graphs

  @Test(arguments: CrowdShape.allCases)
  func `twenty thousand operations are searched in linear time`(shape: CrowdShape) throws {
    let crowd = CycleCrowd(shape, count: 20_000)
    let cycle = try crowd.search()
    try #require(
      !crowd.isTired,
      """
      Twenty thousand operations (\(shape)) were asked for their dependencies, or compared with \
      each other, millions of times. The time must be proportional to their number. Follow each \
      only once, even from several paths, and look operations up by ObjectIdentifier.
      """)
    let length = shape.cycle(of: crowd.count)
    if length == 0 {
      #expect(
        cycle == nil,
        "Twenty thousand operations (\(shape)) have no cycle, and one was returned.")
    } else {
      let found = cycle ?? []
      let next = found.dropFirst() + found.prefix(1)
      let isRing = zip(found, next).allSatisfy { number, next in
        shape.waited(for: number, of: crowd.count).contains(next)
      }
      #expect(
        found.count == length && Set(found).count == length && isRing,
        """
        Twenty thousand operations (\(shape)) have a cycle of \(length) members, and \
        \(found.count) were returned, or not in order.
        """)
    }
  }
}

/// An operation of a type that has the same name on every platform: Foundation's have two.
// Safe: it has no state of its own.
final class PlainOperation: Operation, @unchecked Sendable {}
