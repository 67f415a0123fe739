import AsyncOperations
import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that an operation and all in the list that still depend on it, directly or through others there,
/// are told once, that none of them begins because another was told, and that nobody else is told.
@Suite(.serialized, .kata) struct CancelCascadeTests {
  let timeline = Timeline()

  // MARK: - Who is cancelled

  // root ◀── a ◀── b ◀── c ◀── d
  @Test(arguments: CascadeList.allCases)
  func `all that depends on it is cancelled, however far away`(list: CascadeList) throws {
    let graph = CascadeGraph(
      ["root": [], "a": ["root"], "b": ["a"], "c": ["b"], "d": ["c"]], on: timeline)
    try graph.cascade(from: "root", list)
    for name in graph.names {
      #expect(
        graph[name].isCancelled,
        timeline.showing(
          """
          Each of a, b, c, d depends on the one before it, and a on root. root was cancelled with \
          all that depends on it, and \(name) isn't. The operations were given \(list).
          """))
    }
  }

  @Test func `it needn't be among them`() throws {
    let graph = CascadeGraph(["root": [], "a": ["root"]], on: timeline)
    let root = graph["root"]
    let others = [graph["a"] as Operation]
    try mustReturn("cancelCascade") { root.cancelCascade(among: others) }
    #expect(
      graph.cancelled == ["a", "root"],
      timeline.showing(
        """
        root wasn't in the list, which names those that may depend on it; it and a must be \
        cancelled, and are: \(graph.cancelled).
        """))
  }

  //              ┌── sibling ◀── nephew
  // upstream ◀──┤
  //              └── root ◀── joint ── the sibling too
  @Test(arguments: CascadeList.allCases)
  func `nothing else is cancelled`(list: CascadeList) throws {
    let graph = CascadeGraph(
      [
        "upstream": [], "root": ["upstream"], "sibling": ["upstream"], "nephew": ["sibling"],
        "joint": ["sibling", "root"], "stranger": [],
      ], on: timeline)
    try graph.cascade(from: "root", list)
    #expect(
      graph.cancelled == ["joint", "root"],
      timeline.showing(
        """
        Only joint depends on root. What root depends on, what depends on that as well, and what \
        joint needs beside it can still succeed. Cancelled were: \(graph.cancelled).
        """))
  }

  // root ◀── a, not in the list ◀── b, in the list
  @Test func `what isn't among them is left alone`() throws {
    let graph = CascadeGraph(["root": [], "a": ["root"], "b": ["a"], "c": ["root"]], on: timeline)
    let root = graph["root"]
    let listed = ["root", "b", "c"].map { graph[$0] as Operation }
    try mustReturn("cancelCascade") { root.cancelCascade(among: listed) }
    #expect(
      graph.cancelled == ["c", "root"],
      timeline.showing(
        """
        a depends on root and b on a; a wasn't in the list. Only c, which is in it, and root must be \
        cancelled; cancelled were: \(graph.cancelled). Follow nobody but those in the list.
        """))
  }

  // root ◀── a ◀── b
  //   └───── c ◀── d        the first to be told takes the graph apart
  @Test(arguments: CascadeList.allCases)
  func `the graph is that of the time of the call`(list: CascadeList) throws {
    let hasBegun = Counter()
    let graphOfTest = Locked<CascadeGraph?>(nil)
    let graph = CascadeGraph(
      ["root": [], "a": ["root"], "c": ["root"], "b": ["a"], "d": ["c"]], on: timeline
    ) {
      if hasBegun.increment() == 1 { graphOfTest.value?.takeApart() }
    }
    graphOfTest.set(graph)
    defer { graphOfTest.set(nil) }
    try graph.cascade(from: "root", list)
    #expect(
      graph.cancelled == graph.names.sorted(),
      timeline.showing(
        """
        All five hung together at the time of the call. The first to be told took the dependencies \
        away, and then cancelled were: \(graph.cancelled). Note who depends on whom before you tell \
        anybody.
        """))
  }

  // root, failed ◀── running ◀── behind
  //   └───────────── linked       is told, and with that running comes to its end
  @Test(arguments: CascadeList.allCases)
  func `whoever ends in its midst hides nobody`(list: CascadeList) throws {
    let root = CancelAllJob("root", on: timeline)
    let running = CancelAllJob("running", .stubborn, on: timeline)
    let linked = CancelAllJob("linked", on: timeline, afterCancel: { running.end() })
    let behind = CancelAllJob("behind", on: timeline)
    for job in [running, linked] { job.addDependency(root) }
    behind.addDependency(running)
    root.start()
    root.end()
    running.start()
    let listed = list([running, linked, behind]).map { $0 as Operation }
    try mustReturn("cancelCascade") { root.cancelCascade(among: listed) }
    #expect(
      linked.isCancelled && behind.isCancelled,
      timeline.showing(
        """
        running depends on root and behind on running, and neither had finished at the time of the \
        call. linked was told, and ended running with it; behind must be told all the same. Look who \
        has finished before you tell anybody.
        """))
  }

  //          ┌── a1 ◀──┐      ┌── a2 ◀──┐
  // root ◀──┤          ├ b1 ◀┤          ├ b2      b2 can be reached in four ways
  //          └── c1 ◀──┘      └── c2 ◀──┘
  @Test func `whoever is reached in several ways is told once`() throws {
    let graph = CascadeGraph(
      [
        "root": [], "a1": ["root"], "c1": ["root"], "b1": ["a1", "c1"], "a2": ["b1"],
        "c2": ["b1"], "b2": ["a2", "c2"],
      ], on: timeline)
    try graph.cascade(from: "root", .twice)
    for name in graph.names {
      #expect(
        graph.tells(of: name) == 1,
        timeline.showing(
          """
          \(name) was told \(graph.tells(of: name)) times, and must be told once: remember whom you \
          have found. Every operation was given twice, as lists that are put together do.
          """))
    }
  }

  // root fails, and has finished ◀── a, waiting ◀── b
  @Test func `what depends on one that has finished is cancelled too`() throws {
    let graph = CascadeGraph(["root": [], "a": ["root"], "b": ["a"]], on: timeline)
    try graph.live("root")
    try graph.cascade(from: "root")
    #expect(
      graph["a"].isCancelled && graph["b"].isCancelled,
      timeline.showing(
        """
        root has finished, with an error: that's when a cascade is wanted most. a and b wait for \
        what it hasn't brought, and aren't cancelled.
        """))
  }

  // root ◀── a, cancelled before ◀── b
  @Test(arguments: [false, true])
  func `it goes on past whoever was cancelled before`(hasLeft: Bool) throws {
    let graph = CascadeGraph(
      ["root": [], "a": ["root"], "other": [], "b": ["a", "other"]], on: timeline)
    graph["a"].cancel()
    if hasLeft { graph["a"].start() }
    try graph.cascade(from: "root")
    #expect(
      graph["b"].isCancelled && !graph["other"].isCancelled,
      timeline.showing(
        """
        a was cancelled by itself before\(hasLeft ? ", and has left" : ""); b depends on it and \
        wasn't told. Now root is cancelled with all that depends on it, and that is b too.
        """))
  }

  // root, failed ◀── a, finished all the same ◀── b
  @Test func `it ends at whoever has finished`() throws {
    let graph = CascadeGraph(
      ["root": [], "a": ["root"], "other": [], "b": ["a", "other"]], on: timeline)
    try graph.live("root")
    try graph.live("a")
    try graph.cascade(from: "root")
    #expect(
      graph.tells(of: "a") == 0,
      timeline.showing("a has finished and has nothing to be told: leave it alone."))
    #expect(
      !graph["b"].isCancelled,
      timeline.showing(
        """
        a depends on root, and has finished without being cancelled: it made do with what it had. \
        So b has all that it waits for from there, and was cancelled all the same.
        """))
  }

  // MARK: - In queues that run

  @Test func `who runs is told, and so is what depends on it`() throws {
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
      "cancelCascade", "It tells them, and doesn't wait for their end: that may need the caller."
    ) { root.cancelCascade(among: [running, waiting]) }
    #expect(
      running.isCancelled && waiting.isCancelled,
      timeline.showing(
        """
        root has finished, with an error; running depends on it and works already, waiting waits \
        for that. Both must have been told.
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
        Only root had begun when it was cancelled with all that depends on it, in two queues; after \
        that nobody may begin.
        """))
  }

  @Test func `it returns when all are told`() throws {
    let goOn = Gate("go on")
    // Who is told first is left open, so their own record is another one.
    let graph = CascadeGraph(["root": [], "a": ["root"]], on: Timeline()) { [timeline] in
      timeline.visit("somebody's cancel()", until: goOn)
    }
    let caller = TestThread("cancelCascade") { [timeline] in
      timeline.visit("cancelCascade") { graph.callCascade(from: "root", .fromTheRoot) }
    }
    timeline.expect(
      """
      cancelCascade        ├─────────…
      somebody's cancel()       ├────…
      """,
      """
      One of them was still being told, and cancelCascade had returned: whoever has called it relies \
      on it that all are told then.
      """)
    goOn.open()
    try caller.result()
  }

  @Test func `each is told on the thread that calls`() throws {
    let caller = ThreadMark()
    let strangers = Counter()
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
        Three were told, \(strangers.value) of them on another thread than the one that called. \
        Call cancel() right there.
        """))
  }

  // caller             one of them, in its cancel()
  // tells it           begins a cascade of its own, there or on another thread
  //                    goes on when that has returned
  // returns
  @Test(arguments: [false, true])
  func `whoever is told may begin a cascade of its own`(elsewhere: Bool) throws {
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
      One that was told passed that on by a cascade of its own, \
      \(elsewhere ? "on another thread" : "right there"), and waited for it. Is a lock held while \
      cancel() is called?
      """
    ) { root.cancelCascade(among: []) }
    #expect(
      part.isCancelled && remainder.isCancelled,
      timeline.showing(
        """
        root was told, and called off part with all that depends on it: part and remainder must be \
        cancelled when that returns.
        """))
  }

  // The same, and it's the cascade that is under way which it begins again.
  @Test(arguments: [false, true])
  func `whoever is told may begin the same cascade again`(elsewhere: Bool) throws {
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
      One that was told called cancelCascade of the same operation, \
      \(elsewhere ? "on another thread" : "right there"), and waited for it. Is a lock held while \
      cancel() is called, be it one for each operation?
      """
    ) { root.cancelCascade(among: [teller]) }
    #expect(
      root.isCancelled && other.isCancelled,
      timeline.showing(
        """
        teller was told, and began the same cascade with somebody else among the operations: root and \
        other must be cancelled when that returns.
        """))
  }

  // one thread     another thread
  // a cascade
  //                a cascade in another graph: nothing of the spec's orders the two
  @Test func `two cascades may come from two threads`() throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...6 {
      let graphs = (1...2).map { _ in (Operation(), Operation()) }
      for (root, dependent) in graphs { dependent.addDependency(root) }
      let (one, other) = (graphs[0], graphs[1])
      try meet("cancelCascade") {
        one.0.cancelCascade(among: [one.1])
      } _: {
        other.0.cancelCascade(among: [other.1])
      }
      #expect(
        one.1.isCancelled && other.1.isCancelled,
        "Two cascades came from two threads, and not all that depends on the two was cancelled.")
    }
  }

  // caller             queue
  // tells one …        does what it can: starts whoever is free now
  //                    must not begin anybody who hasn't been told
  // tells the next …   and so on
  @Test(arguments: CascadeShape.all, [CascadeList.fromTheRoot, .toTheRoot])
  func `nobody begins because another was told`(shape: CascadeShape, list: CascadeList) throws {
    // Holds everybody who is told; the spec lets them go one by one.
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
          \(begun.joined(separator: " and ")) waited, and began in the midst of the cascade: what it \
          waited for was told first, left, and made it ready. Tell whoever depends on an operation \
          before the operation itself. The operations were given \(list).
          """))
      guard begun.isEmpty else { break }
      turns.signal()
    }
    for _ in 0..<100 { turns.signal() }
    try caller.result()
    for name in graph.names { graph[name].end() }
    eventually(timeline.showing("Somebody never leaves the queue.")) { queue.operationCount == 0 }
  }

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
        "a and b wait for each other, and a for root: all of them must be cancelled."))
  }
}
