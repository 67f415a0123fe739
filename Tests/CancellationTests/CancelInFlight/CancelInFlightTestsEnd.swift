import AsyncOperations
import Foundation
import KataTesting
import Testing

extension CancelInFlightTests {
  // MARK: - The end

  @Test(.observesKVO, arguments: InFlightLife.allCases)
  func `it finishes once, and its result is there then`(life: InFlightLife) throws {
    let job = InFlightJob(inBegin: life.inBegin, inCancel: life.inCancel)
    let results = LockedValue<[String]>([])
    let probe = KVOProbe(job.operation) {
      if $0 == .did(.isFinished) { results.append(job.result) }
    }
    try mustReturn("start()") { job.operation.start() }
    try mustReturn("the calls after start()") { life.goOn(job.operation, job.request) }
    runUntilQuiet()
    let ends = probe.notices(of: .did(.isFinished)).count
    #expect(
      ends == 1 && job.completions == 1,
      probe.showing(
        """
        In this life \(life.rawValue). Its end must be announced once, and was announced \(ends) \
        times; its completion block was called \(job.completions) times.
        """))
    #expect(
      results.value.first == life.result,
      probe.showing(
        """
        In this life \(life.rawValue). When its end was announced, the result was \
        \(results.value.first ?? "nothing"), and must be \(life.result). Observers of the end read \
        the result then.
        """))
    #expect(
      job.result == life.result,
      "In this life \(life.rawValue). In the end the result is \(job.result), not \(life.result)."
    )
  }

  // one thread             another thread
  // the first call
  // is held at `moment`    the second call
  // goes on
  @Test(.observesKVO, arguments: [KVOProbe.Announcement.will(.isFinished), .did(.isFinished)])
  func `a call during the end has no effect`(moment: KVOProbe.Announcement) throws {
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
          \(first.rawValue) was about to end it, in "\(moment)", when another thread made the call \
          \(second.rawValue).
          """
        try expectEnd(of: job, first == .cancel ? "cancelled" : "7", after: story)
        #expect(
          job.operation.isCancelled == (first == .cancel),
          """
          \(story) isCancelled is \(job.operation.isCancelled). A cancel() that comes when the \
          result is settled must have no effect: check the result before you call super.cancel().
          """)
        let ends = probe.notices(of: .did(.isFinished)).count
        let expected = first == .cancel ? 1 : 0
        #expect(
          ends == 1 && job.request.cancellations.count == expected,
          probe.showing(
            """
            \(story) The end must be announced once, and was announced \(ends) times; the request \
            must be cancelled \(expected) times, and was cancelled \
            \(job.request.cancellations.count) times.
            """))
      }
    }
  }

  // The request retains what it replies to, which retains the operation, which retains the closure
  // that cancels the request.
  @Test(arguments: InFlightLife.allCases)
  func `when it's over, nothing is retained`(life: InFlightLife) throws {
    let (requests, owner, caller) = try mustReturn("the whole life") {
      // Only the closure that cancels it retains the request.
      let requests = LockedValue<[WeakReference<HandRequest>]>([])
      let owner = LockedValue<WeakReference<RequestOperation>?>(nil)
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
      return (requests, owner, LockedValue<RequestOperation?>(operation))
    }
    runUntilQuiet()
    #expect(
      !requests.value.contains { !$0.isGone },
      """
      In this life \(life.rawValue). Only the caller retains the finished operation, and the \
      request is still in memory: a finished operation must not retain the closure that cancels it.
      """)
    caller.set(nil)
    let left = [
      requests.value.contains { !$0.isGone } ? "the request" : nil,
      owner.value?.isGone == false ? "the operation" : nil,
    ]
    .compactMap(\.self)
    #expect(
      left.isEmpty,
      """
      In this life \(life.rawValue), and nothing else retains the two any more; but still in \
      memory: \(left.joined(separator: " and ")). They retain each other: when the operation is \
      over, release the closure that cancels the request.
      """)
  }

  // MARK: - Many threads

  @Test func `no thread has to wait for the request's cancel`() throws {
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
      The request's cancel takes its time, and meanwhile another thread reads the result, cancels \
      and replies. It must not block, and it did: the request was cancelled while a lock was held \
      or a queue occupied.
      """)
    goOn.open()
    try cancelling.result()
    let story = "While its request was being cancelled, it was cancelled again and the reply came."
    expectCancelledRequest(of: job, after: story)
    try expectEnd(of: job, "cancelled", after: story)
  }

  // one thread    another thread
  // the first
  //               the second: only a lock of the answer orders the two
  @Test(arguments: InFlightCall.allCases, InFlightCall.allCases)
  func `the two calls may come from two threads`(first: InFlightCall, second: InFlightCall) throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...6 {
      let flight = try UnorderedFlight()
      try RelaxedRendezvous.meet("\(first.rawValue), then \(second.rawValue)") {
        flight.make(first)
      } _: {
        flight.make(second)
      }
      runUntilQuiet()
      try #require(
        flight.operation.isFinished,
        "One thread made the call \(first.rawValue), so the operation must be finished.")
    }
  }

  // its start     another thread
  // begin returns
  //               cancels: only a lock of the answer orders the two
  @Test func `one thread begins the request, and another cancels it`() throws {
    for _ in 1...6 {
      let flight = try UnorderedFlight(started: false)
      try RelaxedRendezvous.meet("start(), then cancel()") {
        flight.operation.start()
      } _: {
        flight.operation.cancel()
      }
      runUntilQuiet()
      try #require(
        flight.cancellations.value == 1,
        """
        One thread has begun the request, and another has cancelled the operation. Its request \
        must be cancelled once, and was cancelled \(flight.cancellations.value) times.
        """)
    }
  }

  // its start     another thread
  // calls begin
  //               replies: only a lock of the answer orders the two
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
        "The reply came while begin was called: it must be finished, and nothing cancelled.")
    }
  }

  // one thread    another thread
  // settles it
  //               reads the result: only a lock of the answer orders the two
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
        "It was ended by \(call.rawValue), and another thread that read the result then got nil.")
    }
  }
}
