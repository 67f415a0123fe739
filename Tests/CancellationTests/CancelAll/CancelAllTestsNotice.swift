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
        "onEmpty was called while an operation still runs: cancelling stops nothing."))
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
    eventually("An empty queue was emptied, and onEmpty isn't called.") { goOn.waiting == 1 }
    try cancelAll(queue([]))
    timeline.expect(
      """
      another notice  ├──────────────…
      cancelAll            ●  called
      notice                    ●  empty
      """,
      """
      Another queue's onEmpty takes its time, on a notice queue of its own; and the notice of this \
      queue doesn't come before that has returned. Hand a notice over by async, and go on.
      """)
    goOn.open()
    expectNotice()
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
  //               a call: nothing but a lock of the answer's orders the two
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
        "The queue was emptied, and what was added to it later never begins: is it still suspended?"
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
      "A suspended queue was emptied that had nothing in it, and is still suspended: resume it.")
    let later = CancelAllJob("later", on: timeline)
    queue.addOperation(later)
    eventually(
      timeline.showing(
        """
        A suspended queue was emptied that had nothing in it; what was added to it later never begins. \
        It must be resumed, whatever is in it.
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
      The queue is two wide and one cancelled operation still runs, so there is room for what was \
      added later; and it never begins.
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
        "later was added after cancelAll, and is cancelled: nobody has asked for it."))
    later.end()
  }

  // the queue                       another queue
  //                                 two work
  // eight that depend on both are
  // cancelled and leave, and the
  // spec doesn't keep them
  //                                 the two end
  //
  // Foundation on Linux doesn't retain the eight: what finishes looks for them where they were, and the
  // process crashes. Elsewhere there's nothing to see.
  @Test func `what they depend on finishes all the same`() throws {
    let working = ["one", "the other"].map { CancelAllJob($0, .stubborn, on: timeline) }
    let other = queue(working, width: 2)
    try cancelAll(queueOfUnkept(8, after: working))
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
        Eight operations depended on two in another queue, and were cancelled. The two must finish all the \
        same, and mustn't be cancelled.
        """))
    withExtendedLifetime(other) {}
  }

  private func queueOfUnkept(_ count: Int, after others: [Operation]) -> OperationQueue {
    let queue = OperationQueue()
    for _ in 0..<count {
      let operation = Operation()
      for other in others { operation.addDependency(other) }
      queue.addOperation(operation)
    }
    return queue
  }
}
