import Dispatch
import KataTesting
import Testing

/// Proves that sync runs at once where its caller has its turn already, also through a target, that all
/// others wait, and that isCurrent is true on the queue and those that target it, and nowhere else.
@Suite(.serialized, .kata) struct ReentrantQueueTests {
  let timeline = Timeline()
  let account = ReentrantQueue(label: "katas.spec.account")

  // MARK: - One at a time

  @Test func `two callers are never inside at once`() throws {
    let release = Gate("release the first")
    try enters("first", until: release)
    let second = caller("second")
    timeline.expect(
      """
      first   ├─────────…
      second       ┆┄┄┄┄…
      """,
      """
      Two threads called sync, and both were inside at once. Let sync run its body on the serial \
      queue, with queue.sync, which waits for its turn.
      """)
    release.open()
    #expect(try second.result() == "second", "sync must return what its body returns.")
  }

  @Test func `sync waits for what was put on the queue`() throws {
    let release = Gate("release the work on the queue")
    account.queue.async { [timeline] in timeline.visit("work", until: release) }
    let isThere = eventually("Work was put on the queue and never runs.") {
      timeline.isInside("work")
    }
    guard isThere else { return }
    let second = caller("sync")
    timeline.expect(
      """
      work  ├─────────…
      sync       ┆┄┄┄┄…
      """,
      """
      Work that was put on its queue was running, and sync ran its body beside it. What sync is \
      given must run on that very queue; a lock on the side keeps nobody off the queue.
      """)
    release.open()
    try second.result()
  }

  @Test func `work on its queue runs alone`() throws {
    let releaseCaller = Gate("release the caller")
    let releaseWork = Gate("release the work")
    try enters("caller", until: releaseCaller)
    for work in ["work 1", "work 2"] {
      account.queue.async { [timeline] in timeline.visit(work, until: releaseWork) }
    }
    timeline.expect(
      "caller  ├────…", "Work that was put on its queue ran beside the body of sync.")
    releaseCaller.open()
    timeline.expect(
      """
      caller  ├────┤
      work 1            ├────…
      """,
      "Two pieces of work were put on its queue, which is serial: the first must be running alone.")
  }

  // MARK: - Whoever is there already

  @Test func `it knows whether its caller runs on it`() throws {
    let account = account
    #expect(
      try !mustReturn("isCurrent") { account.isCurrent },
      "isCurrent is true on a thread that never came near the queue.")
    #expect(
      try mustReturn("sync") { account.sync { account.isCurrent } },
      """
      Inside sync, isCurrent is false. Mark the queue with setSpecific when it is made, and look for \
      the mark with DispatchQueue.getSpecific, which asks the queue that is running.
      """)
    account.queue.async { [timeline] in
      timeline.mark("work on the queue", account.isCurrent ? "current" : "elsewhere")
    }
    eventually(
      "Work that was put on the queue must find isCurrent true; it found false, or never ran."
    ) { timeline.events.map(\.kind) == [.mark("current")] }
    #expect(
      try !mustReturn("isCurrent") {
        account.sync {}
        return account.isCurrent
      }, "sync has returned, so its caller is no longer on the queue, and isCurrent is still true.")
  }

  @Test func `sync within sync runs at once`() throws {
    let account = account
    let sum = try mustReturn("sync within sync", "The inner one must not wait for the outer one.") {
      account.sync { account.sync { 1 } + account.sync { account.sync { 2 } } }
    }
    #expect(sum == 3, "Each sync must return what its own body returns.")
  }

  @Test(arguments: [false, true]) func `what the body throws gets through`(isNested: Bool) throws {
    let account = account
    #expect(
      throws: Overdrawn.self,
      """
      The body of \(isNested ? "a nested" : "a") sync has thrown Overdrawn, and whoever called it got \
      something else. Hand errors on as they are: return try body(), return try queue.sync(…).
      """
    ) {
      try mustReturn("sync") {
        try account.sync {
          guard isNested else { throw Overdrawn() }
          try account.sync { throw Overdrawn() }
        }
      }
    }
  }

  @Test func `work on its queue may call sync`() {
    account.queue.async { [account, timeline] in
      account.sync { timeline.mark("work", "was inside") }
    }
    eventually("Work that runs on the queue called sync, and waits for itself for ever.") {
      !timeline.events.isEmpty
    }
  }

  @Test func `a nested call lets nobody else in`() throws {
    let (account, timeline) = (account, timeline)
    let release = Gate("release the outer call")
    let outer = TestThread("outer") {
      account.sync {
        account.sync { timeline.visit("nested") {} }
        timeline.visit("outer", until: release)
      }
    }
    try #require(
      eventually("sync was called within sync, and that call never returned.") {
        timeline.isInside("outer")
      })
    let other = caller("other")
    timeline.expect(
      """
      nested  ├────┤
      outer             ├─────────…
      other                  ┆┄┄┄┄…
      """,
      """
      The nested call has returned, the outer one hasn't, and somebody else came in. The turn \
      belongs to the outer call and ends with it.
      """)
    release.open()
    try outer.result()
    try other.result()
  }

  // MARK: - Fixtures

  struct Overdrawn: Error {}

  final class Balance: Sendable {
    // Safe: touched inside sync only, which the test is about.
    nonisolated(unsafe) var amount = 0
  }

  /// A caller of sync comes, goes in when it can, and leaves again.
  func caller(_ name: String) -> TestThread<String> {
    timeline.asks(name) { [account, timeline] in
      account.sync { timeline.visit(name) { name } }
    }
  }

  /// A caller of sync is inside and stays there until `gate` opens.
  @discardableResult
  func enters(
    _ name: String, _ queue: ReentrantQueue? = nil, until gate: Gate
  ) throws -> TestThread<Void> {
    let caller = TestThread(name) { [queue = queue ?? account, timeline] in
      queue.sync { timeline.visit(name, until: gate) }
    }
    try #require(
      eventually(timeline.showing("\(name) called sync, and its body never ran.")) {
        timeline.isInside(name)
      })
    return caller
  }

  /// While somebody is inside, whoever comes from `other` has to wait.
  func expectExclusion(
    from other: ReentrantQueue, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (account, timeline) = (account, timeline)
    let release = Gate("release the first")
    try enters("first", until: release)
    let second = timeline.asks("second") {
      other.sync { account.sync { timeline.visit("second") {} } }
    }
    timeline.expect(
      """
      first   ├─────────…
      second       ┆┄┄┄┄…
      """,
      """
      Somebody was inside, and a caller that runs on \(what) came in as well: it was taken for one \
      that is there already.
      """, sourceLocation: sourceLocation)
    release.open()
    try second.result(sourceLocation: sourceLocation)
  }
}

extension ReentrantQueue: OpaqueMirror {}
