import AsyncOperations
import Foundation
import KataTesting
import Testing

/// Proves that cancel reaches the request that is under way, once, and that whatever comes later changes
/// nothing.
@Suite(.serialized, .kata) struct CancelInFlightTests {
  private let timeline = Timeline()

  // MARK: - Reply and cancel

  @Test func `the request's reply is the result`() throws {
    let job = try jobInFlight()
    #expect(
      job.operation.isExecuting && job.result == "nil",
      "The request is in flight: the operation must be executing, and its result nil.")
    try call(.reply, on: job)
    try expectEnd(
      of: job, "7",
      after: """
        The request replied with 7. Begin there: begin gives you the reply; keep it as the result, \
        then finish().
        """)
  }

  @Test(arguments: InFlightError.allCases)
  func `the request's error is the result too`(reason: InFlightError) throws {
    let job = try jobInFlight()
    try mustReturn("the reply") { job.request.fail(with: reason.error) }
    try expectEnd(
      of: job, "the request's \(type(of: reason.error))",
      after: """
        Nobody has cancelled it, and the request replied with \(reason.rawValue): an end like any \
        other, as .failure(.request(error)), whatever the error is called.
        """)
    #expect(
      !job.operation.isCancelled,
      "The request replied with \(reason.rawValue); nobody has cancelled the operation, and it says so."
    )
  }

  @Test func `cancel passes on to the request`() throws {
    let job = try jobInFlight()
    try call(.cancel, on: job)
    #expect(
      job.operation.isCancelled,
      "cancel() has returned and isCancelled is false. An override must call super.cancel().")
    expectCancelledRequest(
      of: job,
      after: "It was cancelled with its request in flight. Keep what begin returns, and call it.")
  }

  @Test func `each operation has a request of its own`() throws {
    let (job, other) = (try jobInFlight(), try jobInFlight())
    try call(.cancel, on: job)
    #expect(
      other.request.cancellations.isEmpty && other.result == "nil",
      """
      Two operations have a request in flight each, and one was cancelled. The other one's request was \
      cancelled \(other.request.cancellations.count) times, and its result is \(other.result): keep what \
      cancels a request in its own operation, and not where all share it.
      """)
    expectCancelledRequest(of: job, after: "Of two operations this one was cancelled.")
    try call(.reply, on: other)
    try expectEnd(
      of: other, "7", after: "Another operation was cancelled; this one's request replied.")
  }

  @Test func `cancelled in flight, it doesn't wait for a reply`() throws {
    let job = try jobInFlight()
    try call(.cancel, on: job)
    try expectEnd(
      of: job, "cancelled",
      after: "It was cancelled in flight; its request never replies, nor need it.")
  }

  @Test(arguments: [false, true]) func `a late reply is ignored`(failing: Bool) throws {
    let job = try jobInFlight()
    try call(.cancel, on: job)
    runUntilQuiet()
    try mustReturn("the late reply") { job.request.reply(failing: failing) }
    try expectEnd(
      of: job, "cancelled", after: "It was cancelled in flight, and then its request replied.")
  }

  @Test func `a second reply is ignored`() throws {
    let job = try jobInFlight()
    try call(.reply, on: job)
    try mustReturn("the second reply") { job.request.reply(8) }
    try expectEnd(of: job, "7", after: "The request replied with 7, and later with 8.")
  }

  @Test func `cancelled twice, the request is cancelled once`() throws {
    let job = try jobInFlight()
    try call(.cancel, on: job)
    try call(.cancel, on: job)
    expectCancelledRequest(of: job, after: "It was cancelled twice.")
    try expectEnd(of: job, "cancelled", after: "It was cancelled twice.")
  }

  @Test(arguments: [false, true])
  func `a request that has replied isn't cancelled`(insideBegin: Bool) throws {
    let job = try jobInFlight(InFlightJob(inBegin: { if insideBegin { $0.reply() } }))
    if !insideBegin { try call(.reply, on: job) }
    try call(.cancel, on: job)
    #expect(
      job.request.cancellations.isEmpty,
      """
      The request replied\(insideBegin ? " inside begin" : ""), and a cancellation that came later \
      was passed on to it. It's over: there is nothing to cancel.
      """)
    try expectEnd(of: job, "7", after: "The request replied, and then it was cancelled.")
  }

  // MARK: - Reentrant requests

  @Test func `a reply inside begin is the result`() throws {
    let job = InFlightJob(inBegin: { $0.reply() })
    try mustReturn(
      "start()",
      "The request had its data at hand and replied before begin returned: call begin without a lock."
    ) { job.operation.start() }
    try expectEnd(of: job, "7", after: "The request replied inside begin.")
    #expect(
      job.request.cancellations.isEmpty,
      "The request replied inside begin, and then it was cancelled though nobody asked for it.")
  }

  @Test func `a reply inside the request's cancel is ignored`() throws {
    let seen = Locked<[String]>([])
    let job = try jobInFlight(
      InFlightJob(inCancel: { request in
        request.reply(failing: true)
        seen.append(request.operation?.isFinished == true ? "finished" : "unfinished")
      }))
    try mustReturn(
      "cancel()",
      "The request replied before its cancel returned, as many do: call it without a lock."
    ) { job.operation.cancel() }
    #expect(
      !seen.value.contains("finished"),
      """
      It was cancelled, and its request replied in the midst of that. When the reply had come, the \
      operation was finished, and its request was still being cancelled: a queue that is one wide \
      begins the next one then. A reply that is ignored doesn't finish it either.
      """)
    try expectEnd(
      of: job, "cancelled",
      after: """
        It was cancelled, and its request answered that with an error, as many do. Nobody wants to \
        know that: settle the result before you cancel the request.
        """)
  }

  @Test func `the request is cancelled before the operation is finished`() throws {
    let job = try jobInFlight()
    try call(.cancel, on: job)
    expectCancelledRequest(of: job, after: "It was cancelled in flight.")
    #expect(
      !job.request.cancellations.contains { $0.isFinished },
      """
      When its request was cancelled, the operation was finished already. A queue that is one wide \
      begins the next request then, and has two under way.
      """)
    #expect(
      job.request.cancellations.allSatisfy { $0.isCancelled },
      """
      When its request was cancelled, isCancelled was still false. Whoever is told of it looks there: \
      call super.cancel() first.
      """)
  }

  // MARK: - Before it's in flight

  // queue         operation              dependent
  // suspended     waits                  waits
  //               cancelled
  //               must wait              must wait
  // resumed
  //               is finished
  //                                      begins
  @Test func `cancelled before its start, it begins no request`() throws {
    let job = InFlightJob()
    let dependent = Counter()
    let after = BlockOperation { dependent.increment() }
    after.addDependency(job.operation)
    job.queue.isSuspended = true
    job.queue.addOperations([job.operation, after], waitUntilFinished: false)
    try call(.cancel, on: job)
    runUntilQuiet()
    try #require(
      !job.operation.isFinished,
      """
      It was cancelled in a suspended queue and is finished: its queue hasn't started it yet, and \
      only start() may finish it then. finish() sees to that.
      """)
    let early = try mustReturn("result") { job.result }
    #expect(
      early == "cancelled",
      """
      It was cancelled before its start, and the result reads \(early). cancel() settles it; the end \
      comes later, and the result needn't wait for that.
      """)
    job.queue.isSuspended = false
    eventually(
      "It was cancelled before its start, and what depends on it never begins: it isn't finished."
    ) { dependent.value == 1 }
    #expect(
      job.request.begun == 0 && job.request.cancellations.isEmpty,
      "It was cancelled before its start, and then it began a request or cancelled one.")
    try expectEnd(of: job, "cancelled", after: "It was cancelled before its start.")
  }

  @Test(.observesKVO, arguments: [KVOProbe.Announcement.will(.isExecuting), .did(.isExecuting)])
  func `cancelled in the midst of its start, it begins no request`(
    moment: KVOProbe.Announcement
  ) throws {
    let job = InFlightJob(inBegin: { [timeline] _ in timeline.mark("request", "begins") })
    let hold = CancelRaceHold("the start goes on")
    let probe = KVOProbe(job.operation) { if $0 == moment { hold.pass() } }
    let starting = TestThread("start()") { [timeline] in
      timeline.visit("start()") { job.operation.start() }
    }
    eventually("start() never announces that it executes.") { hold.gate.waiting == 1 }
    try mustReturn("cancel()") { [timeline] in
      timeline.visit("cancel()") { job.operation.cancel() }
    }
    hold.gate.open()
    try starting.result()
    timeline.expect(
      """
      start()   ├──────────────┤
      cancel()       ├────┤
      """,
      """
      It was cancelled in the midst of its start, in "\(moment)", and then it began a request. Look \
      once more in main(), before you call begin.
      """)
    #expect(
      job.operation.isFinished && job.result == "cancelled",
      probe.showing(
        """
        It was cancelled in the midst of its start, in "\(moment)", and is \
        \(job.operation.isFinished ? "finished" : "never finished"), with the result \(job.result). \
        cancel() may have found nothing to finish yet: main() must do it.
        """))
  }

  // its start              another thread
  // calls begin
  //   is held              cancel(): nothing to cancel the request with
  //   returns
  // cancels the request
  // finishes
  @Test(arguments: CancelWhileBegun.allCases)
  func `cancelled while the request is begun, it is cancelled then`(how: CancelWhileBegun) throws {
    let goOn = Gate("begin returns")
    let seen = Locked<[String]>([])
    let job = InFlightJob(inBegin: { request in
      if how == .inside { request.operation?.cancel() }
      goOn.wait()
      if how == .byAnotherThenReply { request.reply() }
      seen.append(request.operation?.isFinished == true ? "finished" : "unfinished")
    })
    let starting = TestThread("start()") { job.operation.start() }
    eventually("begin is being called, and called cancel(). It never came back: is a lock held?") {
      goOn.waiting == 1
    }
    if how != .inside {
      try mustReturn("cancel()", "begin is being called: nobody may have to wait for that.") {
        job.operation.cancel()
        if how == .byAnotherTwice { job.operation.cancel() }
      }
    }
    runUntilQuiet()
    let isFinishedEarly = try mustReturn("isFinished") { job.operation.isFinished }
    #expect(
      !isFinishedEarly,
      """
      It was cancelled while begin was being called, and is finished already. Its request is still \
      being sent, and nobody can cancel it yet: finish when that's done.
      """)
    let early = try mustReturn("result") { job.result }
    #expect(
      early == "cancelled",
      """
      It was cancelled \(how.rawValue), while begin is being called, and the result reads \(early). \
      cancel() settles it, long before the end.
      """)
    goOn.open()
    try starting.result()
    runUntilQuiet()
    #expect(
      isFinishedEarly || !seen.value.contains("finished"),
      """
      It was cancelled \(how.rawValue), while begin was being called, and was finished before begin \
      returned. A reply that comes then is ignored: it doesn't finish the operation either.
      """)
    if how == .byAnotherThenReply {
      // It has ended by itself: to cancel it does no harm, and isn't necessary.
      #expect(job.request.cancellations.count <= 1, "The request was cancelled more than once.")
    } else {
      expectCancelledRequest(
        of: job,
        after: """
          It was cancelled \(how.rawValue), while begin was being called. There was nothing to \
          cancel the request with; there is since begin has returned.
          """)
      #expect(
        !job.request.cancellations.contains { $0.isFinished },
        """
        When its request was cancelled, the operation was finished already. A queue that is one wide \
        begins the next request then, and has two under way.
        """)
    }
    try expectEnd(
      of: job, "cancelled", after: "It was cancelled \(how.rawValue), while begin was being called."
    )
  }

  // MARK: - The end

  @Test(.observesKVO, arguments: InFlightLife.allCases)
  func `it finishes once, and its result is there then`(life: InFlightLife) throws {
    let job = InFlightJob(inBegin: life.inBegin, inCancel: life.inCancel)
    let results = Locked<[String]>([])
    let probe = KVOProbe(job.operation) {
      if $0 == .did(.isFinished) { results.append(job.result) }
    }
    try mustReturn("start()") { job.operation.start() }
    try mustReturn("what comes then") { life.goOn(job.operation, job.request) }
    runUntilQuiet()
    let ends = probe.notices(of: .did(.isFinished)).count
    #expect(
      ends == 1 && job.completions == 1,
      probe.showing(
        """
        In this life \(life.rawValue). Its end must be announced once, and was \(ends) times; it \
        completed \(job.completions) times.
        """))
    #expect(
      results.value.first == life.result,
      probe.showing(
        """
        In this life \(life.rawValue). When its end was announced, the result read \
        \(results.value.first ?? "nothing"), and must read \(life.result): whoever waits for the end \
        looks for it then.
        """))
    #expect(
      job.result == life.result,
      "In this life \(life.rawValue). In the end the result reads \(job.result), not \(life.result)."
    )
  }

  // one thread             another thread
  // the first call
  // is held at `moment`    the second call
  // goes on
  @Test(.observesKVO, arguments: [KVOProbe.Announcement.will(.isFinished), .did(.isFinished)])
  func `a call in the midst of the end has no effect`(moment: KVOProbe.Announcement) throws {
    for first in InFlightCall.allCases {
      for second in InFlightCall.allCases {
        let job = try jobInFlight()
        let hold = CancelRaceHold("the end goes on")
        let probe = KVOProbe(job.operation) { if $0 == moment { hold.pass() } }
        let ending = TestThread(first.rawValue) { job.make(first) }
        eventually("\(first.rawValue) came, and the end was never announced.") {
          hold.gate.waiting == 1
        }
        let other = TestThread(second.rawValue) { job.make(second) }
        runUntilQuiet()
        hold.gate.open()
        try ending.result()
        try other.result()
        let story = """
          \(first.rawValue) was about to end it, in "\(moment)", when another thread came with \
          \(second.rawValue).
          """
        try expectEnd(of: job, first == .cancel ? "cancelled" : "7", after: story)
        #expect(
          job.operation.isCancelled == (first == .cancel),
          """
          \(story) isCancelled is \(job.operation.isCancelled). A cancel() that comes when the result \
          is settled has no effect: look at it before you call super.cancel().
          """)
        let ends = probe.notices(of: .did(.isFinished)).count
        let expected = first == .cancel ? 1 : 0
        #expect(
          ends == 1 && job.request.cancellations.count == expected,
          probe.showing(
            """
            \(story) The end must be announced once, and was \(ends) times; the request must be \
            cancelled \(expected) times, and was \(job.request.cancellations.count) times.
            """))
      }
    }
  }

  // The request holds what it replies to, which holds the operation, which holds what cancels the
  // request.
  @Test(arguments: InFlightLife.allCases)
  func `when it's over, nothing is kept`(life: InFlightLife) throws {
    let (requests, owner) = try mustReturn("the whole life") {
      // Nobody but what cancels it holds the request.
      let requests = Locked<[WeakReference<HandRequest>]>([])
      let owner = Locked<WeakReference<RequestOperation>?>(nil)
      let operation = RequestOperation { reply in
        let request = HandRequest()
        requests.append(WeakReference(request))
        if let operation = owner.value?.value { request.belongs(to: operation) }
        request.begin(reply)
        life.inBegin(request)
        return {
          request.cancel()
          life.inCancel(request)
        }
      }
      owner.set(WeakReference(operation))
      operation.start()
      life.goOn(operation, requests.value.first?.value)
      return (requests, owner)
    }
    runUntilQuiet()
    let left = [
      requests.value.contains { !$0.isGone } ? "the request" : nil,
      owner.value?.isGone == false ? "the operation" : nil,
    ]
    .compactMap(\.self)
    #expect(
      left.isEmpty,
      """
      In this life \(life.rawValue), and nobody else holds the two any more; but still there: \
      \(left.joined(separator: " and ")). They hold each other: when it's over, let go of what \
      cancels the request.
      """)
  }

  // MARK: - Many threads

  @Test func `nobody has to wait for the request's cancel`() throws {
    let goOn = Gate("the request's cancel returns")
    let job = try jobInFlight(
      InFlightJob(inCancel: { [timeline] request in
        guard request.cancellations.count == 1 else { return }
        timeline.visit("its request's cancel", until: goOn)
      }))
    let cancelling = TestThread("cancel()") { job.operation.cancel() }
    eventually("It was cancelled in flight, and its request wasn't.") { goOn.waiting == 1 }
    _ = TestThread("another thread") { [timeline] in
      timeline.visit("another thread") {
        _ = (job.operation.result, job.operation.isFinished)
        job.operation.cancel()
        job.request.reply()
      }
    }
    timeline.expect(
      """
      its request's cancel  ├──────────────…
      another thread             ├────┤
      """,
      """
      The request's cancel takes its time; meanwhile another thread asks for the result, cancels and \
      replies. It was held up: a lock is held, or a queue occupied, while the request is cancelled.
      """)
    goOn.open()
    try cancelling.result()
    let story = "While its request was being cancelled, it was cancelled again and the reply came."
    expectCancelledRequest(of: job, after: story)
    try expectEnd(of: job, "cancelled", after: story)
  }

  // one thread    another thread
  // the first
  //               the second: nothing but a lock of the answer's orders the two
  @Test(arguments: InFlightCall.allCases, InFlightCall.allCases)
  func `the two calls may come from two threads`(first: InFlightCall, second: InFlightCall) throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...6 {
      let flight = try UnorderedFlight()
      try meet("\(first.rawValue), then \(second.rawValue)") {
        flight.make(first)
      } _: {
        flight.make(second)
      }
      try #require(
        flight.operation.isFinished,
        "One thread made a call, \(first.rawValue), and it must be finished.")
    }
  }

  // its start     another thread
  // begin returns
  //               cancels: nothing but a lock of the answer's orders the two
  @Test func `one thread begins the request, and another cancels it`() throws {
    for _ in 1...6 {
      let flight = try UnorderedFlight(started: false)
      try meet("start(), then cancel()") {
        flight.operation.start()
      } _: {
        flight.operation.cancel()
      }
      try #require(
        flight.cancellations.value == 1,
        """
        One thread has begun the request, and another has cancelled the operation: its request must \
        be cancelled once, and was \(flight.cancellations.value) times.
        """)
    }
  }

  // its start     another thread
  // calls begin
  //               replies: nothing but a lock of the answer's orders the two
  // begin returns
  @Test func `one thread begins the request, and another brings the reply`() throws {
    for _ in 1...6 {
      let meeting = RelaxedRendezvous()
      let flight = try UnorderedFlight(started: false) { meeting.changed() }
      let reply = meeting.looker("reply") { flight.make(.reply) }
      let start = TestThread("start()") { flight.operation.start() }
      try start.result(timersInPlay: true)
      try reply.result(timersInPlay: true)
      try #require(
        flight.operation.isFinished && flight.cancellations.value == 0,
        "The reply came while begin was being called: it must be finished, and nothing cancelled.")
    }
  }

  // one thread    another thread
  // settles it
  //               reads the result: nothing but a lock of the answer's orders the two
  @Test(arguments: InFlightCall.allCases)
  func `the result may be read on any thread`(call: InFlightCall) throws {
    for _ in 1...6 {
      let flight = try UnorderedFlight()
      let meeting = RelaxedRendezvous()
      let reader = meeting.looker("result") { flight.operation.result != nil }
      let settler = TestThread(call.rawValue) {
        flight.make(call)
        meeting.changed()
      }
      try settler.result(timersInPlay: true)
      try #require(
        try reader.result(timersInPlay: true),
        "It came to its end by \(call.rawValue), and another thread that asked then got no result.")
    }
  }
}
