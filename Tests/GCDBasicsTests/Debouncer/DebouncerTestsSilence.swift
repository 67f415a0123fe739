import Dispatch
import KataTesting
import Testing

extension DebouncerTests {
  // MARK: - Silence

  @Test func `a burst may be of any length`() throws {
    let debouncer = stage.debouncer()
    try mustReturn("send", "Three hundred values are sent.") {
      for number in 1...300 { debouncer.send("\(number)") }
    }
    stage.timers.fire()
    runUntilQuiet()
    #expect(
      stage.delivered == ["300"],
      """
      Three hundred values were sent before the first delay had passed, and these were delivered: \
      \(stage.delivered). Only the last must be: a number that begins again at 0 isn't unique.
      """)
  }

  @Test func `cancel silences the value that waits`() throws {
    let debouncer = stage.debouncer()
    try stage.send("a", "b", to: debouncer)
    try stage.cancel(debouncer)
    stage.expectDelivered(
      [], "cancel was called before any delay had passed: nothing must be delivered.")
  }

  @Test func `a value that is sent after cancel is delivered`() throws {
    let debouncer = stage.debouncer()
    try stage.cancel(debouncer)
    try stage.send("a", to: debouncer)
    try stage.cancel(debouncer)
    try stage.cancel(debouncer)
    try stage.send("b", to: debouncer)
    stage.expectDelivered(
      ["b"], "b was sent after the last cancel, so b must be delivered, and nothing else.")
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
      The delay of a was over, but the queue was busy. Meanwhile \
      \(move == .send ? "b was sent, whose delay isn't over" : "it was cancelled"), so a must not \
      be delivered. The block that waits in the queue must be the item that you cancel.
      """)
    if move == .send {
      stage.expectDelivered(
        ["b"], whenDue: 1..<2, "The delay of b has passed: b must be delivered.")
    }
  }

  // MARK: - While the action runs

  @Test func `send and cancel return while the action runs`() throws {
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
      The action was running, and send and cancel must return without waiting for it. Hold no lock \
      while it runs, and don't wait for its queue.
      """)
    #expect(
      stage.timers.seconds.count == 3,
      """
      Three values were sent, and each needs a timer: its delay begins with send, even if the \
      queue is busy.
      """
    )
    release.open()
    runUntilQuiet()
  }

  @Test func `send and cancel take effect while the action runs`() throws {
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
      While the action was running, b was sent, then cancel was called, then c was sent. Only c \
      was sent after cancel, and its delay has passed, so it must be delivered. Silence the \
      waiting value when cancel is called, not when the action has ended.
      """)
  }

  @Test(arguments: SilencingMove.allCases) func `the action may send and cancel`(
    move: SilencingMove
  ) throws {
    let stage = stage
    let own = LockedValue<Debouncer<String>?>(nil)
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
        The action called \(move == .send ? "send" : "cancel"), and that call never returned: it \
        waits for a lock or a queue that the action itself holds. Hold no lock while the action \
        runs, and don't wait for its queue.
        """))
    if move == .send {
      stage.expectDelivered(
        ["a", "b"], whenDue: 1..<2, "The action sent b, and its delay has passed: deliver it.")
    }
    own.set(nil)
  }

  // action        another thread
  // sends b
  //               sends c, or cancels
  //               b comes due: nothing
  @Test(arguments: SilencingMove.allCases) func `a value that the action has sent is silenced too`(
    move: SilencingMove
  ) throws {
    let own = LockedValue<Debouncer<String>?>(nil)
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
      The action sent b, and before its delay had passed, \
      \(move == .send ? "c was sent" : "it was cancelled"); so b must not be delivered. If you \
      forget an item when the action has returned, it may be that of the next value.
      """)
    own.set(nil)
  }
}
