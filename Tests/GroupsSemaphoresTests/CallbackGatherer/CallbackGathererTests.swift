import Dispatch
import KataTesting
import Testing

/// Proves that the API is called once for each request, on the caller's thread; that the first result
/// counts, a thrown error too; and that all results are delivered once, together, in the order of the
/// requests, with no thread blocked meanwhile.
@Suite(.serialized, .kata) struct CallbackGathererTests {
  // MARK: - Calling the API

  @Test func `the API is called for each request, in order`() throws {
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
        The API must be called on the thread that calls gather, and nothing may be delivered before \
        a callback comes. Some APIs are made for one thread only, such as the main one.
        """))
  }

  @Test func `gather returns before the callbacks come`() throws {
    let api = AskedAPI()
    try api.gather(["a", "b"])
    try api.expectNothingYet("No callback has come yet, so nothing may be delivered.")
    for request in ["a", "b"] { try api.answer(request) }
    api.expect(["value of a", "value of b"], "Both callbacks have come.")
  }

  // A thread pool has few threads, and a thread for each gather is expensive: none may be blocked until
  // the callbacks have come, however many gathers are under way.
  @Test func `gathers that wait for callbacks block no threads`() throws {
    let api = AskedAPI()
    let (gatherer, delivered, otherWork) = (api.gatherer, SharedCounter(), SharedCounter())
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
      Two hundred gathers wait for a callback each, and other work on the global queues no longer \
      runs: the threads of the pool are blocked. Let a group notify, which blocks no thread.
      """
    ) { otherWork.value == classes.count }
    if otherWorkRan, let threadsBefore, let threadsNow = processThreadCount() {
      #expect(
        threadsNow < threadsBefore + 100,
        """
        With two hundred gathers under way, the process has \(threadsNow - threadsBefore) threads \
        more than before. Let a group notify, which blocks no thread.
        """)
    }
    try mustReturn("the callback, two hundred times,") {
      for name in names { api.callback(of: name)?(.success(name)) }
    }
    guard otherWorkRan else { return }
    eventually("All callbacks of two hundred gathers have come, but some never delivered.") {
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
        "\(request)'s callback hasn't come yet: all results must be delivered together.")
      try api.answer(request)
    }
    api.expect(
      ["value of a", "value of b", "value of c"],
      """
      Callbacks came in the order \(answered.joined(separator: ", ")). Each result must be in the \
      place of its request.
      """)
  }

  @Test func `without requests there is a delivery too`() throws {
    let api = AskedAPI()
    try api.gather([])
    api.expect([], "There were no requests, so completion must be called with no results.")
  }

  @Test(arguments: [[], ["at once"], ["later"]])
  func `the results are delivered on the queue that the caller chose`(requests: [String]) throws {
    let api = AskedAPI(["at once": .atOnce])
    try api.gather(requests)
    if requests == ["later"] { try api.answer("later") }
    api.expect(requests.map { "value of \($0)" }, "All callbacks have come.")
    #expect(
      api.timeline.events.filter { $0.who == "delivery" }.map(\.kind) == [.mark("delivered")],
      api.timeline.showing(
        "completion must be called once, on the queue that the caller chose."))
  }

  // An answer that delivers inside the callback, with sync, waits for the queue that it's on.
  @Test func `a callback may come on the delivery queue`() throws {
    let api = AskedAPI()
    try api.gather(["a", "b"])
    let callbacks = try ["a", "b"].map {
      try #require(api.callback(of: $0), "The API was never called for \($0).")
    }
    api.deliveries.async {
      callbacks[0](.success("value of a"))
      callbacks[1](.success("value of b"))
    }
    api.expect(
      ["value of a", "value of b"],
      "Both callbacks came on the delivery queue.")
  }

  // MARK: - Errors

  @Test(arguments: ["a", "b"])
  func `a failure is a result like any other`(failing: String) throws {
    let api = AskedAPI()
    let requests = ["a", "b"]
    try api.gather(requests)
    for request in requests {
      try api.answer(request, request == failing ? .failure(BrokenRequest()) : nil)
    }
    api.expect(
      requests.map { $0 == failing ? "error" : "value of \($0)" },
      """
      The callback of \(failing) was called with an error. An error is a result too: it must be in \
      the place of its request, and count like a value.
      """)
  }

  @Test(arguments: ["a", "b", "c"])
  func `an error that the API throws is a result`(failing: String) throws {
    let api = AskedAPI([failing: .throwing])
    let requests = ["a", "b", "c"]
    try api.gather(requests)
    #expect(
      api.timeline.orderOfEntry == requests,
      api.timeline.showing("The API threw for \(failing), and must be called for the others too."))
    for request in requests where request != failing { try api.answer(request) }
    api.expect(
      requests.map { $0 == failing ? "error" : "value of \($0)" },
      "For \(failing), the API threw: no callback will come, and the error is the result.")
  }

  // MARK: - Early callbacks

  @Test(arguments: [["at once"], ["at once", "later"], ["later", "at once"]])
  func `a callback may come before the API returns`(requests: [String]) throws {
    let api = AskedAPI(["at once": .atOnce])
    try api.gather(requests)
    if requests.contains("later") {
      try api.expectNothingYet("One callback came before the API returned, the other hasn't come.")
      try api.answer("later")
    }
    api.expect(
      requests.map { "value of \($0)" },
      "A callback came before the API returned, as if the result were cached.")
  }

  @Test func `a callback may come on another thread before the API returns`() throws {
    let api = AskedAPI(["elsewhere": .elsewhere])
    try api.gather(["elsewhere", "later"])
    try api.expectNothingYet("One callback came before the API returned, the other hasn't come.")
    try api.answer("later")
    api.expect(
      ["value of elsewhere", "value of later"],
      "A callback came on another thread, and only then the API returned.")
  }

  @Test func `a forgotten callback is no result`() throws {
    let api = AskedAPI(["forgetful": .forgetful])
    try api.gather(["forgetful", "b"])
    try api.answer("b")
    try api.expectNothingYet(
      """
      b has its result. The API released the other callback without calling it, so the other request \
      has none, and nothing may be delivered.
      """)
  }
}
