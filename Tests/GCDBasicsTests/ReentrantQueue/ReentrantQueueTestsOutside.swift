import Dispatch
import KataTesting
import Testing

extension ReentrantQueueTests {
  // MARK: - Whoever isn't

  @Test(arguments: [false, true]) func `whoever has left waits like everybody else`(
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
      A thread was on the queue and has left it\(byError ? " by an error" : ""). Now another one \
      is inside, and the first came in again beside it: it was remembered. Ask the queue that is \
      running, or forget the thread on every way out.
      """)
    release.open()
    #expect(
      try caller.result() == byError,
      "What the body throws must get through to whoever called sync, and nothing else.")
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
      From its queue the caller went to another one, with sync, and there isCurrent must be false: \
      this code runs on the other queue. Ask the queue that is running, not the thread.
      """)
  }

  @Test func `one doesn't wait for another`() throws {
    let release = Gate("release the first")
    try enters("first", until: release)
    let second = TestThread("second") { [timeline] in
      timeline.visit("second") { ReentrantQueue(label: "katas.spec.other").sync {} }
    }
    timeline.expect(
      """
      first   ├──────────────…
      second       ├────┤
      """,
      """
      Somebody was inside one queue, and a caller of another one had to wait, though nobody gave the \
      two a common target. Without a target each runs on one of the system's queues.
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
      Somebody was inside, and a thread that only asked for isCurrent had to wait. Hold no lock while \
      a body runs, and don't ask by going to the queue.
      """)
    release.open()
    #expect(try !asking.result(), "isCurrent is true on a thread that never came near the queue.")
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
      A queue that has this one as its target, directly or through another, runs its work in this \
      one's turns, so isCurrent must be true there. getSpecific looks at the targets too.
      """
    ) { timeline.events.map(\.kind) == [.mark("current"), .mark("current")] }
    guard timeline.events.allSatisfy({ $0.kind == .mark("current") }) else { return }
    cashier.async { [account, timeline] in account.sync { timeline.mark("sync", "inside") } }
    eventually("Called on a queue that targets it, sync waits for itself for ever.") {
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
      \(throughAnother ? "a plain queue, whose target is another one" : "another one"), so it runs on \
      both, and isCurrent must be true for both. Under a key that all share, the upper mark hides the \
      lower; with a key of its own each is found, whatever lies between.
      """)
    guard isBoth else { return }
    try mustReturn("sync on both") {
      savings.sync { account.sync { savings.sync { account.sync {} } } }
    }
  }

  @Test func `what it targets isn't taken for it`() throws {
    let account = account
    let savings = ReentrantQueue(label: "katas.spec.savings", target: account.queue)
    let loans = ReentrantQueue(label: "katas.spec.loans", target: account.queue)
    #expect(
      try !mustReturn("isCurrent on the target") { account.sync { savings.isCurrent } },
      """
      The caller runs on the target, and a queue above it takes that for itself. Mark your own queue, \
      not the one beneath it.
      """)
    #expect(
      try !mustReturn("isCurrent on a queue beside it") { loans.sync { savings.isCurrent } },
      "Two queues have one target, and one of them is taken for the other: mark your own queue.")
  }

  @Test func `its target is taken while somebody is inside`() throws {
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
      A caller was inside a queue that was made with a target, and somebody else came in on that \
      target. The work of a queue runs in the turns of its target: make it with DispatchQueue(label: \
      label, target: target).
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
      "Four threads added 1 twenty times each, inside sync; some of it was lost.")
  }

  @Test func `its queue bears its label`() {
    #expect(
      account.queue.label == "katas.spec.account",
      "The label is the name that a debugger and a crash report show: give it to the queue.")
  }

  @Test func `a queue that is kept for longer counts as nobody's`() throws {
    // The first hundred are gone when the others are made, which get their memory.
    let kept = (1...100).map { ReentrantQueue(label: "katas.spec.gone \($0)").queue }
    let others = (1...100).map { ReentrantQueue(label: "katas.spec.other \($0)") }
    let taken = try mustReturn("work on the queues") {
      kept.filter { queue in queue.sync { others.contains(where: \.isCurrent) } }.count
    }
    #expect(
      taken == 0,
      """
      A hundred queues were kept for longer than their objects, and \(taken) of them count as that of \
      an object which was made later. The mark is found by the key's address, which is used again: \
      take the mark off in deinit.
      """)
  }

  @Test func `it goes when nobody needs it`() throws {
    let (owner, queue) = try {
      let local = ReentrantQueue(label: "katas.spec.local")
      try mustReturn("sync") { local.sync { local.sync {} } }
      return (WeakReference(local), WeakReference(local.queue))
    }()
    runUntilQuiet()
    #expect(
      owner.isGone && queue.isGone,
      """
      Nobody keeps it any more, and it is still in memory. A queue keeps what it's marked with: \
      don't mark it with what keeps the queue.
      """)
  }
}
