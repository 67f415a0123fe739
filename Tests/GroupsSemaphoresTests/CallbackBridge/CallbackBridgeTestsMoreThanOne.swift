import Foundation
import KataTesting
import Testing

extension CallbackBridgeTests {
  // MARK: - More than one

  @Test func `a late callback has no effect on the next call`() throws {
    let camera = Camera(timeline)
    let first = try camera.call("first", within: Camera.blink).resultWhenTimeIsUp(
      "No callback has come, and the time was up long ago.")
    try #require(first == .timedOut, "No callback has come, but the call \(first).")

    let second = camera.call("second", within: Camera.hour)
    runUntilQuiet()
    for _ in 1...2 { try camera.answer("first", with: "the first, late") }
    let waits = timeline.expect(
      """
      call for first   ┆┄┄┄┄├────┤
      call for second                 ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      callback                             ●    ●  for first, for first
      """,
      """
      The first call had timed out. Then its callback came, late, and mustn't wake the second call, \
      which waits for another picture. Each call needs a semaphore and a result of its own.
      """)
    guard waits else { return }
    try camera.answer("second", with: "the second")
    let outcome = try second.result("Its callback has come, and must wake it.")
    #expect(
      outcome == .value("the second"),
      "The second call must get what its own callback brings, but it \(outcome).")
  }

  @Test func `late callbacks have no effect, however many calls were before`() throws {
    let camera = Camera()
    let names = (1...300).map { "call \($0)" }
    let bridge = camera.bridge
    try mustReturn("300 calls within 0 seconds", timersInPlay: true) {
      for name in names { _ = try? bridge.value(for: name, within: 0) }
    }
    let last = camera.call("the last", within: Camera.hour)
    runUntilQuiet()
    try mustReturn("300 late callbacks") {
      for name in names { camera.reply(for: name)? { "the picture for \(name)" } }
    }
    try camera.answer("the last", with: "the last")
    let outcome = try last.result("Its callback has come, and must wake it.")
    #expect(
      outcome == .value("the last"),
      """
      300 calls had timed out, and their callbacks came while another call waited. It must get what \
      its own callback brings, but it \(outcome). Give each call an object of its own, not a number \
      that comes again.
      """)
  }

  @Test func `a second callback changes nothing`() throws {
    let camera = Camera { picture, reply in
      guard picture != "market" else { return }
      reply { "\(picture), sharp" }
      reply { "\(picture), blurred" }
      reply { throw BrokenLens() }
    }
    for picture in ["harbour", "station"] {
      let outcome = try camera.call(picture, within: Camera.hour).result(
        "Its callback has come, three times.")
      #expect(
        outcome == .value("\(picture), sharp"),
        """
        The callback came three times, with a sharp picture, a blurred one, and an error. The \
        first one counts, but the call \(outcome).
        """)
      try camera.answer(picture, with: "\(picture), much later")
    }
    let next = camera.call("market", within: Camera.hour)
    runUntilQuiet()
    for picture in ["harbour", "station", "market"] {
      try camera.answer(picture, with: "\(picture), at last")
    }
    let outcome = try next.result("Its callback has come, and must wake it.")
    #expect(
      outcome == .value("market, at last"),
      """
      While this call waited, the callbacks of earlier calls, which had returned their pictures, \
      came again. Then its own brought "market, at last", but the call \(outcome).
      """)
  }

  @Test func `a callback inside the first one's closure returns`() throws {
    let camera = Camera()
    let call = camera.call("harbour", within: Camera.hour)
    eventually("The work was never started: call start.") { camera.reply(for: "harbour") != nil }
    let reply = try #require(camera.reply(for: "harbour"))
    try mustReturn(
      "the callback",
      "Another one came inside its closure: hold no lock while you call a closure."
    ) {
      reply {
        reply { "blurred" }
        return "sharp"
      }
    }
    let outcome = try call.result("Both callbacks have come.")
    #expect(
      [.value("sharp"), .value("blurred")].contains(outcome),
      "Either picture may count as the first, but the call \(outcome).")
  }

  @Test func `calls on several threads wait side by side`() throws {
    let camera = Camera()
    let calls = ["left", "right"].map { (name: $0, call: camera.call($0, within: Camera.hour)) }
    let bothStarted = eventually(
      """
      Two threads called value at the same time, and both must call start, but not both did. Calls \
      are independent: don't hold a lock while you wait.
      """
    ) { calls.allSatisfy { camera.reply(for: $0.name) != nil } }
    guard bothStarted else { return }
    for (name, call) in calls.reversed() {
      try camera.answer(name, with: "\(name) eye")
      let outcome = try call.result("Its callback has come, and must wake this call.")
      #expect(
        outcome == .value("\(name) eye"),
        "Each of two calls at once must get what its own callback brings; this one \(outcome).")
    }
  }

  @Test func `a slow start delays no other call`() throws {
    let goOn = Gate("left's start goes on")
    let camera = Camera(timeline) { [timeline] picture, reply in
      if picture == "left" { timeline.visit("its start", until: goOn) }
      reply { "\(picture) eye" }
    }
    let left = camera.call("left", within: Camera.hour)
    let hasStarted = eventually("The work for \"left\" was never started: call start.") {
      goOn.waiting == 1
    }
    guard hasStarted else { return }
    let right = try camera.call("right", within: Camera.hour).result(
      """
      Another thread's call is still inside start, and this call mustn't wait for it. Calls are \
      independent: don't hold a lock while you call start.
      """)
    #expect(right == .value("right eye"), "Its callback came at once, but the call \(right).")
    goOn.open()
    let outcome = try left.result("Its callback has come, and must wake it.")
    #expect(outcome == .value("left eye"), "Its callback came at last, but the call \(outcome).")
    timeline.expect(
      """
      call for left   ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      its start            ├───────────────────┤
      call for right            ┆┄┄┄┄├────┤
      """, "The right call must return while the left one is still inside start.")
  }

  @Test func `a value that is slow to make delays no other call`() throws {
    let goOn = Gate("left's value is made")
    let camera = Camera { picture, reply in
      _ = TestThread("the camera") {
        reply {
          if picture == "left" { goOn.wait() }
          return "\(picture) eye"
        }
      }
    }
    let left = camera.call("left", within: Camera.hour)
    let isBeingMade = eventually("The callback came, but didn't call the closure of its value.") {
      goOn.waiting == 1
    }
    guard isBeingMade else { return }
    let right = try camera.call("right", within: Camera.hour).result(
      """
      The callback of another thread's call is still making its value, and this call mustn't wait \
      for that. Its own callback has come.
      """)
    #expect(right == .value("right eye"), "Its callback brought its value, but the call \(right).")
    goOn.open()
    let outcome = try left.result("Its callback has come, and must wake it.")
    #expect(outcome == .value("left eye"), "Its callback came at last, but the call \(outcome).")
  }

  // The outer call's value has come, but that call, on the same thread, doesn't wait for it yet.
  @Test func `a call inside start waits for its own callback`() throws {
    let itself = LockedValue<CallbackBridge<String, String>?>(nil)
    let inner = LockedValue<String?>(nil)
    let camera = Camera { picture, reply in
      guard picture == "outer" else { return }
      reply { "the outer picture" }
      let brought = try? itself.value?.value(for: "inner", within: Camera.hour)
      inner.set(brought ?? "an error")
    }
    itself.set(camera.bridge)
    defer { itself.set(nil) }
    let call = camera.call("outer", within: Camera.hour)
    let outerStarted = eventually("The work for \"outer\" was never started: call start.") {
      camera.reply(for: "outer") != nil
    }
    guard outerStarted else { return }
    let innerStarted = eventually(
      """
      Inside start, the same thread called value again, for another picture, but start wasn't \
      called for that one. Don't hold a lock while you call start.
      """
    ) { camera.reply(for: "inner") != nil }
    guard innerStarted else { return }
    runUntilQuiet()
    let ended = inner.value
    try #require(
      ended == nil,
      """
      The outer call's callback came, and then start called value again, on the same thread. That \
      inner call must wait for its own callback, which hasn't come, but it ended.
      """)
    try camera.answer("inner", with: "the inner picture")
    let outcome = try call.result("Both callbacks have come, and start can return.")
    #expect(
      inner.value == "the inner picture",
      "The inner call must get what its own callback brings, but got \(inner.value ?? "nothing").")
    #expect(
      outcome == .value("the outer picture"),
      "The outer call must get what its own callback brings, but it \(outcome).")
  }

  // one thread    another
  // replies       replies       nothing orders the two
  // calls, has
  // its value     replies       nor these
  @Test func `callbacks may come on any thread`() throws {
    // While they meet, the caller is still inside start: a caller that is woken in between goes
    // through locks of Swift's runtime, which could order the two and hide a race.
    let camera = Camera { _, reply in
      try? RelaxedRendezvous.meet("reply", { reply { "first" } }, { reply { "second" } })
    }
    let outcome = try camera.call("harbour", within: Camera.hour).result(
      "Its callback has come, twice.", timersInPlay: true)
    #expect(
      outcome == .value("first") || outcome == .value("second"),
      "Two callbacks came from two threads. One of them counts, but the call \(outcome).")

    let cached = Camera { _, reply in reply { "first" } }
    let cachedBridge = cached.bridge
    try RelaxedRendezvous.meet(
      "value and reply", { _ = try? cachedBridge.value(for: "harbour", within: Camera.hour) },
      { if let reply = cached.reply(for: "harbour") { reply { "second" } } })
  }
}
