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
      timeline.showing("An underlying queue was given: the operations must run on that one."))
  }

  @Test func `on a serial underlying queue blocks run one at a time`() throws {
    let underlying = DispatchQueue(label: "com.example.database")
    let queue = try throttled(limit: 2, underlyingQueue: underlying)
    let release = Gate("let the first end")
    for label in ["first", "second"] {
      timeline.ask(label)
      queue.addOperation { [timeline] in timeline.visit(label, until: release) }
      eventually("The first of two blocks never begins.") { timeline.inside.count > 0 }
    }
    timeline.expect(
      """
      first   ┆┄┄┄┄├─────────…
      second            ┆┄┄┄┄…
      """,
      """
      The underlying queue is serial and guards what its blocks use, and two run at once: run them on \
      that queue itself.
      """)
    release.open()
    timeline.expect(
      """
      first   ┆┄┄┄┄├─────────┤
      second            ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "Both blocks must have run.")
  }

  @Test func `the limit holds on a concurrent underlying queue`() throws {
    let underlying = DispatchQueue(label: "com.example.database", attributes: .concurrent)
    let queue = try throttled(limit: 2, underlyingQueue: underlying)
    let jobs = timeline.jobs("first", "second", "third", "fourth")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    #expect(
      timeline.inside.count == 2,
      timeline.showing("The limit is 2, whatever queue the operations run on."))
  }

  @Test func `the main queue is refused`() {
    for main in [DispatchQueue.main, OperationQueue.main.underlyingQueue].compactMap(\.self) {
      #expect(
        throws: ThrottledQueue.Refusal.mainQueue,
        """
        The main queue was given as the underlying queue, and wasn't refused. It belongs to \
        OperationQueue.main: throw .mainQueue. (On Linux each use of DispatchQueue.main is another \
        object, so `===` doesn't tell; a mark that you have put on it with setSpecific does.)
        """
      ) { try ThrottledQueue(name: "com.example.spec", limit: 1, underlyingQueue: main) }
    }
  }

  @Test func `a queue that is only called like the main queue is taken`() {
    let namesake = DispatchQueue(label: DispatchQueue.main.label)
    #expect(
      throws: Never.self,
      """
      A private queue was refused because it bears the main queue's label. Any queue may be called \
      so: put a mark on the main queue, and look for that.
      """
    ) { try ThrottledQueue(name: "com.example.spec", limit: 1, underlyingQueue: namesake) }
  }
}
