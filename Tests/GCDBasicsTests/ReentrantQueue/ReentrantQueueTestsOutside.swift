import Dispatch
import KataTesting
import Testing

extension ReentrantQueueTests {
  // MARK: - Elsewhere

  @Test(arguments: [false, true]) func `a caller that has left waits like any other`(
    byError: Bool
  ) throws {
    let (account, timeline) = (account, timeline)
    let hasLeft = Gate("the caller has left")
    let again = Gate("the caller comes again")
    let caller = TestThread("caller") {
      let isThrown: Bool
      do {
        try account.sync { try timeline.visit("caller") { if byError { throw Overdrawn() } } }
        isThrown = false
      } catch { isThrown = error is Overdrawn }
      hasLeft.open()
      again.wait()
      account.sync { timeline.visit("caller") {} }
      return isThrown
    }
    eventually("sync never returned.") { hasLeft.isOpen }
    let release = Gate("release the first")
    try enters("first", until: release)
    timeline.mark("caller", "comes again")
    again.open()
    timeline.expect(
      """
      caller  ├────┤         ●  comes again
      first             ├─────────…
      """,
      """
      A thread was on the queue and has left it\(byError ? " by an error" : ""). Now the body of \
      another one is running, and the first thread ran its body at the same time: it was still \
      taken for a caller on the queue. Ask the queue that is running; or, if you store the thread, \
      remove it even if the body throws.
      """)
    release.open()
    #expect(
      try caller.result() == byError,
      "sync must throw what its body throws, and nothing else.")
  }

  @Test func `another queue isn't taken for it`() throws {
    try expectExclusion(from: ReentrantQueue(label: "katas.spec.other"), "another ReentrantQueue")
  }

  @Test func `another queue with the same label isn't taken for it`() throws {
    try expectExclusion(
      from: ReentrantQueue(label: account.queue.label),
      "another ReentrantQueue, which happens to have the same label,")
  }

  @Test func `a queue that its caller has gone to isn't taken for it`() throws {
    let account = account
    let plain = DispatchQueue(label: "katas.spec.plain")
    let other = ReentrantQueue(label: "katas.spec.other")
    let isTaken = try mustReturn("sync on two queues") {
      account.sync { [plain.sync { account.isCurrent }, other.sync { account.isCurrent }] }
    }
    #expect(
      isTaken == [false, false],
      """
      From the queue the caller called sync on another one, and there isCurrent must be false: \
      this code runs on the other queue. Ask the queue that is running, not the thread.
      """)
  }

  @Test func `one queue doesn't wait for another`() throws {
    let release = Gate("release the first")
    try enters("first", until: release)
    let others = (1...1000).map { ReentrantQueue(label: "katas.spec.other \($0)") }
    let second = TestThread("second") { [timeline] in
      timeline.visit("second") { for other in others { other.sync {} } }
    }
    timeline.expect(
      """
      first   ├──────────────…
      second       ├────┤
      """,
      """
      A body was running on one queue, and a caller that went to a thousand others, one after \
      the other, had to wait, though no target was passed to any of them. Each must have a queue \
      of its own, and no target unless one was passed.
      """)
    release.open()
    try second.result()
  }

  @Test func `isCurrent doesn't wait`() throws {
    let account = account
    let release = Gate("release the first")
    try enters("first", until: release)
    let asking = TestThread("isCurrent") { [timeline] in
      timeline.visit("isCurrent") { account.isCurrent }
    }
    timeline.expect(
      """
      first      ├──────────────…
      isCurrent       ├────┤
      """,
      """
      A body was running, and a thread that only read isCurrent had to wait. Hold no lock while a \
      body runs, and don't use the queue to find out.
      """)
    release.open()
    #expect(try !asking.result(), "isCurrent is true on a thread that was never on the queue.")
  }

  // MARK: - Targets

  @Test func `a queue that targets it counts as it`() {
    let teller = DispatchQueue(label: "katas.spec.teller", target: account.queue)
    let cashier = DispatchQueue(label: "katas.spec.cashier", target: teller)
    for queue in [teller, cashier] {
      queue.async { [account, timeline] in
        timeline.mark(queue.label, account.isCurrent ? "current" : "elsewhere")
      }
    }
    eventually(
      """
      A queue that targets this one, directly or through another, runs its blocks on this one as \
      well, so isCurrent must be true there. getSpecific searches the targets, too.
      """
    ) { timeline.events.map(\.kind) == [.mark("current"), .mark("current")] }
    guard timeline.events.allSatisfy({ $0.kind == .mark("current") }) else { return }
    cashier.async { [account, timeline] in account.sync { timeline.mark("sync", "inside") } }
    eventually("Called on a queue that targets this one, sync waits for itself forever.") {
      timeline.events.last?.kind == .mark("inside")
    }
  }

  @Test(arguments: [false, true]) func `a ReentrantQueue that targets it counts as it`(
    throughAnother: Bool
  ) throws {
    let account = account
    let between = DispatchQueue(label: "katas.spec.between", target: account.queue)
    let savings = ReentrantQueue(
      label: "katas.spec.savings", target: throughAnother ? between : account.queue)
    let isBoth = try mustReturn("sync on a queue that targets this one") {
      savings.sync { savings.isCurrent && account.isCurrent }
    }
    #expect(
      isBoth,
      """
      The caller runs on a ReentrantQueue whose target is \
      \(throughAnother ? "a plain queue, whose target is another one" : "another one"), so it runs \
      on both, and isCurrent must be true for both. With one shared key, the mark of the upper \
      queue hides that of the lower; with a key for each, both are found, whatever is between \
      them.
      """)
    guard isBoth else { return }
    try mustReturn("sync on both") {
      savings.sync { account.sync { savings.sync { account.sync {} } } }
    }
  }

  @Test func `its target isn't taken for it`() throws {
    let account = account
    let savings = ReentrantQueue(label: "katas.spec.savings", target: account.queue)
    let loans = ReentrantQueue(label: "katas.spec.loans", target: account.queue)
    #expect(
      try !mustReturn("isCurrent on the target") { account.sync { savings.isCurrent } },
      """
      The caller runs on the target, and a queue that has this target takes that for itself. Mark \
      your own queue, not its target.
      """)
    #expect(
      try !mustReturn("isCurrent on a queue beside it") { loans.sync { savings.isCurrent } },
      "Two queues have the same target, and one is taken for the other: mark your own queue.")
  }

  @Test func `its target is busy while a body runs`() throws {
    let savings = ReentrantQueue(label: "katas.spec.savings", target: account.queue)
    let release = Gate("release the first")
    let first = try enters("first", savings, until: release)
    let second = caller("second")
    timeline.expect(
      """
      first   ├─────────…
      second       ┆┄┄┄┄…
      """,
      """
      A body was running on a queue that was made with a target, and a caller of that target ran \
      its body at the same time. A queue's blocks run in turn with its target's: make it with \
      DispatchQueue(label: label, target: target).
      """)
    release.open()
    try first.result()
    try second.result()
  }

  // MARK: - All the rest

  @Test func `many threads may use it at once`() throws {
    let (account, balance) = (account, Balance())
    try TestThread.race("thread", threads: 4) { _ in
      for _ in 0..<20 { account.sync { account.sync { balance.amount += 1 } } }
    }
    #expect(
      try mustReturn("sync") { account.sync { balance.amount } } == 80,
      "Four threads added 1 twenty times each, inside sync, and updates were lost.")
  }

  @Test func `its queue has its label`() {
    #expect(
      account.queue.label == "katas.spec.account",
      "The label is the name that debuggers and crash reports show: pass it to the queue.")
  }

  @Test func `a queue that outlives its object isn't taken for another's`() throws {
    // The first hundred objects are deallocated before the others are made in their memory.
    let kept = (1...100).map { ReentrantQueue(label: "katas.spec.gone \($0)").queue }
    let others = (1...100).map { ReentrantQueue(label: "katas.spec.other \($0)") }
    let taken = try mustReturn("work on the queues") {
      kept.filter { queue in queue.sync { others.contains(where: \.isCurrent) } }.count
    }
    #expect(
      taken == 0,
      """
      A hundred queues outlived their objects, and \(taken) of them are taken for the queue of an \
      object that was made later. A mark is found by its key's address, which is reused: remove \
      the mark in deinit.
      """)
  }

  @Test func `it's deallocated with its queue`() throws {
    let (owner, queue) = try {
      let local = ReentrantQueue(label: "katas.spec.local")
      try mustReturn("sync") { local.sync { local.sync {} } }
      return (WeakReference(local), WeakReference(local.queue))
    }()
    runUntilQuiet()
    #expect(
      owner.isGone && queue.isGone,
      """
      The object was released, but it or its queue is still in memory. A queue retains the value \
      that it's marked with: don't mark it with an object that retains the queue.
      """)
  }
}
