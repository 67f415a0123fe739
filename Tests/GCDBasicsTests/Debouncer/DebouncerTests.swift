import Dispatch
import KataTesting
import Testing

/// Proves that of a burst only the last value is delivered, once, when its own delay has passed, on the
/// queue that was chosen; that what was replaced or cancelled before it began never begins; and that nobody
/// is held and nothing kept.
@Suite(.serialized, .kata) struct DebouncerTests {
  let stage = DebouncerStage()

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
    try #require(
      stage.timers.all.count == 2, "Two values were sent, each with a delay: set a timer for each.")
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
    let debouncer = stage.debouncer()
    defer { withExtendedLifetime(debouncer) {} }
    try stage.send("dawn", to: debouncer)
    stage.comeDue()
    runUntilQuiet()
    #expect(
      stage.places == ["its queue"],
      "The caller has chosen the queue on which it wants to have the values; the action ran elsewhere."
    )
  }

  @Test func `the timer is set on the thread that sends`() throws {
    let sender = ThreadMark()
    let areOnSender = LockedValue<[Bool]>([])
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
    let debouncer = stage.debouncer(delay: 0)
    defer { withExtendedLifetime(debouncer) {} }
    try stage.send("dawn", to: debouncer)
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
    let debouncer = Debouncer(delay: 0.1, queue: stage.queue, action: stage.action())
    debouncer.send("dawn")
    eventually(
      "The delay is a tenth of a second, and the value is never delivered.", timersInPlay: true
    ) { stage.delivered == ["dawn"] }
    Debouncer(delay: 0.1, queue: stage.queue, action: stage.action()).send("dusk")
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

  // MARK: - Fixtures

  /// Keeps the queue busy until the gate opens that is returned.
  func queueIsBusy() -> Gate {
    let release = Gate("release the queue")
    stage.queue.async { [stage] in stage.timeline.visit("queue", until: release) }
    runUntilQuiet()
    return release
  }

  /// Sets timers, and comes back from the first only when `gate` opens.
  func firstHeld(at gate: Gate) -> Debouncer<String>.Scheduler {
    let calls = SharedCounter()
    return { [timers = stage.timers] seconds, queue, item in
      timers.scheduler(seconds, queue, item)
      if calls.increment() == 1 { gate.wait() }
    }
  }

  /// A debouncer and what its action keeps, when `use` has returned and all timers are gone.
  func afterUse(
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
final class Kept: Sendable, OpaqueMirror {
  func use() {}
}

extension Debouncer: OpaqueMirror {}
