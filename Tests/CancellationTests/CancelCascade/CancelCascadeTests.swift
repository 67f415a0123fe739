import AsyncOperations
import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that an operation and all in the list that still depend on it, directly or through others
/// there, are cancelled once.
///
/// None of them begins because another was cancelled, and no other operation is cancelled.
@Suite(.serialized, .kata) struct CancelCascadeTests {
  let timeline = Timeline()

  // MARK: - What is cancelled

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
          all that depends on it, and \(name) wasn't. The operations were listed \(list).
          """))
    }
  }

  @Test func `it needn't be in the list`() throws {
    let graph = CascadeGraph(["root": [], "a": ["root"]], on: timeline)
    let root = graph["root"]
    let others = [graph["a"] as Operation]
    try mustReturn("cancelCascade") { root.cancelCascade(among: others) }
    #expect(
      graph.cancelled == ["a", "root"],
      timeline.showing(
        """
        root wasn't in the list of operations that may depend on it. It and a must be cancelled; \
        cancelled were: \(graph.cancelled).
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
        Only joint depends on root. What root depends on, what else depends on that, and the other \
        dependency of joint can still succeed. Cancelled were: \(graph.cancelled).
        """))
  }

  // root ◀── a, not in the list ◀── b, in the list
  @Test func `an operation outside the list is left alone`() throws {
    let graph = CascadeGraph(["root": [], "a": ["root"], "b": ["a"], "c": ["root"]], on: timeline)
    let root = graph["root"]
    let listed = ["root", "b", "c"].map { graph[$0] as Operation }
    try mustReturn("cancelCascade") { root.cancelCascade(among: listed) }
    #expect(
      graph.cancelled == ["c", "root"],
      timeline.showing(
        """
        a depends on root and b on a; a wasn't in the list. Only c, which is in it, and root must \
        be cancelled; cancelled were: \(graph.cancelled). Follow only the operations in the list.
        """))
  }

  // root ◀── a ◀── b
  //   └───── c ◀── d        the first to be cancelled takes the graph apart
  @Test(arguments: CascadeList.allCases)
  func `it follows the graph as it is at the call`(list: CascadeList) throws {
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
        All five were connected at the time of the call. The first to be cancelled removed the \
        dependencies, and then cancelled were: \(graph.cancelled). Store which operations depend \
        on which before you cancel any.
        """))
  }

  // root, failed ◀── running ◀── behind
  //   └───────────── linked       is cancelled, and then running ends
  @Test(arguments: CascadeList.allCases)
  func `one that ends during the cascade hides no other`(list: CascadeList) throws {
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
        behind depends on running and running on root, and neither had finished at the time of the \
        call. Then linked was cancelled, and with it running ended; behind must be cancelled all \
        the same. Check which operations have finished before you cancel any.
        """))
  }

  // root, failed ◀── a ◀── b
  //                  is cancelled by another caller, and leaves, just after its state was read
  @Test func `one that is cancelled and leaves during the call hides no other`() throws {
    let root = CancelAllJob("root", on: timeline)
    root.start()
    root.end()
    let a = CascadeLeaver()
    let b = CancelAllJob("b", on: timeline)
    a.addDependency(root)
    b.addDependency(a)
    a.leaveWhenRead()
    try mustReturn("cancelCascade") { root.cancelCascade(among: [a, b]) }
    #expect(
      b.isCancelled,
      timeline.showing(
        """
        b depends on a and a on root, and a hadn't finished at the time of the call. Then another \
        caller cancelled a, which left at once; b must be cancelled all the same.
        """))
  }

  //          ┌── a1 ◀──┐      ┌── a2 ◀──┐
  // root ◀──┤          ├ b1 ◀┤          ├ b2      b2 can be reached in four ways
  //          └── c1 ◀──┘      └── c2 ◀──┘
  @Test func `one that is reached by several paths is cancelled once`() throws {
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
          \(name) was cancelled \(graph.tells(of: name)) times, and must be cancelled once: \
          remember which operations you have found. Every operation was listed twice, as in lists \
          that are joined.
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
        root has finished, with an error: just then its dependents must be cancelled. a and b wait \
        for a result that root hasn't delivered, and aren't cancelled.
        """))
  }

  // root ◀── a, cancelled before ◀── b
  @Test(arguments: [false, true])
  func `it goes on past one that was cancelled before`(hasLeft: Bool) throws {
    let graph = CascadeGraph(
      ["root": [], "a": ["root"], "other": [], "b": ["a", "other"]], on: timeline)
    graph["a"].cancel()
    if hasLeft { graph["a"].start() }
    try graph.cascade(from: "root")
    #expect(
      graph["b"].isCancelled && !graph["other"].isCancelled,
      timeline.showing(
        """
        a was cancelled alone before\(hasLeft ? ", and has left" : ""); b depends on it and wasn't \
        cancelled. Now root was cancelled with all that depends on it, and that includes b.
        """))
  }

  // root, failed ◀── a, finished all the same ◀── b
  @Test func `it ends at one that has finished`() throws {
    let graph = CascadeGraph(
      ["root": [], "a": ["root"], "other": [], "b": ["a", "other"]], on: timeline)
    try graph.live("root")
    try graph.live("a")
    try graph.cascade(from: "root")
    #expect(
      graph.tells(of: "a") == 0,
      timeline.showing("a has finished and must not be cancelled: leave it alone."))
    #expect(
      !graph["b"].isCancelled,
      timeline.showing(
        """
        a depends on root, and has finished without being cancelled, so it has delivered its \
        result. b has all that it needs from there, and was cancelled all the same.
        """))
  }
}
