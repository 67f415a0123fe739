import AsyncOperations
import Foundation
import KataTesting
import Testing

extension CancelAllTests {
  // MARK: - The notice

  // running       caller        notice
  //               cancels, and goes on
  // works on                    none yet
  // ends
  //                             comes
  @Test func `the notice comes when the last has left`() throws {
    let running = CancelAllJob("running", .stubborn, on: timeline)
    let queue = queue([running, CancelAllJob("waiting", on: timeline)])
    try cancelAll(queue)
    runUntilQuiet()
    #expect(
      told().isEmpty,
      timeline.showing(
        "onEmpty was called while an operation still runs: cancelling doesn't stop it."))
    running.end()
    expectNotice()
  }

  @Test func `the notice of an empty queue comes too`() throws {
    try cancelAll(queue([]))
    expectNotice()
  }

  @Test func `an empty queue may be emptied on the notice queue`() throws {
    let queue = queue([])
    try mustReturn(
      "cancelAll", "It was called on the notice queue: don't wait for that queue."
    ) { notices.sync { callCancelAll(queue) } }
    expectNotice()
  }

  @Test func `no notice waits until another has returned`() throws {
    let goOn = Gate("the first notice returns")
    let slow = queue([])
    let others = DispatchQueue(label: "katas.spec.cancel-all.other-notices")
    try mustReturn("cancelAll") { [timeline] in
      slow.cancelAll(noticeQueue: others) { timeline.visit("another notice", until: goOn) }
    }
    eventually("An empty queue was emptied, and onEmpty wasn't called.") { goOn.waiting == 1 }
    try cancelAll(queue([]))
    timeline.expect(
      """
      another notice  ├──────────────…
      cancelAll            ●  called
      notice                    ●  empty
      """,
      """
      Another queue's onEmpty takes its time, on a notice queue of its own, and this queue's \
      onEmpty isn't called before that one has returned. It must not wait: submit each onEmpty \
      with async.
      """)
    goOn.open()
    expectNotice()
  }

  @Test func `no notice keeps a thread while it waits`() throws {
    let count = 160 + 4 * ProcessInfo.processInfo.activeProcessorCount
    let (goOn, calls, isTold) = (Gate("the first notice returns"), SharedCounter(), SharedCounter())
    let others = DispatchQueue(label: "katas.spec.cancel-all.other-notices")
    defer { goOn.open() }
    _ = TestThread("cancelAll") { [notices] in
      for _ in 0..<count {
        OperationQueue().cancelAll(noticeQueue: others) {
          goOn.wait()
          calls.increment()
        }
      }
      OperationQueue().cancelAll(noticeQueue: notices) { isTold.increment() }
    }
    let isLastTold = eventually(
      """
      \(count) empty queues were emptied, and their onEmpty wait for one another on a serial queue. \
      Then another queue was emptied, with a notice queue of its own that is free, and its onEmpty \
      isn't called: there is no thread left. Submit each onEmpty with async, which keeps none.
      """
    ) { isTold.value == 1 }
    guard isLastTold else { return }
    goOn.open()
    eventually("\(count) empty queues were emptied, and not each onEmpty was called.") {
      calls.value == count
    }
  }

  @Test func `each call has its notice`() throws {
    let running = CancelAllJob("running", .stubborn, on: timeline)
    let queue = queue([running])
    try cancelAll(queue, notice: "first notice")
    runUntilQuiet()
    try cancelAll(queue, notice: "second notice")
    running.end()
    expectNotice("first notice")
    expectNotice("second notice")
  }

  // one thread    another thread
  // a call
  //               a call: only a lock of the answer orders the two
  @Test(arguments: [false, true]) func `two calls may come from two threads`(
    sameQueue: Bool
  ) throws {
    try cancelAll(queue([]), notice: "before")
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...6 {
      let first = queue([])
      let second = sameQueue ? first : queue([])
      try RelaxedRendezvous.meet("cancelAll") {
        callCancelAll(first)
      } _: {
        callCancelAll(second)
      }
    }
  }

  // MARK: - What is added later

  @Test(arguments: [false, true]) func `work that is added later runs`(suspended: Bool) throws {
    let earlier = CancelAllJob("earlier", on: timeline)
    let queue = queue([earlier], suspended: suspended)
    try cancelAll(queue)
    expectGone(earlier)
    expectNotice()
    let later = CancelAllJob("later", on: timeline)
    queue.addOperation(later)
    eventually(
      timeline.showing(
        "The queue was emptied, and what was added later never begins. Is it still suspended?"
      )
    ) { timeline.isInside("later") }
    later.end()
  }

  @Test func `an empty queue that was suspended runs`() throws {
    let queue = queue([], suspended: true)
    try cancelAll(queue)
    expectNotice()
    #expect(
      !queue.isSuspended,
      "An empty, suspended queue was emptied, and is still suspended: resume it.")
    let later = CancelAllJob("later", on: timeline)
    queue.addOperation(later)
    eventually(
      timeline.showing(
        """
        An empty, suspended queue was emptied, and an operation added later never begins. The \
        queue must be resumed, even if it is empty.
        """)
    ) { timeline.isInside("later") }
    later.end()
  }

  @Test func `work that is added later doesn't wait for what still ends`() throws {
    let record = Timeline()
    let earlier = CancelAllJob("earlier", .stubborn, on: record)
    let later = CancelAllJob("later", on: record)
    let queue = queue([earlier], width: 2)
    try cancelAll(queue)
    queue.addOperation(later)
    record.expect(
      """
      earlier  ├────●─────────…  cancelled
      later              ├────…
      """,
      """
      Two operations may run at once in the queue and only one cancelled operation still runs, so \
      there is room for the one added later. It never begins.
      """)
    earlier.end()
    later.end()
  }

  @Test func `neither cancels nor waits for work that is added later`() throws {
    let earlier = CancelAllJob("earlier", .stubborn, on: timeline)
    let later = CancelAllJob("later", .stubborn, on: timeline)
    let queue = queue([earlier], width: 2)
    try cancelAll(queue)
    queue.addOperation(later)
    runUntilQuiet()
    earlier.end()
    expectNotice()
    #expect(
      !later.isCancelled,
      timeline.showing(
        "later was added after cancelAll, and was cancelled all the same."))
    later.end()
  }

  // the queue                       another queue
  //                                 two work
  // eight that depend on both are
  // cancelled and leave, and the
  // spec doesn't retain them
  //                                 the two end
  //
  // Foundation on Linux doesn't retain the eight: a dependency that finishes follows its pointers
  // to them, and the process crashes. Elsewhere nothing happens.
  //
  // The second time each of the eight has been cancelled before, in a suspended queue.
  @Test(arguments: [false, true]) func `what they depend on finishes all the same`(
    cancelledBefore: Bool
  ) throws {
    let working = ["one", "the other"].map { CancelAllJob($0, .stubborn, on: timeline) }
    let other = queue(working, width: 2)
    try cancelAll(queueOfUnkept(8, after: working, cancelled: cancelledBefore))
    expectNotice()
    for job in working {
      job.end()
      runUntilQuiet()
    }
    let haveFinished = working.allSatisfy { $0.isFinished && !$0.isCancelled }
    #expect(
      haveFinished,
      timeline.showing(
        """
        Eight operations depended on two in another queue, and were cancelled. The two must finish \
        all the same, and must not be cancelled.
        """))
    withExtendedLifetime(other) {}
  }

  private func queueOfUnkept(
    _ count: Int, after others: [Operation], cancelled: Bool
  ) -> OperationQueue {
    let queue = OperationQueue()
    // In a suspended queue the cancelled ones stay until cancelAll is called.
    queue.isSuspended = cancelled
    for _ in 0..<count {
      let operation = Operation()
      for other in others { operation.addDependency(other) }
      queue.addOperation(operation)
      if cancelled { operation.cancel() }
    }
    return queue
  }
}
