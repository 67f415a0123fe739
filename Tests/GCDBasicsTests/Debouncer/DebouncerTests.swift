import Dispatch
import KataTesting
import Testing

/// Proves that of a burst only the last value is delivered, once, when its own delay has passed, on the
/// queue that was chosen; that what was replaced or cancelled before it began never begins; and that nobody
/// is held and nothing kept.
@Suite(.serialized, .kata) struct DebouncerTests {
  private let stage = DebouncerStage()

  // MARK: - Bursts

  @Test func `a value is delivered when its delay has passed`() throws {
    let debouncer = stage.debouncer()
    try stage.send("dawn", to: debouncer)
    runUntilQuiet()
    #expect(
      stage.delivered.isEmpty,
      stage.timeline.showing("The delay hasn't passed yet, and the value was delivered."))
    try #require(
      stage.timers.seconds == [DebouncerStage.delay],
      """
      send must set one timer: make a DispatchWorkItem that calls action with the value, and call \
      schedule with the delay in seconds, the queue and the item.
      """)
    stage.expectDelivered(["dawn"], "The delay has passed, and the value must be delivered, once.")
  }

  @Test func `a burst is delivered once, with its last value`() throws {
    let debouncer = stage.debouncer()
    try stage.send("d", "da", "dawn", to: debouncer)
    stage.expectDelivered(
      ["dawn"],
      """
      Three values were sent before the first delay had passed. Only the last must be delivered: each \
      silences the one before it, by cancelling its item.
      """)
  }

  @Test func `each value begins the delay anew`() throws {
    let debouncer = stage.debouncer()
    try stage.send("a", "b", to: debouncer)
    stage.comeDue(0..<1)
    stage.timeline.expect(
      """
      caller     ●    ●  sends a, sends b
      comes due            ●  timer 1
      """,
      """
      The delay of a has passed and that of b, which came later, hasn't: the burst isn't over, and \
      nothing may be delivered.
      """)
    stage.comeDue(1..<2)
    stage.timeline.expect(
      """
      caller     ●    ●  sends a, sends b
      comes due            ●    ●  timer 1, timer 2
      action                         ├────●────┤  b
      """,
      """
      The delay of b has passed, counted from its own send, so it must be delivered. Set a timer for \
      each value.
      """)
  }

  @Test func `two bursts are delivered twice`() throws {
    let debouncer = stage.debouncer()
    try stage.send("a", "b", to: debouncer)
    stage.expectDelivered(["b"], "The first burst is over: its last value must be delivered.")
    try stage.send("c", "b", to: debouncer)
    stage.expectDelivered(
      ["b", "b"], whenDue: 2..<4,
      """
      The second burst is over too: its last value must be delivered, though it's the same as that of \
      the first burst, and nothing else again.
      """)
  }

  @Test func `each debouncer has a burst of its own`() throws {
    let debouncers = (1...3).map { _ in stage.debouncer() }
    try stage.send("a", to: debouncers[0])
    try stage.send("b", to: debouncers[1])
    try stage.send("c", to: debouncers[2])
    try stage.cancel(debouncers[2])
    stage.expectDelivered(
      ["a", "b"],
      """
      There are three debouncers with the same queue. One was sent a, the next b, and the third c, and \
      that one was cancelled; so a and b must be delivered. What you remember belongs to one debouncer, \
      not to all.
      """)
  }

  @Test func `it's delivered on its queue`() throws {
    try stage.send("dawn", to: stage.debouncer())
    stage.comeDue()
    runUntilQuiet()
    #expect(
      stage.places == ["its queue"],
      "The caller has chosen the queue on which it wants to have the values; the action ran elsewhere."
    )
  }

  @Test func `the timer is set on the thread that sends`() throws {
    let sender = ThreadMark()
    let areOnSender = Locked<[Bool]>([])
    let debouncer = stage.debouncer(schedule: { _, _, _ in areOnSender.append(sender.isCurrent) })
    try mustReturn("send") {
      sender.note()
      debouncer.send("dawn")
    }
    runUntilQuiet()
    #expect(
      areOnSender.value == [true],
      """
      schedule must be called once, on the thread that sends, before send returns. Until the timer is \
      set the delay doesn't count.
      """)
  }

  @Test func `without a delay there's a timer too`() throws {
    try stage.send("dawn", to: stage.debouncer(delay: 0))
    runUntilQuiet()
    #expect(
      stage.timers.seconds == [0] && stage.delivered.isEmpty,
      stage.timeline.showing(
        """
        The delay is zero seconds. Set a timer all the same, with zero, which submits the item to its \
        queue: the action mustn't run on the thread that sends.
        """))
    stage.expectDelivered(["dawn"], "The delay has passed, and the value must be delivered, once.")
    #expect(
      stage.places == ["its queue"],
      "The caller has chosen the queue on which it wants to have the values; the action ran elsewhere."
    )
  }

  // MARK: - The default timer

  @Test func `the timer of Dispatch delivers it`() {
    let debouncer = Debouncer(delay: 0.01, queue: stage.queue, action: stage.action())
    debouncer.send("dawn")
    eventually(
      "The delay is a hundredth of a second, and the value is never delivered.", timersInPlay: true
    ) { stage.delivered == ["dawn"] }
    Debouncer(delay: 0.01, queue: stage.queue, action: stage.action()).send("dusk")
    eventually(
      """
      Nobody keeps the debouncer while the timer of Dispatch runs, and the value is lost: what asyncAfter \
      submits must keep the action and the value.
      """, timersInPlay: true
    ) { stage.delivered == ["dawn", "dusk"] }
  }

  @Test func `the timer of Dispatch waits for the delay`() throws {
    let debouncer = Debouncer(
      delay: DebouncerStage.delay, queue: stage.queue, action: stage.action())
    try stage.send("dawn", to: debouncer)
    runUntilQuiet()
    #expect(
      stage.delivered.isEmpty,
      stage.timeline.showing(
        """
        The delay is an hour, and the value was delivered at once. Where no schedule is given the \
        timer is queue.asyncAfter, with the delay in seconds.
        """))
    try stage.cancel(debouncer)
  }

  @Test func `the timer of Dispatch delivers the last of a burst`() throws {
    let release = queueIsBusy()
    // Each of the four comes due at once.
    let debouncer = Debouncer(delay: 0, queue: stage.queue, action: stage.action())
    try stage.send("d", "da", "daw", "dawn", to: debouncer)
    release.open()
    eventually(
      "The delay has passed, and the last value is never delivered.", timersInPlay: true
    ) { stage.delivered.contains("dawn") }
    stage.timeline.expect(
      """
      queue   ├────────────────────────┤
      caller       ●    ●    ●    ●  sends d, sends da, sends daw, sends dawn
      action                                ├────●────┤  dawn
      """,
      """
      Four values were sent while the queue was busy, and only the last must be delivered. Keep the \
      item that may have to be cancelled: asyncAfter keeps what it does, and not the item itself.
      """)
  }

  // MARK: - Silence

  @Test func `cancel silences the value that waits`() throws {
    let debouncer = stage.debouncer()
    try stage.send("a", "b", to: debouncer)
    try stage.cancel(debouncer)
    stage.expectDelivered(
      [], "It was cancelled before any delay had passed: nothing may be delivered.")
  }

  @Test func `what is sent after cancel is delivered`() throws {
    let debouncer = stage.debouncer()
    try stage.cancel(debouncer)
    try stage.send("a", to: debouncer)
    try stage.cancel(debouncer)
    try stage.cancel(debouncer)
    try stage.send("b", to: debouncer)
    stage.expectDelivered(
      ["b"], "cancel silences what was sent before it, and not what is sent later.")
  }

  @Test(arguments: SilencingMove.allCases)
  func `a value that waits for the queue is silenced too`(move: SilencingMove) throws {
    let debouncer = stage.debouncer()
    let release = queueIsBusy()
    try stage.send("a", to: debouncer)
    stage.comeDue()
    runUntilQuiet()
    switch move {
    case .send: try stage.send("b", to: debouncer)
    case .cancel: try stage.cancel(debouncer)
    }
    release.open()
    stage.timeline.expect(
      """
      queue      ├───────────────────┤
      caller          ●         ●  sends a, \(move == .send ? "sends b" : "cancels")
      comes due            ●  timer 1
      """,
      """
      The time of a had come, but the queue was busy. Meanwhile \
      \(move == .send ? "b was sent" : "it was cancelled"), and then a was delivered all the same. \
      Whatever waits in the queue must be the item that you cancel.
      """)
    if move == .send {
      stage.expectDelivered(
        ["b"], whenDue: 1..<2, "The delay of b has passed: it must be delivered.")
    }
  }

  // MARK: - Nobody is held

  @Test func `nobody is held while the action runs`() throws {
    let release = Gate("release the action")
    let debouncer = stage.debouncer(inside: { if $0 == "a" { release.wait() } })
    try stage.send("a", to: debouncer)
    stage.comeDue()
    stage.expectActionRuns()
    let calls: KeyValuePairs<String, @Sendable () -> Void> = [
      "send b": { debouncer.send("b") }, "cancel": { debouncer.cancel() },
      "send c": { debouncer.send("c") },
    ]
    for (name, call) in calls {
      _ = TestThread(name) { [stage] in stage.timeline.visit(name, call) }
      runUntilQuiet()
    }
    stage.timeline.expect(
      """
      caller     ●  sends a
      comes due       ●  timer 1
      action               ├────●──────────────────────────────────…  a
      send b                         ├────┤
      cancel                                   ├────┤
      send c                                             ├────┤
      """,
      """
      The action was running, and whoever sent a value or cancelled had to wait for it: hold no \
      lock while it runs, and don't wait for its queue.
      """)
    #expect(
      stage.timers.seconds.count == 3,
      "A value was sent, and its delay counts from there, however busy the queue is: set the timer."
    )
    release.open()
    runUntilQuiet()
  }

  @Test func `what is cancelled and sent while the action runs counts at once`() throws {
    let release = Gate("release the action")
    let debouncer = stage.debouncer(inside: { if $0 == "a" { release.wait() } })
    try stage.send("a", to: debouncer)
    stage.comeDue()
    stage.expectActionRuns()
    try stage.send("b", to: debouncer)
    try stage.cancel(debouncer)
    try stage.send("c", to: debouncer)
    release.open()
    runUntilQuiet()
    stage.comeDue(1..<3)
    stage.timeline.expect(
      """
      caller     ●                   ●    ●    ●  sends a, sends b, cancels, sends c
      comes due       ●                                  ●    ●  timer 1, timer 2, timer 3
      action               ├────●───────────────────┤              ├────●────┤  a, c
      """,
      """
      While the action ran b was sent, then it was cancelled, then c was sent. Only c came after cancel, \
      and its delay has passed, so it must be delivered: silence what waits when cancel is called, not \
      when the action has ended.
      """)
  }

  @Test(arguments: SilencingMove.allCases) func `the action may send and cancel`(
    move: SilencingMove
  ) throws {
    let stage = stage
    let own = Locked<Debouncer<String>?>(nil)
    let debouncer = stage.debouncer(inside: { value in
      guard value == "a" else { return }
      switch move {
      case .send: own.value?.send("b")
      case .cancel: own.value?.cancel()
      }
      stage.timeline.mark("action", "goes on")
    })
    own.set(debouncer)
    try stage.send("a", to: debouncer)
    stage.expectDelivered(["a"], "The delay has passed: the value must be delivered.")
    #expect(
      stage.timeline.inside.isEmpty,
      stage.timeline.showing(
        """
        The action called \(move == .send ? "send" : "cancel") and never comes back from there: \
        whatever was locked or awaited is held by the action itself.
        """))
    if move == .send {
      stage.expectDelivered(
        ["a", "b"], whenDue: 1..<2, "The action has sent another value, and its delay has passed.")
    }
    own.set(nil)
  }

  // action        another thread
  // sends b
  //               sends c, or cancels
  //               b comes due: nothing
  @Test(arguments: SilencingMove.allCases) func `what the action has sent is silenced too`(
    move: SilencingMove
  ) throws {
    let own = Locked<Debouncer<String>?>(nil)
    let debouncer = stage.debouncer(inside: { if $0 == "a" { own.value?.send("b") } })
    own.set(debouncer)
    try stage.send("a", to: debouncer)
    stage.expectDelivered(["a"], "The delay has passed: the value must be delivered.")
    switch move {
    case .send: try stage.send("c", to: debouncer)
    case .cancel: try stage.cancel(debouncer)
    }
    stage.expectDelivered(
      move == .send ? ["a", "c"] : ["a"], whenDue: 1..<3,
      """
      The action has sent b, and before its delay had passed \
      \(move == .send ? "c was sent" : "it was cancelled"); so b mustn't be delivered. Whatever you \
      forget when the action has returned may be the next value's.
      """)
    own.set(nil)
  }

  // MARK: - Who keeps whom

  @Test func `a value is delivered though nobody keeps the debouncer`() throws {
    try stage.send("dawn", to: stage.debouncer())
    stage.expectDelivered(
      ["dawn"],
      """
      The debouncer was let go of while a value waited, and the value is lost. What the item needs \
      must be kept by the item: the action and the value.
      """)
  }

  @Test func `nothing of it is left when all is delivered`() throws {
    let (debouncer, kept) = try afterUse { debouncer in
      try stage.send("a", "b", to: debouncer)
      stage.expectDelivered(["b"], "The delay has passed: the value must be delivered.")
    }
    #expect(
      debouncer.isGone,
      """
      Nobody keeps the debouncer any more, and it's still in memory: it keeps its item, and the item \
      keeps it. Let the item keep the action and the value only.
      """)
    #expect(
      kept.isGone,
      """
      Nobody keeps the debouncer any more, and what its action keeps is still in memory. An item that \
      asks itself whether it's cancelled keeps itself, with all that it needs; it needn't ask.
      """)
  }

  @Test func `nothing of it is left when it was cancelled`() throws {
    let (debouncer, kept) = try afterUse { debouncer in
      try stage.send("a", to: debouncer)
      try stage.cancel(debouncer)
      stage.expectDelivered([], "It was cancelled: nothing may be delivered.")
    }
    #expect(
      debouncer.isGone && kept.isGone,
      """
      A value was sent and cancelled, its time has passed, and nobody keeps the debouncer any more; but \
      it or its action is still in memory. If your item keeps the debouncer, whoever cancels must let go \
      of that item: it never runs, so it can't.
      """)
  }

  @Test func `no older value is kept`() throws {
    let debouncer = Debouncer<Kept>(
      delay: DebouncerStage.delay, queue: stage.queue, schedule: stage.timers.scheduler,
      action: { $0.use() })
    let older = try mustReturn("send, twice,") {
      let older = Kept()
      debouncer.send(older)
      debouncer.send(Kept())
      return WeakReference(older)
    }
    stage.comeDue()
    runUntilQuiet()
    stage.timers.forget()
    runUntilQuiet()
    #expect(
      older.isGone,
      """
      Another value has taken the place of the first one, whose time has passed too; and the first is \
      still in memory. Whoever types for an hour would fill it: remember the latest item alone.
      """)
    withExtendedLifetime(debouncer) {}
  }

  // MARK: - Many threads

  // sender 1      sender 2
  // sends a
  // its timer is being set
  //               sends b
  // goes on
  @Test func `of two who send at the same moment one is silenced`() throws {
    let goOn = Gate("go on")
    let debouncer = stage.debouncer(schedule: firstHeld(at: goOn))
    let first = TestThread("the first send") { debouncer.send("a") }
    eventually("A value was sent, and no timer is set for it.") { goOn.waiting == 1 }
    let second = TestThread("the second send") { debouncer.send("b") }
    runUntilQuiet()
    goOn.open()
    try first.result()
    try second.result()
    stage.comeDue()
    runUntilQuiet()
    #expect(
      stage.delivered.count == 1,
      stage.timeline.showing(
        """
        Two threads sent a value at the same moment, and \(stage.delivered.count) were delivered. One \
        of them must find the other's item: take the old one out and put the new one in as one step, \
        before you set the timer.
        """))
  }

  // sender        action
  // sends a
  // its timer is being set, and comes due
  //               sends b
  // goes on
  //               b comes due
  @Test func `what is sent while an earlier timer is set counts`() throws {
    let own = Locked<Debouncer<String>?>(nil)
    let goOn = Gate("go on")
    let debouncer = stage.debouncer(
      schedule: firstHeld(at: goOn), inside: { if $0 == "a" { own.value?.send("b") } })
    own.set(debouncer)
    let sender = TestThread("send") { debouncer.send("a") }
    eventually("A value was sent, and no timer is set for it.") { goOn.waiting == 1 }
    stage.comeDue(0..<1)
    runUntilQuiet()
    goOn.open()
    try sender.result()
    runUntilQuiet()
    stage.expectDelivered(
      ["a", "b"], whenDue: 1..<2,
      """
      The delay of a was over before schedule had returned, and the action sent b. Nothing was sent \
      after b, and its delay has passed, so it must be delivered. Whoever sends must remember its item \
      before it sets the timer.
      """)
    own.set(nil)
  }

  // one thread    another thread
  // sends
  //               sends, or cancels: nothing but a lock of the answer's orders the two
  @Test(arguments: SilencingMove.allCases) func `any thread may send and cancel`(
    move: SilencingMove
  ) throws {
    // What Swift's runtime does at a first call would order the two; see RelaxedRendezvous.
    try mustReturn("send and cancel") {
      let before = stage.debouncer()
      before.send("before")
      before.cancel()
    }
    let debouncer = stage.debouncer()
    try meet("the two threads") {
      debouncer.send("a")
    } _: {
      if move == .send { debouncer.send("b") } else { debouncer.cancel() }
    }
    stage.expectDelivered(
      move == .send ? ["b"] : [],
      "One thread sent a, and then another one \(move == .send ? "sent b" : "cancelled").")
  }

  // queue         another thread
  // action runs
  //               sends, or cancels: nothing but a lock of the answer's orders the two
  @Test(arguments: SilencingMove.allCases)
  func `any thread may send and cancel while the action runs`(move: SilencingMove) throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...4 {
      let stage = DebouncerStage()
      let meeting = RelaxedRendezvous()
      let debouncer = stage.debouncer(inside: { if $0 == "a" { meeting.changed() } })
      try stage.send("before", to: debouncer)
      try stage.cancel(debouncer)
      let other = meeting.looker("the other thread") {
        if move == .send { debouncer.send("b") } else { debouncer.cancel() }
      }
      try stage.send("a", to: debouncer)
      stage.comeDue(1..<2)
      try other.result(timersInPlay: true)
      eventually("The delay has passed, and the value is never delivered.", timersInPlay: true) {
        stage.delivered == ["a"]
      }
      runUntilQuiet()
    }
  }

  // MARK: - Fixtures

  /// Keeps the queue busy until the gate opens that is returned.
  private func queueIsBusy() -> Gate {
    let release = Gate("release the queue")
    stage.queue.async { [stage] in stage.timeline.visit("queue", until: release) }
    runUntilQuiet()
    return release
  }

  /// Sets timers, and comes back from the first only when `gate` opens.
  private func firstHeld(at gate: Gate) -> Debouncer<String>.Scheduler {
    let calls = Counter()
    return { [timers = stage.timers] seconds, queue, item in
      timers.scheduler(seconds, queue, item)
      if calls.increment() == 1 { gate.wait() }
    }
  }

  /// A debouncer and what its action keeps, when `use` has returned and all timers are gone.
  private func afterUse(
    _ use: (Debouncer<String>) throws -> Void
  ) throws -> (debouncer: WeakReference<Debouncer<String>>, kept: WeakReference<Kept>) {
    let traces = try {
      let kept = Kept()
      let debouncer = stage.debouncer(inside: { _ in kept.use() })
      try use(debouncer)
      return (WeakReference(debouncer), WeakReference(kept))
    }()
    stage.timers.forget()
    runUntilQuiet()
    return traces
  }
}

/// What an action keeps, or a value.
private final class Kept: Sendable, OpaqueMirror {
  func use() {}
}

extension Debouncer: OpaqueMirror {}
