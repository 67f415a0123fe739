import Dispatch
import Foundation
import KataTesting
import Testing

extension ThrottledQueueTests {
  // MARK: - The underlying queue

  @Test func `its operations run on the underlying queue`() throws {
    let underlying = DispatchQueue(label: "com.example.database")
    let places = Places(["there": underlying])
    let queue = try throttled(limit: 2, underlyingQueue: underlying)
    queue.addOperation { [timeline] in timeline.mark("operation", places.current) }
    runUntilQuiet()
    #expect(
      timeline.events.map(\.kind) == [.mark("there")],
      timeline.showing("An underlying queue was passed, so operations must run on it."))
  }

  @Test func `on a serial underlying queue blocks run one at a time`() throws {
    let underlying = DispatchQueue(label: "com.example.database")
    let queue = try throttled(limit: 2, underlyingQueue: underlying)
    let release = Gate("let the first end")
    for label in ["first", "second"] {
      timeline.ask(label)
      queue.addOperation { [timeline] in timeline.visit(label, until: release) }
      eventually("Two blocks were added, and none of them begins.") { timeline.inside.count > 0 }
    }
    timeline.expect(
      """
      first   ┆┄┄┄┄├─────────…
      second            ┆┄┄┄┄…
      """,
      """
      The underlying queue is serial and protects what its blocks use, and two run at once. Run \
      them on that queue itself.
      """)
    release.open()
    timeline.expect(
      """
      first   ┆┄┄┄┄├─────────┤
      second            ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "The first block has ended, so both blocks must have run, one after the other.")
  }

  @Test func `while a block runs on a serial underlying queue, it can be paused and resumed`()
    throws
  {
    let underlying = DispatchQueue(label: "com.example.database")
    let queue = try throttled(limit: 2, underlyingQueue: underlying)
    let release = Gate("let the block end")
    defer { release.open() }
    queue.addOperation { [timeline] in timeline.visit("block", until: release) }
    runUntilQuiet()
    try pause(queue)
    try resume(queue)
    release.open()
    runUntilQuiet()
    #expect(
      timeline.orderOfLeaving == ["block"],
      timeline.showing(
        """
        While a block ran on a serial underlying queue, the queue was paused and resumed. The \
        block must run once, to its end.
        """))
  }

  @Test func `the limit holds on a concurrent underlying queue`() throws {
    let underlying = DispatchQueue(label: "com.example.database", attributes: .concurrent)
    let queue = try throttled(limit: 2, underlyingQueue: underlying)
    let jobs = timeline.jobs("first", "second", "third", "fourth")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    #expect(
      timeline.inside.count == 2,
      timeline.showing(
        "The limit is 2, so two operations must execute at once, whatever queue they run on."))
  }

  @Test func `the main queue is refused`() {
    for main in [DispatchQueue.main, OperationQueue.main.underlyingQueue].compactMap(\.self) {
      #expect(
        throws: ThrottledQueue.Refusal.mainQueue,
        """
        The main queue was passed as the underlying queue, and it wasn't refused. It belongs to \
        OperationQueue.main: throw .mainQueue. (On Linux each use of DispatchQueue.main is another \
        object, so compare a mark that you have set with setSpecific instead of `===`.)
        """
      ) { try ThrottledQueue(name: "com.example.spec", limit: 1, underlyingQueue: main) }
    }
  }

  @Test func `a queue that only has the main queue's label is accepted`() {
    let namesake = DispatchQueue(label: DispatchQueue.main.label)
    #expect(
      throws: Never.self,
      """
      A private queue was refused because it has the main queue's label. Any queue may have any \
      label. Mark the main queue, and look for that mark.
      """
    ) { try ThrottledQueue(name: "com.example.spec", limit: 1, underlyingQueue: namesake) }
  }
}
