import AsyncOperations
import Dispatch
import Foundation
import KataTesting
import Testing

extension CancelCascadeTests {
  // MARK: - In queues that run

  @Test func `a running one is cancelled, and so is what depends on it`() throws {
    let root = CancelAllJob("root", on: timeline)
    let running = CancelAllJob("running", .stubborn, on: timeline)
    let waiting = CancelAllJob("waiting", on: timeline)
    running.addDependency(root)
    waiting.addDependency(running)
    let queue = OperationQueue()
    for job in [root, running, waiting] { queue.addOperation(job) }
    eventually("The queue never started root.") { root.isExecuting }
    root.end()
    eventually("The queue never started what depends on root.") { running.isExecuting }

    try mustReturn(
      "cancelCascade", "It mustn't wait until they have ended: that may need the calling thread."
    ) { root.cancelCascade(among: [running, waiting]) }
    #expect(
      running.isCancelled && waiting.isCancelled,
      timeline.showing(
        """
        root has finished, with an error; running depends on it and runs already, waiting depends \
        on running. Both must have been cancelled.
        """))
    eventually(timeline.showing("waiting was cancelled, and never leaves its queue.")) {
      waiting.isFinished
    }
    #expect(timeline.entries(of: "waiting") == 0, timeline.showing("waiting must never begin."))
    running.end()
  }

  // first queue    root, in work ◀── a1 ◀── a2
  // second queue                      └──── b1 ◀── b2 ── a2 too
  @Test func `they leave their queues, all of them`() throws {
    let graph = CascadeGraph(
      ["root": [], "a1": ["root"], "a2": ["a1"], "b1": ["a1"], "b2": ["b1", "a2"]], on: timeline)
    let queues = [OperationQueue(), OperationQueue()]
    for name in graph.names {
      queues[name.hasPrefix("b") ? 1 : 0].addOperation(graph[name])
    }
    eventually("The queue never started root.") { graph["root"].isExecuting }
    try graph.cascade(from: "root")
    for name in graph.names {
      eventually(timeline.showing("\(name) was cancelled and never leaves its queue.")) {
        graph[name].isFinished
      }
    }
    runUntilQuiet()
    #expect(
      Set(timeline.orderOfEntry) == ["root"],
      timeline.showing(
        """
        Only root had begun when it was cancelled with all that depends on it, in two queues. \
        After that none of the others may begin.
        """))
  }

  @Test func `it returns when all are cancelled`() throws {
    let goOn = Gate("go on")
    // Which is cancelled first is left open, so they have a timeline of their own.
    let graph = CascadeGraph(["root": [], "a": ["root"]], on: Timeline()) { [timeline] in
      timeline.visit("a caller's cancel()", until: goOn)
    }
    let caller = TestThread("cancelCascade") { [timeline] in
      timeline.visit("cancelCascade") { graph.callCascade(from: "root", .fromTheRoot) }
    }
    timeline.expect(
      """
      cancelCascade        ├─────────…
      a caller's cancel()       ├────…
      """,
      """
      One cancel() hadn't returned yet, and cancelCascade had. Its caller relies on all of them \
      being cancelled then: call every cancel() directly.
      """)
    goOn.open()
    try caller.result()
  }

  @Test func `each is cancelled on the calling thread`() throws {
    let caller = ThreadMark()
    let strangers = SharedCounter()
    let graph = CascadeGraph(
      ["root": [], "a": ["root"], "b": ["a"]], on: timeline,
      afterCancel: { if !caller.isCurrent { strangers.increment() } })
    try mustReturn("cancelCascade") {
      caller.note()
      graph.callCascade(from: "root", .fromTheRoot)
    }
    #expect(
      strangers.value == 0,
      timeline.showing(
        """
        Three were cancelled, \(strangers.value) of them on another thread than the one that \
        called. Call every cancel() directly.
        """))
  }

  // caller             one of them, in its cancel()
  // cancels it         begins a cascade of its own, there or on another thread
  //                    goes on when that has returned
  // returns
  @Test(arguments: [false, true])
  func `a cancelled one may begin a cascade of its own`(elsewhere: Bool) throws {
    let part = CancelAllJob("part", on: timeline)
    let remainder = CancelAllJob("remainder", on: timeline)
    remainder.addDependency(part)
    let root = CancelAllJob("root", on: timeline) {
      guard elsewhere else { return part.cancelCascade(among: [remainder]) }
      let isDone = Gate("the other cascade returns")
      _ = TestThread("the other cascade") {
        part.cancelCascade(among: [remainder])
        isDone.open()
      }
      isDone.wait()
    }
    try mustReturn(
      "cancelCascade",
      """
      One cancel() began a cascade of its own, \(elsewhere ? "on another thread" : "directly"), \
      and waited for it. Is a lock held while cancel() is called?
      """
    ) { root.cancelCascade(among: []) }
    #expect(
      part.isCancelled && remainder.isCancelled,
      timeline.showing(
        """
        root was cancelled, and its cancel() cancelled part with all that depends on it. part and \
        remainder must be cancelled when the call returns.
        """))
  }

  // The same, and it begins the cascade that is in progress once more.
  @Test(arguments: [false, true])
  func `a cancelled one may begin the same cascade again`(elsewhere: Bool) throws {
    let root = CancelAllJob("root", on: timeline)
    let other = CancelAllJob("other", on: timeline)
    let teller = CancelAllJob("teller", on: timeline) {
      guard elsewhere else { return root.cancelCascade(among: [other]) }
      let isDone = Gate("the same cascade, elsewhere, returns")
      _ = TestThread("the same cascade, elsewhere") {
        root.cancelCascade(among: [other])
        isDone.open()
      }
      isDone.wait()
    }
    teller.addDependency(root)
    other.addDependency(root)
    try mustReturn(
      "cancelCascade",
      """
      One cancel() called cancelCascade of the same operation, \
      \(elsewhere ? "on another thread" : "directly"), and waited for it. Is a lock held while \
      cancel() is called, perhaps one for each operation?
      """
    ) { root.cancelCascade(among: [teller]) }
    #expect(
      root.isCancelled && other.isCancelled,
      timeline.showing(
        """
        teller was cancelled, and began the same cascade with another list of operations. root and \
        other must be cancelled when that returns.
        """))
  }

  // one thread     another thread
  // a cascade
  //                a cascade in another graph: nothing of the spec orders the two
  @Test func `two cascades may come from two threads`() throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...6 {
      let graphs = (1...2).map { _ in (Operation(), Operation()) }
      for (root, dependent) in graphs { dependent.addDependency(root) }
      let (one, other) = (graphs[0], graphs[1])
      try RelaxedRendezvous.meet("cancelCascade") {
        one.0.cancelCascade(among: [one.1])
      } _: {
        other.0.cancelCascade(among: [other.1])
      }
      #expect(
        one.1.isCancelled && other.1.isCancelled,
        "Two threads began a cascade each, and not all that depends on the two was cancelled.")
    }
  }

  // caller             queue
  // cancels one …      does what it can: starts what is ready now
  //                    must not start one that hasn't been cancelled
  // cancels the next … and so on
  @Test(arguments: CascadeShape.all, [CascadeList.fromTheRoot, .toTheRoot, .twice])
  func `none begins because another was cancelled`(shape: CascadeShape, list: CascadeList) throws {
    // Holds every cancel(); the spec lets them return one by one.
    let turns = DispatchSemaphore(value: 0)
    let graph = CascadeGraph(shape.dependencies, on: timeline) { turns.wait() }
    let queue = OperationQueue()
    for name in graph.names { queue.addOperation(graph[name]) }
    for name in shape.first {
      eventually("The queue never started \(name).") { graph[name].isExecuting }
    }
    if shape.rootHasFailed {
      graph["root"].end()
      eventually("root never finished.") { graph["root"].isFinished }
    }
    runUntilQuiet()

    let caller = TestThread("cancelCascade") { graph.callCascade(from: "root", list) }
    for _ in 0..<2 * graph.names.count where !caller.hasReturned {
      runUntilQuiet()
      let begun = timeline.orderOfEntry.filter { !shape.first.contains($0) }
      #expect(
        begun.isEmpty,
        timeline.showing(
          """
          \(begun.joined(separator: " and ")) waited, and began during the cascade: its dependency \
          was cancelled first, left, and made it ready. Cancel what depends on an operation before \
          the operation itself. The operations were listed \(list).
          """))
      guard begun.isEmpty else { break }
      turns.signal()
    }
    for _ in 0..<100 { turns.signal() }
    try caller.result()
    for name in graph.names { graph[name].end() }
    eventually(timeline.showing("An operation never left the queue.")) { queue.operationCount == 0 }
  }
}
