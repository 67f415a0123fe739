import Dispatch
import KataTesting
import Testing

/// Proves that sync runs at once if its caller is on the queue already, and waits otherwise.
///
/// isCurrent is true on the queue and on those that target it, and nowhere else.
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
      Two threads called sync, and both bodies ran at once. Bodies must run one at a time: let \
      sync run each on the serial queue, with queue.sync, which waits for its turn.
      """)
    release.open()
    #expect(try second.result() == "second", "sync must return what its body returns.")
  }

  @Test func `sync waits for work that was submitted to the queue`() throws {
    let release = Gate("release the work on the queue")
    account.queue.async { [timeline] in timeline.visit("work", until: release) }
    let isThere = eventually("Work was submitted to the queue and never ran.") {
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
      Work that was submitted to the queue was running, and sync ran its body at the same time. \
      The body must run on that same queue: a lock beside it doesn't exclude the queue's work.
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
      "caller  ├────…", "Work on the queue ran at the same time as the body of sync.")
    releaseCaller.open()
    timeline.expect(
      """
      caller  ├────┤
      work 1            ├────…
      """,
      "Two pieces of work were submitted to the queue; it's serial, so the first must run alone.")
  }

  // MARK: - On the queue already

  @Test func `isCurrent says whether the caller runs on it`() throws {
    let account = account
    #expect(
      try !mustReturn("isCurrent") { account.isCurrent },
      "isCurrent is true on a thread that was never on the queue.")
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
      "In work submitted to the queue, isCurrent must be true; it was false, or the work never ran."
    ) { timeline.events.map(\.kind) == [.mark("current")] }
    #expect(
      try !mustReturn("isCurrent") {
        account.sync {}
        return account.isCurrent
      }, "sync has returned, so its caller is no longer on the queue, but isCurrent is still true.")
  }

  @Test func `sync within sync runs at once`() throws {
    let account = account
    let sum = try mustReturn("sync within sync", "The inner call must not wait for the outer.") {
      account.sync { account.sync { 1 } + account.sync { account.sync { 2 } } }
    }
    #expect(sum == 3, "Each sync must return what its own body returns.")
  }

  @Test(arguments: [false, true]) func `sync rethrows its body's error`(isNested: Bool) throws {
    let account = account
    #expect(
      throws: Overdrawn.self,
      """
      The body of \(isNested ? "a nested" : "a") sync threw Overdrawn, and its caller got \
      something else. Rethrow errors as they are: return try body(), return try queue.sync(…).
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
    eventually("Work that runs on the queue called sync, and now waits for itself: a deadlock.") {
      !timeline.events.isEmpty
    }
  }

  @Test func `a nested call lets no other caller in`() throws {
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
      The nested call has returned, the outer one hasn't, and the body of another caller ran. The \
      queue must stay busy until the outer call has returned.
      """)
    release.open()
    try outer.result()
    try other.result()
  }

  // MARK: - Fixtures

  struct Overdrawn: Error {}

  final class Balance: Sendable {
    // Safe: accessed inside sync only, which the test is about.
    nonisolated(unsafe) var amount = 0
  }

  /// Calls sync on a thread of its own, with a body that returns at once.
  func caller(_ name: String) -> TestThread<String> {
    timeline.asks(name) { [account, timeline] in
      account.sync { timeline.visit(name) { name } }
    }
  }

  /// Calls sync on a thread of its own, with a body that waits until `gate` opens.
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

  /// Expects that a caller that runs on `other` waits while a body runs.
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
      A body was running, and a caller that runs on \(what) ran its body at the same time: it was \
      taken for a caller that is on the queue already.
      """, sourceLocation: sourceLocation)
    release.open()
    try second.result(sourceLocation: sourceLocation)
  }
}

extension ReentrantQueue: OpaqueMirror {}
