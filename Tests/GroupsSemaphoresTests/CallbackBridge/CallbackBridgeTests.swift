import Foundation
import KataTesting
import Testing

/// Proves that a caller waits for its callback, and no longer than its time, and that whatever comes late
/// or twice changes nothing.
@Suite(.serialized, .kata) struct CallbackBridgeTests {
  let timeline = Timeline()

  @Test func `the caller gets the value that the callback brings`() throws {
    let (starts, makings) = (SharedCounter(), SharedCounter())
    let camera = Camera { picture, reply in
      starts.increment()
      _ = TestThread("the camera") {
        reply {
          makings.increment()
          return "\(picture) at dawn"
        }
      }
    }
    let outcome = try camera.call("harbour", within: Camera.hour).result(
      "The callback has come, and must wake whoever waits for it.")
    #expect(
      outcome == .value("harbour at dawn"),
      """
      The callback brought "harbour at dawn", and there was an hour left, but the call \(outcome). \
      Call start, with a closure that keeps what its argument returns; wait until that has been \
      called; return what it kept.
      """)
    #expect(
      starts.value == 1,
      "One call must start the work once; start was called \(starts.value) times.")
    #expect(
      makings.value == 1,
      """
      The callback came once, and the closure that makes its value was called \(makings.value) \
      times. Decoding a picture takes long: keep what the closure returned.
      """)
  }

  @Test func `start is called on the calling thread`() throws {
    let caller = ThreadMark()
    let camera = Camera { _, reply in
      let isCaller = caller.isCurrent
      reply { isCaller ? "asked by the caller" : "asked on another thread" }
    }
    let bridge = camera.bridge
    let value = try mustReturn("value") {
      caller.note()
      return try bridge.value(for: "harbour", within: Camera.hour)
    }
    #expect(
      value == "asked by the caller",
      """
      start was called on another thread than value. It only begins the work, so nobody needs to \
      begin it elsewhere; and what it needs may be there on the caller's thread only.
      """)
  }

  // With a condition, a signal that comes before the wait is lost; so look before you wait.
  @Test(arguments: [0, Camera.hour])
  func `a value that has come is never reported as timed out`(seconds: TimeInterval) throws {
    let camera = Camera { picture, reply in reply { "\(picture) from the cache" } }
    let outcome = try camera.call("harbour", within: seconds).result(
      "The callback had come before there was anything to wait for.")
    #expect(
      outcome == .value("harbour from the cache"),
      """
      The callback came before start had returned, so the value was there before the wait began, \
      and the call \(outcome). It may wait \(Int(seconds)) seconds: with 0 there's no time to \
      wait, but still time to look.
      """)
  }

  @Test func `the caller waits until the value is there`() throws {
    let isMade = Gate("the value is made")
    let camera = Camera(timeline) { [timeline] picture, reply in
      _ = TestThread("the camera") {
        reply {
          timeline.visit("callback", until: isMade)
          return "\(picture) at dawn"
        }
      }
    }
    let call = camera.call("harbour", within: Camera.hour)
    let waits = timeline.expect(
      """
      call for harbour  ┆┄┄┄┄┄┄┄┄┄…
      callback               ├────…
      """,
      """
      The callback has come but its value is still being made, and the caller was woken: it \
      can't find anything yet. First make the value, then keep it, then signal.
      """)
    guard waits else { return }
    isMade.open()
    let outcome = try call.result(
      """
      The value has been made, and must wake whoever waits for it. A caller that looks every so \
      often comes too late.
      """)
    #expect(
      outcome == .value("harbour at dawn"),
      "The caller waited for \"harbour at dawn\" with an hour to spare, and the call \(outcome).")
    timeline.expect(
      """
      call for harbour  ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      callback               ├────┤
      """, "The callback makes its value once, and then the caller goes on.")
  }

  @Test func `what the callback throws is thrown to the caller`() throws {
    let camera = Camera { _, reply in
      _ = TestThread("the camera") { reply { throw BrokenLens() } }
    }
    let outcome = try camera.call("harbour", within: Camera.hour).result(
      "The callback has come, with an error: that must wake the caller as well as a value does.")
    #expect(
      outcome == .brokenLens,
      """
      The callback's closure threw an error, and the call \(outcome). Whoever waits has to hear of \
      the error itself: keep it as a Result.
      """)
  }

  @Test func `a value doesn't replace the error that came first`() throws {
    let camera = Camera { picture, reply in
      reply { throw BrokenLens() }
      reply { "\(picture), at the second try" }
    }
    let outcome = try camera.call("harbour", within: Camera.hour).result(
      "Its callback has come, twice.")
    #expect(
      outcome == .brokenLens,
      """
      The callback came with an error, then with a value, and the call \(outcome). What came first \
      counts, be it a value or an error.
      """)
  }

  // MARK: - Time that is over

  @Test(arguments: [Camera.blink, 0])
  func `who waits in vain is told so when the time is up`(seconds: TimeInterval) throws {
    let starts = SharedCounter()
    let camera = Camera { _, _ in starts.increment() }
    let outcome = try camera.call("harbour", within: seconds).resultWhenTimeIsUp(
      """
      No callback has come, and the time, \(seconds) seconds, has been up for long: the wait needs \
      a time-out, or one lost callback holds the thread for ever.
      """)
    #expect(
      outcome == .timedOut,
      "No callback has ever come, so the call must throw timedOut. It \(outcome).")
    #expect(
      starts.value == 1,
      """
      The time was up, and start had been called \(starts.value) times. It's called once for each \
      call; whether to try again is up to the caller.
      """)
  }

  // Nothing but the clock tells how long a wait was. Only a wait that is too short is accused, so a
  // slow machine isn't.
  @Test func `the time begins when start has returned`() throws {
    let quarter = Duration.milliseconds(250)
    let camera = Camera { _, _ in
      let end = ContinuousClock.now.advanced(by: quarter)
      while ContinuousClock.now < end { usleep(500) }
    }
    let bridge = camera.bridge
    for _ in 1...2 {
      let lasted = try mustReturn("value", "No callback comes.", timersInPlay: true) {
        let begin = ContinuousClock.now
        _ = try? bridge.value(for: "harbour", within: 0.25)
        return begin.duration(to: .now)
      }
      #expect(
        lasted >= quarter * 3 / 2,
        """
        start took a quarter of a second, and no callback came. After that the call may wait for \
        another quarter; but it gave up \(lasted) after its begin. The time begins when start has \
        returned, and it needn't be a whole number of seconds.
        """)
    }
  }

  @Test(arguments: [.infinity, TimeInterval.greatestFiniteMagnitude], [true, false])
  func `an infinite wait ends with the callback`(seconds: TimeInterval, isAtOnce: Bool) throws {
    let camera = Camera { picture, reply in
      if isAtOnce { reply { "\(picture) at dawn" } }
    }
    let call = camera.call("harbour", within: seconds)
    if !isAtOnce {
      runUntilQuiet()
      try #require(
        !call.hasReturned,
        "The call may wait for ever, and gave up before the callback came.")
      try camera.answer("harbour", with: "harbour at dawn")
    }
    let outcome = try call.result("The callback has come, and must wake whoever waits for it.")
    #expect(
      outcome == .value("harbour at dawn"),
      """
      The call was given all the time in the world, and the callback came; but the call \(outcome). \
      Seconds may be infinite, or as many as a Double can say: an Int can't be made of that, but it can \
      be added to a DispatchTime.
      """)
  }

  @Test func `a value that is still being made when the time is up is late`() throws {
    let isBeingMade = Gate("the value is being made")
    let isMade = Gate("the value is made")
    let camera = Camera(timeline) { [timeline] picture, reply in
      _ = TestThread("the camera") {
        reply {
          timeline.enter("callback")
          isBeingMade.open()
          isMade.wait()
          return "\(picture) at dawn"
        }
      }
      isBeingMade.wait()
    }
    let call = camera.call("harbour", within: Camera.blink)
    let outcome = try call.resultWhenTimeIsUp(
      """
      The time is up while the callback still makes its value. The caller must not wait for that: \
      call the callback's closure without a lock that the caller needs.
      """)
    #expect(
      outcome == .timedOut,
      "The value wasn't there when the time was up, so the call must throw timedOut. It \(outcome)."
    )
    timeline.expect(
      """
      call for harbour  ┆┄┄┄┄┄┄┄┄┄├────┤
      callback               ├──────────────…
      """, "The caller gives up while the callback makes its value, once.")
  }
}

extension CallbackBridge: OpaqueMirror {}
