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
}
