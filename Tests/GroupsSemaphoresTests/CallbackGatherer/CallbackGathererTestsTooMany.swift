import Dispatch
import KataTesting
import Testing

extension CallbackGathererTests {
  // MARK: - Callbacks too many

  @Test func `a callback that comes twice counts once`() throws {
    let api = AskedAPI()
    try api.gather(["a", "b"])
    try api.answer("a")
    try api.answer("a")
    try api.expectNothingYet(
      """
      a's callback came twice, b's not at all. Two calls were counted, but not of two requests: \
      remember for each request whether its result is in.
      """)
    try api.answer("b")
    api.expect(["value of a", "value of b"], "Both have answered.")
  }

  @Test func `the first call of a callback stands`() throws {
    let api = AskedAPI()
    try api.gather(["a", "b", "c"])
    try api.answer("a")
    try api.answer("a", .success("another value"))
    try api.answer("a", .failure(BrokenRequest()))
    try api.answer("b", .failure(BrokenRequest()))
    try api.answer("b")
    // All of that was before the delivery, so whatever isn't ignored shows in it.
    try api.expectNothingYet("The callbacks of a and b have come, c's not yet.")
    try api.answer("c")
    api.expect(
      ["value of a", "error", "value of c"],
      """
      a's callback came with a value, then with another and an error; b's with an error, then with a \
      value. What came first stands, a failure too: put a result only where there is none.
      """)
  }

  @Test func `a callback after the delivery does no harm`() throws {
    let api = AskedAPI()
    try api.gather(["a"])
    try api.answer("a")
    api.expect(["value of a"], "The only callback has come.")
    // A group that is left once more than it was entered takes the process with it.
    try api.answer("a")
    runUntilQuiet()
    #expect(
      api.deliveries() == [["value of a"]],
      api.timeline.showing("a's callback came again after the delivery: nothing more must happen."))
  }

  @Test func `an API that calls back and throws has answered once`() throws {
    let api = AskedAPI(["a": .atOnceAndThrowing])
    try api.gather(["a", "b"])
    try api.expectNothingYet("a's callback came, and then the API threw; b has yet to answer.")
    try api.answer("b")
    api.expect(["value of a", "value of b"], "The callback of a came before the error.")
  }

  @Test func `an API that throws and calls back later has answered once`() throws {
    let api = AskedAPI(["a": .throwing])
    try api.gather(["a", "b"])
    try api.answer("a")
    try api.expectNothingYet(
      "For a the API threw, and its callback came after that all the same; b has yet to answer.")
    try api.answer("b")
    api.expect(["error", "value of b"], "For a the API threw first, so the error is its result.")
    try api.answer("a")
    runUntilQuiet()
    #expect(
      api.deliveries().count == 1,
      api.timeline.showing("a's callback came once more after the delivery, and it was repeated."))
  }

  // MARK: - Several gathers

  @Test func `two gathers know nothing of each other`() throws {
    let api = AskedAPI()
    let gatherer = api.gatherer
    try api.gather(["a", "b"], with: gatherer, name: "first delivery")
    try api.gather(["c", "d"], with: gatherer, name: "second delivery")
    for request in ["d", "a", "c"] { try api.answer(request) }
    api.expect(
      ["value of c", "value of d"], in: "second delivery",
      """
      The second gather's callbacks have all come; the first gather, of the same gatherer, still \
      waits for one. Each gather needs a group and results of its own.
      """)
    api.timeline.expect(
      """
      a                ├────────────────────────┤
      b                     ├──────────────────────────────────…
      c                          ├───────────────────┤
      d                               ├────┤
      second delivery                                     ●  delivered
      """, "The first gather still waits for b, and has delivered.")
    try api.answer("b")
    api.expect(
      ["value of a", "value of b"], in: "first delivery", "The first gather's callbacks have come.")
  }

  @Test func `a gather that is still asking holds no other up`() throws {
    let goOn = Gate("the API goes on")
    let api = AskedAPI(["slow": Manner { _, _ in goOn.wait() }, "cached": .atOnce])
    let gatherer = api.gatherer
    _ = TestThread("gather") {
      api.caller.set(.current())
      gatherer.gather(["slow"], deliverOn: api.deliveries) { _ in }
    }
    let isAsking = eventually("The API was never asked for the only request.") {
      api.timeline.isInside("slow")
    }
    guard isAsking else { return }
    try api.gather(["cached"], with: gatherer, name: "second delivery")
    api.expect(
      ["value of cached"], in: "second delivery",
      """
      One gather is still inside the API, and another one, on another thread, has its only result. \
      Gathers share nothing, so they need no lock between them.
      """)
    api.timeline.expect(
      """
      slow             ├───────────────────…
      cached                ├────┤
      second delivery                 ●  delivered
      """, "The second gather asks, is answered and delivers while the first is still asking.")
    goOn.open()
  }

  // MARK: - Threads

  // one           other
  // gathers
  //               gathers           nothing of the spec's orders the two
  @Test func `gather may be called on any thread`() throws {
    let release = Gate("release the delivery queue")
    let delivered = SharedCounter()
    // A busy queue: no thread is woken between the two, which could order them.
    let queue = DispatchQueue(label: "katas.spec.callback-gatherer.busy")
    queue.async { release.wait() }
    let gatherer = AskedAPI.Gatherer { request, callback in callback(.success(request)) }
    let gather: @Sendable () -> Void = {
      gatherer.gather(["a"], deliverOn: queue) { _ in delivered.increment() }
    }
    try mustReturn("gather") { gather() }
    runUntilQuiet()
    try RelaxedRendezvous.meet("gather", gather, gather)
    release.open()
    eventually("Three gathers have all their results, and not all of them delivered.") {
      delivered.value == 3
    }
  }

  // one           other
  // a's callback
  //               b's callback      nothing of the spec's orders the two
  @Test(arguments: [["a", "b"], ["b", "a"]])
  func `callbacks may come on any thread`(order: [String]) throws {
    let api = AskedAPI()
    try api.gather(["a", "b"])
    let callbacks = try order.map {
      try #require(api.callback(of: $0), "The API was never asked for \($0).")
    }
    try RelaxedRendezvous.meet(
      "a callback", { callbacks[0](.success("value of \(order[0])")) },
      { callbacks[1](.success("value of \(order[1])")) })
    api.expect(["value of a", "value of b"], "Two callbacks came, on two threads.")
  }
}
