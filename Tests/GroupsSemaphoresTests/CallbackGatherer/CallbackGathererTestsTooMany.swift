import Dispatch
import KataTesting
import Testing

extension CallbackGathererTests {
  // MARK: - More than one result for a request

  @Test func `a callback that comes twice counts once`() throws {
    let api = AskedAPI()
    try api.gather(["a", "b"])
    try api.answer("a")
    try api.answer("a")
    try api.expectNothingYet(
      """
      a's callback came twice, b's not at all. Two calls aren't the results of two requests: \
      remember for each request whether it has its result.
      """)
    try api.answer("b")
    api.expect(["value of a", "value of b"], "Both requests have a result.")
  }

  // The callback of the last request but one. Only that one comes twice: a group that is left at
  // every call is then empty too early, and Dispatch doesn't trap.
  @Test func `among hundreds of requests a callback that comes twice counts once`() throws {
    let api = AskedAPI()
    let requests = (1...300).map { "request \($0)" }
    try api.gather(requests)
    let callbacks = requests.compactMap { api.callback(of: $0) }
    let areAllAsked = callbacks.count == requests.count
    try #require(areAllAsked, "The API must be called for each of three hundred requests.")
    try mustReturn("the callback of each request but the last") {
      for index in 0..<299 { callbacks[index](.success(requests[index])) }
      callbacks[298](.success("another value"))
    }
    runUntilQuiet()
    let isEarly = !api.deliveries().isEmpty
    try #require(
      !isEarly,
      """
      Of three hundred callbacks one came twice and one not at all, and yet the results were \
      delivered. A second call isn't the result of another request, however many there are.
      """)
    try mustReturn("the last callback") { callbacks[299](.success(requests[299])) }
    runUntilQuiet()
    let areFirstResults = api.deliveries() == [requests]
    #expect(
      areFirstResults,
      """
      Three hundred callbacks have come, one of them twice. The first result of each request must \
      be delivered, once and in the order of the requests, but that wasn't so.
      """)
  }

  @Test func `the first call of a callback counts`() throws {
    let api = AskedAPI()
    try api.gather(["a", "b", "c"])
    try api.answer("a")
    try api.answer("a", .success("another value"))
    try api.answer("a", .failure(BrokenRequest()))
    try api.answer("b", .failure(BrokenRequest()))
    try api.answer("b")
    // All of that was before the delivery, so a call that isn't ignored shows in it.
    try api.expectNothingYet("The callbacks of a and b have come, but c's hasn't.")
    try api.answer("c")
    api.expect(
      ["value of a", "error", "value of c"],
      """
      a's callback came with a value, then with another and an error; b's with an error, then with a \
      value. The first result counts, a failure too: store a result only if there is none yet.
      """)
  }

  @Test func `a callback after the delivery has no effect`() throws {
    let api = AskedAPI()
    let gatherer = api.gatherer
    try api.gather(["a"], with: gatherer)
    try api.answer("a")
    api.expect(["value of a"], "The only callback has come.")
    // Dispatch traps if a group is left once more than it was entered.
    try api.answer("a")
    runUntilQuiet()
    #expect(
      api.deliveries() == [["value of a"]],
      api.timeline.showing("a's callback came again after the delivery: it must have no effect."))

    try api.gather(["b"], with: gatherer, name: "second delivery")
    try api.answer("a")
    runUntilQuiet()
    try #require(
      api.deliveries(to: "second delivery").isEmpty,
      api.timeline.showing(
        """
        A second gather of the same gatherer waits for b's callback. Then a's callback, of the \
        first gather, came again, and the second gather delivered. That call must have no effect.
        """))
    try api.answer("b")
    api.expect(["value of b"], in: "second delivery", "The second gather's callback has come.")

    // And once more while the results are delivered, on another thread.
    let hasReturned = Gate("c's callback, called again, has returned")
    try mustReturn("gather") {
      gatherer.gather(["c"], deliverOn: api.deliveries) { _ in
        _ = TestThread("the callback") {
          api.callback(of: "c")?(.success("another value"))
          hasReturned.open()
        }
        hasReturned.wait()
      }
    }
    try api.answer("c")
    eventually(
      """
      c's callback came again, on another thread, while completion was running. That call must \
      have no effect, but it never returned.
      """
    ) { hasReturned.isOpen }
  }

  @Test func `an API that calls back and throws gives one result`() throws {
    let api = AskedAPI(["a": .atOnceAndThrowing])
    try api.gather(["a", "b"])
    try api.expectNothingYet("a's callback came, and then the API threw; b has no result yet.")
    try api.answer("b")
    api.expect(["value of a", "value of b"], "a's callback came before the error.")
  }

  @Test func `an API that throws and calls back later gives one result`() throws {
    let api = AskedAPI(["a": .throwing])
    try api.gather(["a", "b"])
    try api.answer("a")
    try api.expectNothingYet(
      "For a, the API threw, and then its callback came; b has no result yet.")
    try api.answer("b")
    api.expect(["error", "value of b"], "For a, the API threw first, so the error is its result.")
    try api.answer("a")
    runUntilQuiet()
    #expect(
      api.deliveries().count == 1,
      api.timeline.showing("a's callback came again, and there must be one delivery only."))
  }

  @Test func `an API that throws and calls back while it is asked again gives one result`() throws {
    let api = AskedAPI(["a": .throwing, "b": Manner { api, _ in api.callBack("a") }])
    try api.gather(["a", "b"])
    try api.answer("b")
    api.expect(
      ["error", "value of b"],
      """
      For a, the API threw; then it was called for b, and called back for a. The error came first, \
      so it is a's result: store it before you call the API again.
      """)
  }

  // MARK: - Several gathers

  @Test func `two gathers don't affect each other`() throws {
    let api = AskedAPI()
    let gatherer = api.gatherer
    try api.gather(["a", "b"], with: gatherer, name: "first delivery")
    try api.gather(["c", "d"], with: gatherer, name: "second delivery")
    for request in ["d", "a", "c"] { try api.answer(request) }
    api.expect(
      ["value of c", "value of d"], in: "second delivery",
      """
      The second gather's callbacks have all come; the first gather, of the same gatherer, still \
      waits for one. Each gather must count and store its own results.
      """)
    api.timeline.expect(
      """
      a                ├────────────────────────┤
      b                     ├──────────────────────────────────…
      c                          ├───────────────────┤
      d                               ├────┤
      second delivery                                     ●  delivered
      """, "The first gather still waits for b; the second has all its results and must deliver.")
    try api.answer("b")
    api.expect(
      ["value of a", "value of b"], in: "first delivery", "The first gather's callbacks have come.")
  }

  @Test func `a gather that is inside the API delays no other`() throws {
    let goOn = Gate("the API goes on")
    let api = AskedAPI(["slow": Manner { _, _ in goOn.wait() }, "cached": .atOnce])
    let gatherer = api.gatherer
    _ = TestThread("gather") {
      api.caller.set(.current())
      gatherer.gather(["slow"], deliverOn: api.deliveries) { _ in }
    }
    let isAsking = eventually("The API was never called for the only request.") {
      api.timeline.isInside("slow")
    }
    guard isAsking else { return }
    try api.gather(["cached"], with: gatherer, name: "second delivery")
    api.expect(
      ["value of cached"], in: "second delivery",
      """
      One gather is still inside the API, and another one, on another thread, has its only result. \
      Gathers share nothing, so neither may wait for the other.
      """)
    api.timeline.expect(
      """
      slow             ├───────────────────…
      cached                ├────┤
      second delivery                 ●  delivered
      """, "The second gather must deliver, once, while the first is still inside the API.")
    goOn.open()
  }

  // MARK: - Threads

  // one           other
  // gathers
  //               gathers           nothing in the spec orders the two
  @Test func `gather may be called on any thread`() throws {
    let release = Gate("release the delivery queue")
    let delivered = SharedCounter()
    // The queue is busy, so neither call wakes a thread, which could order the two.
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
    eventually("Three gathers have all their results, but not all of them delivered.") {
      delivered.value == 3
    }
  }

  // one           other
  // a's callback
  //               b's callback      nothing in the spec orders the two
  @Test(arguments: [["a", "b"], ["b", "a"]])
  func `callbacks may come on any thread`(order: [String]) throws {
    let api = AskedAPI()
    try api.gather(["a", "b"])
    let callbacks = try order.map {
      try #require(api.callback(of: $0), "The API was never called for \($0).")
    }
    try RelaxedRendezvous.meet(
      "a callback", { callbacks[0](.success("value of \(order[0])")) },
      { callbacks[1](.success("value of \(order[1])")) })
    api.expect(["value of a", "value of b"], "Two callbacks came, on two threads.")
  }
}
