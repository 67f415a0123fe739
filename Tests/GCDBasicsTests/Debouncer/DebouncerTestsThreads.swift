import Dispatch
import KataTesting
import Testing

extension DebouncerTests {
  // MARK: - Memory

  @Test func `a value is delivered even if the debouncer is released`() throws {
    try stage.send("dawn", to: stage.debouncer())
    stage.expectDelivered(
      ["dawn"],
      """
      The debouncer was released while a value waited, and that value must be delivered all the \
      same, once. The item must retain what it needs: the action and the value.
      """)
  }

  @Test func `the debouncer is deallocated after its last delivery`() throws {
    let (debouncer, kept) = try afterUse { debouncer in
      try stage.send("a", "b", to: debouncer)
      stage.expectDelivered(["b"], "The delay has passed: the value must be delivered.")
    }
    #expect(
      debouncer.isGone,
      """
      The debouncer was released and its last value delivered, but it's still in memory: there is \
      a retain cycle between the debouncer and its item. Let the item retain only the action and \
      the value.
      """)
    #expect(
      kept.isGone,
      """
      The debouncer was released and its last value delivered, but what its action retains is \
      still in memory. An item that checks its own isCancelled retains itself and all that it \
      captures. It doesn't have to check.
      """)
  }

  @Test func `a cancelled debouncer is deallocated`() throws {
    let (debouncer, kept) = try afterUse { debouncer in
      try stage.send("a", to: debouncer)
      try stage.cancel(debouncer)
      stage.expectDelivered([], "cancel was called: nothing must be delivered.")
    }
    #expect(
      debouncer.isGone && kept.isGone,
      """
      A value was sent and cancelled, its delay is over and the debouncer was released; but the \
      debouncer or its action is still in memory. If your item retains the debouncer, cancel must \
      release that item: a cancelled item never runs, so it can't break the retain cycle itself.
      """)
  }

  @Test func `no older value is retained`() throws {
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
      A second value has replaced the first one, whose delay is over too, but the first is still \
      in memory. Over time this would fill the memory: store only the latest item.
      """)
    withExtendedLifetime(debouncer) {}
  }

  // MARK: - Many threads

  // sender 1      sender 2
  // sends a
  // its timer is being set
  //               sends b
  // goes on
  @Test func `of two values sent at the same moment one is silenced`() throws {
    let goOn = Gate("go on")
    let debouncer = stage.debouncer(schedule: firstHeld(at: goOn))
    let first = TestThread("the first send") { debouncer.send("a") }
    eventually("A value was sent, but no timer was set for it.") { goOn.waiting == 1 }
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
        Two threads sent a value at the same moment, and \(stage.delivered.count) values were \
        delivered; it must be one. One thread must find the other's item: take the old item and \
        store the new one in one critical section, before you set the timer.
        """))
  }

  // sender        action
  // sends a
  // its timer is being set, and comes due
  //               sends b
  // goes on
  //               b comes due
  @Test func `a value that is sent while an earlier timer is set is delivered`() throws {
    let own = LockedValue<Debouncer<String>?>(nil)
    let goOn = Gate("go on")
    let debouncer = stage.debouncer(
      schedule: firstHeld(at: goOn), inside: { if $0 == "a" { own.value?.send("b") } })
    own.set(debouncer)
    let sender = TestThread("send") { debouncer.send("a") }
    eventually("A value was sent, but no timer was set for it.") { goOn.waiting == 1 }
    stage.comeDue(0..<1)
    runUntilQuiet()
    goOn.open()
    try sender.result()
    runUntilQuiet()
    stage.expectDelivered(
      ["a", "b"], whenDue: 1..<2,
      """
      The delay of a was over before schedule had returned, and the action sent b. No value was \
      sent after b, and its delay has passed, so it must be delivered. Store the item before you \
      set its timer.
      """)
    own.set(nil)
  }

  // one thread    another thread
  // sends
  //               sends, or cancels: only a lock in the answer orders the two
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
    try RelaxedRendezvous.meet("the two threads") {
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
  //               sends, or cancels: only a lock in the answer orders the two
  @Test(arguments: SilencingMove.allCases)
  func `any thread may send and cancel while the action runs`(move: SilencingMove) throws {
    // Several times, because Thread Sanitizer sometimes misses a pair of accesses.
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
      eventually("The delay has passed, and the value was never delivered.", timersInPlay: true) {
        stage.delivered == ["a"]
      }
      runUntilQuiet()
    }
  }
}
