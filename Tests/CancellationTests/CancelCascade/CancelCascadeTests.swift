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
    let hasBegun = SharedCounter()
    let graphOfTest = LockedValue<CascadeGraph?>(nil)
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
}
