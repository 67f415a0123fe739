import Foundation
import KataTesting
import Testing

/// Proves that a caller waits for its callback, but no longer than its timeout, and that a late or second
/// callback changes nothing.
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
      "The callback has come, and must wake the caller.")
    #expect(
      outcome == .value("harbour at dawn"),
      """
      The callback brought "harbour at dawn", and there was an hour left, but the call \(outcome). \
      Call start with a closure that stores what its argument returns, wait until that closure has \
      been called, and return what it stored.
      """)
    #expect(
      starts.value == 1,
      "One call must start the work once; start was called \(starts.value) times.")
    #expect(
      makings.value == 1,
      """
      The callback came once, but the closure that makes its value was called \(makings.value) \
      times. Making a value may take long: call the closure once, and store what it returns.
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
      start was called on another thread than value. It only begins the work, and it may depend on \
      the caller's thread, so call it there.
      """)
  }

  // With a condition variable, a signal that comes before the wait is lost, so check before you wait.
  @Test(arguments: [0, Camera.hour])
  func `a value that has come is never reported as timed out`(seconds: TimeInterval) throws {
    let camera = Camera { picture, reply in reply { "\(picture) from the cache" } }
    let outcome = try camera.call("harbour", within: seconds).result(
      "The callback came before start had returned, so the call mustn't wait.")
    #expect(
      outcome == .value("harbour from the cache"),
      """
      The callback came before start had returned, so the value was there before the wait began, \
      but the call \(outcome). Its time was \(Int(seconds)) seconds: even with 0 it must check \
      whether the value is there.
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
      The callback has come, but its value is still being made, so the caller must still wait. Make \
      the value first, then store it, then signal.
      """)
    guard waits else { return }
    isMade.open()
    let outcome = try call.result(
      """
      The value is there, and that must wake the caller. A loop that polls returns too late.
      """)
    #expect(
      outcome == .value("harbour at dawn"),
      "The caller waited for \"harbour at dawn\" with an hour to spare, but the call \(outcome).")
    timeline.expect(
      """
      call for harbour  ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      callback               ├────┤
      """, "The callback must make its value once, and then the call must return.")
  }

  @Test func `what the callback throws is thrown to the caller`() throws {
    let camera = Camera { _, reply in
      _ = TestThread("the camera") { reply { throw BrokenLens() } }
    }
    let outcome = try camera.call("harbour", within: Camera.hour).result(
      "The callback has come, with an error: that must wake the caller, as a value does.")
    #expect(
      outcome == .brokenLens,
      """
      The callback's closure threw an error, but the call \(outcome). The caller must get the same \
      error: store a Result, whether it's a value or an error.
      """)
  }

  // The error may come from a bridge that the callback's closure uses.
  @Test(arguments: [BridgeOutcome.brokenLens, .timedOut])
  func `a value doesn't replace the error that came first`(first: BridgeOutcome) throws {
    let camera = Camera { picture, reply in
      reply {
        if first == .timedOut { throw CallbackBridgeError.timedOut }
        throw BrokenLens()
      }
      reply { "\(picture), at the second try" }
    }
    let outcome = try camera.call("harbour", within: Camera.hour).result(
      "Its callback has come, twice.")
    #expect(
      outcome == first,
      """
      The callback came with an error, then with a value, but the call \(outcome). The first result \
      counts, be it a value or an error, even timedOut.
      """)
  }

  // MARK: - Timeouts

  @Test(arguments: [Camera.blink, 0])
  func `the call throws timedOut if no callback comes in time`(seconds: TimeInterval) throws {
    let starts = SharedCounter()
    let camera = Camera { _, _ in starts.increment() }
    let outcome = try camera.call("harbour", within: seconds).resultWhenTimeIsUp(
      """
      No callback has come, and the time, \(seconds) seconds, was up long ago. The wait needs a \
      timeout, or one lost callback blocks the thread for ever.
      """)
    #expect(
      outcome == .timedOut,
      "No callback has come, so the call must throw timedOut. It \(outcome).")
    #expect(
      starts.value == 1,
      """
      The time was up, and start had been called \(starts.value) times. It must be called once for \
      each call; whether to try again is up to the caller.
      """)
  }

  // Only the clock shows how long a wait was. The test fails only if a wait is too short, and a slow
  // machine makes it longer.
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
        start took a quarter of a second, and no callback came. The call must then wait for another \
        quarter, but it ended after \(lasted) in all. The time begins when start has returned, and \
        needn't be a whole number of seconds.
        """)
    }
  }

  @Test(arguments: [1e10, 1e12, .infinity, TimeInterval.greatestFiniteMagnitude], [true, false])
  func `an infinite wait ends with the callback`(seconds: TimeInterval, isAtOnce: Bool) throws {
    let camera = Camera { picture, reply in
      if isAtOnce { reply { "\(picture) at dawn" } }
    }
    let call = camera.call("harbour", within: seconds)
    if !isAtOnce {
      runUntilQuiet()
      try #require(
        !call.hasReturned,
        "The call may wait for \(seconds) seconds, but it ended before the callback came.")
      try camera.answer("harbour", with: "harbour at dawn")
    }
    let outcome = try call.result("The callback has come, and must wake the caller.")
    #expect(
      outcome == .value("harbour at dawn"),
      """
      The call was given all the time in the world, and the callback came, but the call \(outcome). \
      The seconds may be infinite, or as large as a Double can be. Their nanoseconds don't fit \
      into an Int, but the seconds can be added to a DispatchTime.
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
      The time is up while the callback is still making its value. The caller mustn't wait for that: \
      don't call the callback's closure under a lock that the caller needs.
      """)
    #expect(
      outcome == .timedOut,
      "The value wasn't there when the time was up, so the call must throw timedOut. It \(outcome)."
    )
    timeline.expect(
      """
      call for harbour  ┆┄┄┄┄┄┄┄┄┄├────┤
      callback               ├──────────────…
      """, "The call must time out while the callback is still making its value, once.")
  }
}

extension CallbackBridge: OpaqueMirror {}
