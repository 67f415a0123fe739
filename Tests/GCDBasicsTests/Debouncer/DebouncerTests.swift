import Dispatch
import KataTesting
import Testing

/// Proves that of a burst only the last value is delivered, once, when its own delay has passed.
///
/// It's delivered on the chosen queue; a delivery that was replaced or cancelled before it began
/// never begins. No caller is blocked, and nothing is retained.
@Suite(.serialized, .kata) struct DebouncerTests {
  let stage = DebouncerStage()

  // MARK: - Bursts

  @Test func `a value is delivered when its delay has passed`() throws {
    let debouncer = stage.debouncer()
    try stage.send("dawn", to: debouncer)
    runUntilQuiet()
    #expect(
      stage.delivered.isEmpty,
      stage.timeline.showing("The delay hasn't passed yet, but the value was delivered."))
    try #require(
      stage.timers.seconds == [DebouncerStage.delay],
      """
      send must set one timer: make a DispatchWorkItem that calls action with the value, and call \
      schedule with the delay in seconds, the queue and the item.
      """)
    stage.expectDelivered(["dawn"], "The delay has passed: the value must be delivered, once.")
  }

  @Test func `a burst is delivered once, with its last value`() throws {
    let debouncer = stage.debouncer()
    try stage.send("d", "da", "dawn", to: debouncer)
    stage.expectDelivered(
      ["dawn"],
      """
      Three values were sent before the first delay had passed. Only the last must be delivered: \
      each send must cancel the item of the value before.
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
      The delay of a has passed, and that of b, which was sent later, hasn't. The burst isn't over \
      yet, so nothing must be delivered.
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
      The second burst is over too. Its last value must be delivered, even if it equals that of \
      the first burst, and nothing must be delivered twice.
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
      Three debouncers have the same queue: a was sent to the first, b to the second, c to the \
      third, and then the third was cancelled. So a and b must be delivered: what a debouncer \
      stores must belong to it alone.
      """)
  }

  @Test func `the action is called on the chosen queue`() throws {
    let debouncer = stage.debouncer()
    defer { withExtendedLifetime(debouncer) {} }
    try stage.send("dawn", to: debouncer)
    stage.comeDue()
    runUntilQuiet()
    #expect(
      stage.places == ["its queue"],
      """
      The action must be called on the queue that the debouncer was given; it was called \
      elsewhere.
      """
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
      send must call schedule once, on the thread that sends, before it returns. The delay begins \
      only when the timer is set.
      """)
  }

  @Test func `a delay of zero sets a timer too`() throws {
    let debouncer = stage.debouncer(delay: 0)
    defer { withExtendedLifetime(debouncer) {} }
    try stage.send("dawn", to: debouncer)
    runUntilQuiet()
    #expect(
      stage.timers.seconds == [0] && stage.delivered.isEmpty,
      stage.timeline.showing(
        """
        The delay is zero seconds. Set a timer of zero seconds all the same, which submits the \
        item to its queue: the action mustn't run on the thread that sends.
        """))
    stage.expectDelivered(["dawn"], "The delay has passed: the value must be delivered, once.")
    #expect(
      stage.places == ["its queue"],
      """
      The action must be called on the queue that the debouncer was given; it was called \
      elsewhere.
      """
    )
  }

  // MARK: - The default timer

  @Test func `the default timer delivers the value`() {
    let debouncer = Debouncer(delay: 0.1, queue: stage.queue, action: stage.action())
    debouncer.send("dawn")
    eventually(
      "The delay is a tenth of a second, and the value was never delivered.", timersInPlay: true
    ) { stage.delivered == ["dawn"] }
    Debouncer(delay: 0.1, queue: stage.queue, action: stage.action()).send("dusk")
    eventually(
      """
      The debouncer was released before Dispatch's timer fired, and its value was never delivered. \
      What asyncAfter submits must retain the action and the value.
      """, timersInPlay: true
    ) { stage.delivered == ["dawn", "dusk"] }
  }

  @Test func `the default timer waits for the delay`() throws {
    let debouncer = Debouncer(
      delay: DebouncerStage.delay, queue: stage.queue, action: stage.action())
    try stage.send("dawn", to: debouncer)
    runUntilQuiet()
    #expect(
      stage.delivered.isEmpty,
      stage.timeline.showing(
        """
        The delay is an hour, and the value was delivered at once. The default schedule must call \
        queue.asyncAfter, with the delay in seconds.
        """))
    try stage.cancel(debouncer)
  }

  @Test func `the default timer delivers the last value of a burst`() throws {
    let release = queueIsBusy()
    // Each of the four timers fires at once.
    let debouncer = Debouncer(delay: 0, queue: stage.queue, action: stage.action())
    try stage.send("d", "da", "daw", "dawn", to: debouncer)
    release.open()
    eventually(
      "The delay has passed, and the last value was never delivered.", timersInPlay: true
    ) { stage.delivered.contains("dawn") }
    stage.timeline.expect(
      """
      queue   ├────────────────────────┤
      caller       ●    ●    ●    ●  sends d, sends da, sends daw, sends dawn
      action                                ├────●────┤  dawn
      """,
      """
      Four values were sent while the queue was busy, and only the last must be delivered. Store \
      the item strongly until it's replaced: asyncAfter retains the item's block, and not the item \
      itself.
      """)
  }

  // MARK: - Fixtures

  /// Keeps the queue busy until the returned gate opens.
  func queueIsBusy() -> Gate {
    let release = Gate("release the queue")
    stage.queue.async { [stage] in stage.timeline.visit("queue", until: release) }
    runUntilQuiet()
    return release
  }

  /// Sets timers, and returns from the first call only when `gate` opens.
  func firstHeld(at gate: Gate) -> Debouncer<String>.Scheduler {
    let calls = SharedCounter()
    return { [timers = stage.timers] seconds, queue, item in
      timers.scheduler(seconds, queue, item)
      if calls.increment() == 1 { gate.wait() }
    }
  }

  /// A debouncer and what its action retains, when `use` has returned and all timers are gone.
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

/// What an action retains, or a value.
final class Kept: Sendable, OpaqueMirror {
  func use() {}
}

extension Debouncer: OpaqueMirror {}
