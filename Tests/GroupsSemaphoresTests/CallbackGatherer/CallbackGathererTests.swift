import Dispatch
import KataTesting
import Testing

/// Proves that the API is asked once for each request, on the caller's thread; that the first answer
/// counts, a thrown error too; and that all answers are delivered once, together, in the order of the
/// requests, with no thread held meanwhile.
@Suite(.serialized, .kata) struct CallbackGathererTests {
  // MARK: - Asking

  @Test func `the API is asked for each request, in order`() throws {
    let api = AskedAPI()
    try api.gather(["a", "b", "c"])
    #expect(
      api.timeline.orderOfEntry == ["a", "b", "c"],
      api.timeline.showing(
        """
        gather has returned. By then the API must have been called once for a, for b and for c, in \
        that order. Begin with a loop that calls it.
        """))
    #expect(
      api.timeline.events.allSatisfy { $0.kind == .entered },
      api.timeline.showing(
        """
        The API must be called on the thread that calls gather: some are made for one thread only, \
        such as the main one.
        """))
  }

  @Test func `gather returns before the callbacks come`() throws {
    let api = AskedAPI()
    try api.gather(["a", "b"])
    try api.expectNothingYet("No callback has come yet, so there is nothing to deliver.")
    for request in ["a", "b"] { try api.answer(request) }
    api.expect(["value of a", "value of b"], "Both callbacks have come.")
  }

  // The pools' threads are few, and a thread of one's own is dear: nobody may sleep until the
  // callbacks have come, however many gathers are under way.
  @Test func `gathers under way hold no threads`() throws {
    let api = AskedAPI()
    let (gatherer, delivered, otherWork) = (api.gatherer, Counter(), Counter())
    let names = (1...200).map { "request \($0)" }
    let threadsBefore = processThreadCount()
    try mustReturn("gather, two hundred times,") {
      for name in names {
        gatherer.gather([name], deliverOn: api.deliveries) { _ in delivered.increment() }
      }
    }
    let classes: [DispatchQoS.QoSClass] = [.userInitiated, .default, .utility, .background]
    for qos in classes { DispatchQueue.global(qos: qos).async { otherWork.increment() } }
    let otherWorkRan = eventually(
      """
      Two hundred gathers wait for a callback each, and work that others put on the global queues \
      doesn't run any more: every thread of the pool waits with them. Let a group notify; it holds \
      no thread.
      """
    ) { otherWork.value == classes.count }
    if otherWorkRan, let threadsBefore, let threadsNow = processThreadCount() {
      #expect(
        threadsNow < threadsBefore + 100,
        """
        With two hundred gathers under way the process has \(threadsNow - threadsBefore) threads \
        more than before. Let a group notify; it holds no thread.
        """)
    }
    try mustReturn("the callback, two hundred times,") {
      for name in names { api.callback(of: name)?(.success(name)) }
    }
    guard otherWorkRan else { return }
    eventually("All callbacks of two hundred gathers have come, and some never delivered.") {
      delivered.value == names.count
    }
  }

  // MARK: - Delivering

  // a             b             delivery
  // asked         asked
  // answered                    none yet
  //               answered
  //                             comes
  @Test(arguments: [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]])
  func `the results come together, in the order of the requests`(answered: [String]) throws {
    let api = AskedAPI()
    try api.gather(["a", "b", "c"])
    for request in answered {
      try api.expectNothingYet(
        "\(request)'s callback hasn't come yet: deliver all results together.")
      try api.answer(request)
    }
    api.expect(
      ["value of a", "value of b", "value of c"],
      """
      Callbacks came in the order \(answered.joined(separator: ", ")). Each result has a place, \
      that of its request.
      """)
  }

  @Test func `without requests there is a delivery too`() throws {
    let api = AskedAPI()
    try api.gather([])
    api.expect([], "There was nothing to ask for, so the results are none, and they are all there.")
  }

  @Test(arguments: [[], ["at once"], ["later"]])
  func `the results are delivered on the queue that was asked for`(requests: [String]) throws {
    let api = AskedAPI(["at once": .atOnce])
    try api.gather(requests)
    if requests == ["later"] { try api.answer("later") }
    api.expect(requests.map { "value of \($0)" }, "All callbacks have come.")
    #expect(
      api.timeline.events.filter { $0.who == "delivery" }.map(\.kind) == [.mark("delivered")],
      api.timeline.showing(
        "completion must be called on the queue that the caller gave, not where a callback came."))
  }

  // Whoever delivers from within the callback, with sync, waits for the queue that it's on.
  @Test func `a callback may come on the delivery queue`() throws {
    let api = AskedAPI()
    try api.gather(["a", "b"])
    let callbacks = try ["a", "b"].map {
      try #require(api.callback(of: $0), "The API was never asked for \($0).")
    }
    api.deliveries.async {
      callbacks[0](.success("value of a"))
      callbacks[1](.success("value of b"))
    }
    api.expect(
      ["value of a", "value of b"],
      "Both callbacks came on the queue that the results are delivered on.")
  }

  // MARK: - Errors

  @Test(arguments: ["a", "b"]) func `a failure is a result like another`(failing: String) throws {
    let api = AskedAPI()
    let requests = ["a", "b"]
    try api.gather(requests)
    for request in requests {
      try api.answer(request, request == failing ? .failure(BrokenRequest()) : nil)
    }
    api.expect(
      requests.map { $0 == failing ? "error" : "value of \($0)" },
      """
      The callback of \(failing) brought an error. It is in its place among the results, and it \
      leaves the group like any other: a defer at the callback's start can't be passed by.
      """)
  }

  @Test(arguments: ["a", "b", "c"]) func `an API that throws has answered`(failing: String) throws {
    let api = AskedAPI([failing: .throwing])
    let requests = ["a", "b", "c"]
    try api.gather(requests)
    #expect(
      api.timeline.orderOfEntry == requests,
      api.timeline.showing("The API threw for \(failing), and must be asked for the others too."))
    for request in requests where request != failing { try api.answer(request) }
    api.expect(
      requests.map { $0 == failing ? "error" : "value of \($0)" },
      "For \(failing) the API threw: no callback will come, and the error is the result.")
  }

  // MARK: - Callbacks at once

  @Test(arguments: [["at once"], ["at once", "later"], ["later", "at once"]])
  func `a callback may come before the API returns`(requests: [String]) throws {
    let api = AskedAPI(["at once": .atOnce])
    try api.gather(requests)
    if requests.contains("later") {
      try api.expectNothingYet("One result was in a cache and came at once, the other not yet.")
      try api.answer("later")
    }
    api.expect(
      requests.map { "value of \($0)" },
      "A callback came before the API returned, as if the result was in a cache.")
  }

  @Test func `a callback may come on another thread before the API returns`() throws {
    let api = AskedAPI(["elsewhere": .elsewhere])
    try api.gather(["elsewhere", "later"])
    try api.expectNothingYet("One callback came before the API returned, the other not yet.")
    try api.answer("later")
    api.expect(
      ["value of elsewhere", "value of later"],
      "A callback came on another thread, and the API returned when that had called back.")
  }

  @Test func `a forgotten callback is no answer`() throws {
    let api = AskedAPI(["forgetful": .forgetful])
    try api.gather(["forgetful", "b"])
    try api.answer("b")
    try api.expectNothingYet(
      """
      b has answered. The API has let go of the other callback without calling it: nobody knows \
      what became of that request, and the gather is under way until somebody does.
      """)
  }

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
    let delivered = Counter()
    // A busy queue: no thread is woken between the two, which could order them.
    let queue = DispatchQueue(label: "katas.spec.callback-gatherer.busy")
    queue.async { release.wait() }
    let gatherer = AskedAPI.Gatherer { request, callback in callback(.success(request)) }
    let gather: @Sendable () -> Void = {
      gatherer.gather(["a"], deliverOn: queue) { _ in delivered.increment() }
    }
    try mustReturn("gather") { gather() }
    runUntilQuiet()
    try meet("gather", gather, gather)
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
    try meet(
      "a callback", { callbacks[0](.success("value of \(order[0])")) },
      { callbacks[1](.success("value of \(order[1])")) })
    api.expect(["value of a", "value of b"], "Two callbacks came, on two threads.")
  }
}
