import AsyncOperations
import Foundation
import KataTesting
import Testing

extension CancelInFlightTests {
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
    let dependent = SharedCounter()
    let after = BlockOperation { dependent.increment() }
    after.addDependency(job.operation)
    job.queue.isSuspended = true
    job.queue.addOperations([job.operation, after], waitUntilFinished: false)
    try call(.cancel, on: job)
    runUntilQuiet()
    try #require(
      !job.operation.isFinished,
      """
      It was cancelled in a suspended queue and is finished already. The queue hasn't started it, \
      and only start() may finish it then. The inherited finish() has no effect before the start.
      """)
    let early = try mustReturn("result") { job.result }
    #expect(
      early == "cancelled",
      """
      It was cancelled before its start, and the result is \(early). cancel() must settle the \
      result at once; that needn't wait for the end of the operation.
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
  func `cancelled during its start, it begins no request`(
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
      It was cancelled during its start, in "\(moment)", and then it began a request. Check again \
      in main(), before you call begin.
      """)
    #expect(
      job.operation.isFinished && job.result == "cancelled",
      probe.showing(
        """
        It was cancelled during its start, in "\(moment)", and is \
        \(job.operation.isFinished ? "finished" : "never finished"), with the result \
        \(job.result). cancel() may have found nothing to finish yet: main() must do it.
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
    let seen = LockedValue<[String]>([])
    let job = InFlightJob(inBegin: { request in
      if how == .inside { request.operation?.cancel() }
      goOn.wait()
      if how == .byAnotherThenReply { request.reply() }
      seen.append(request.operation?.isFinished == true ? "finished" : "unfinished")
    })
    let starting = TestThread("start()") { job.operation.start() }
    eventually("begin was never called, or a cancel() inside it never returned. Is a lock held?") {
      goOn.waiting == 1
    }
    if how != .inside {
      try mustReturn("cancel()", "begin is being called: no thread may have to wait for that.") {
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
      being sent, and can't be cancelled yet: finish when it has been cancelled.
      """)
    let early = try mustReturn("result") { job.result }
    #expect(
      early == "cancelled",
      """
      It was cancelled \(how.rawValue), while begin is being called, and the result is \(early). \
      cancel() must settle the result, long before the end.
      """)
    goOn.open()
    try starting.result()
    runUntilQuiet()
    #expect(
      isFinishedEarly || !seen.value.contains("finished"),
      """
      It was cancelled \(how.rawValue), while begin was being called, and was finished before \
      begin returned. A reply that comes then must be ignored: it doesn't finish the operation \
      either.
      """)
    // A request that has replied has ended by itself: cancelling it does no harm, and isn't necessary.
    if how == .byAnotherThenReply {
      #expect(job.request.cancellations.count <= 1, "The request was cancelled more than once.")
    } else {
      expectCancelledRequest(
        of: job,
        after: """
          It was cancelled \(how.rawValue), while begin was being called. It couldn't cancel the \
          request then; it can when begin has returned.
          """)
      #expect(
        !job.request.cancellations.contains { $0.isFinished },
        """
        When its request was cancelled, the operation was finished already. A serial queue begins \
        the next request then, and has two in flight.
        """)
    }
    try expectEnd(
      of: job, "cancelled", after: "It was cancelled \(how.rawValue), while begin was being called."
    )
  }
}
