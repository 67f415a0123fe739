import Dispatch
import KataTesting
import Testing

extension DebouncerTests {
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
    let own = LockedValue<Debouncer<String>?>(nil)
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
}
