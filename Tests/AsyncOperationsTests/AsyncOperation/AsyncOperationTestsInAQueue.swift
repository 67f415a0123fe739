import Foundation
import KataTesting
import Testing

extension AsyncOperationTests {
  // MARK: - In a queue

  // queue         work          a thread that waits for the queue
  // starts it
  //               begins
  //               main returns  waits
  //               finish
  // removes it                  goes on
  @Test func `its queue removes it after finish, not after main`() throws {
    let work = Work("work", on: timeline)
    let queue = try queue([work])
    let drained = TestThread("waitUntilAllOperationsAreFinished()") {
      queue.waitUntilAllOperationsAreFinished()
    }
    let ended = TestThread("waitUntilFinished()") { work.waitUntilFinished() }
    expectAtWork()
    runUntilQuiet()
    #expect(
      !drained.hasReturned && !ended.hasReturned && completions == 0,
      timeline.showing(
        "main() has returned and finish() wasn't called, but the operation counts as finished."))

    try end(work)
    eventually(
      """
      finish() has returned, but a thread that waits for the operation or its queue still waits. \
      Foundation doesn't poll: it learns of the end when didChangeValue(forKey: "isFinished") is \
      called after the change.
      """
    ) { ended.hasReturned && drained.hasReturned }
    expectOneCompletion()
  }

  @Test func `its queue removes work that ends before main returns`() throws {
    let work = Work("work", on: timeline) { $0.end() }
    let queue = try queue([work])
    expectDrained(queue, "finish() was called inside main(); that call must count.")
    eventually("It is finished, but its completionBlock was never called.") { completions > 0 }
    runUntilQuiet()
    #expect(
      work.isFinished && !work.isExecuting && completions == 1,
      """
      The work ended inside main(). It must be finished, not executing, and its completionBlock \
      called once; here isFinished=\(work.isFinished), isExecuting=\(work.isExecuting), completed \
      \(completions) times.
      """)
  }

  @Test(arguments: [Queues.same, .different])
  func `a dependent waits for finish`(queues: Queues) throws {
    let first = Work("first", on: timeline)
    let second = Work("second", on: timeline)
    second.addDependency(first)
    let one = try queue([first])
    let other = try queues == .same ? one : queue([])
    try add(second, to: other)
    expectAtWork("first")
    runUntilQuiet()
    #expect(
      timeline.entries(of: "second") == 0,
      timeline.showing(
        """
        The second operation depends on the first, but began when main() of the first had \
        returned, while its work was still running. A dependent must wait for finish().
        """))

    try end(first)
    eventually(timeline.showing("The first has ended, but its dependent never began.")) {
      timeline.isInside("second")
    }
    try end(second)
  }

  @Test func `a queue one wide runs the next after finish`() throws {
    let works = (1...3).map { Work("work \($0)", on: timeline) }
    _ = try queue(works, width: 1)
    for (index, work) in works.enumerated() {
      eventually(timeline.showing("\(work.label) is next, but its main() is never called.")) {
        timeline.isInside(work.label)
      }
      runUntilQuiet()
      #expect(
        timeline.orderOfEntry.count == index + 1,
        timeline.showing(
          """
          The queue may run one operation at a time, but started another while \(work.label) was \
          still running.
          """))
      try end(work)
    }
    #expect(timeline.largestNumberInside == 1, timeline.showing("Two operations overlapped."))
  }

  // MARK: - Cancelled

  @Test func `cancelled before its start, it finishes without main when it is started`() throws {
    let work = Work("work", on: timeline)
    try cancel(work)
    #expect(
      work.isCancelled,
      "isCancelled must be true as soon as cancel() is called: call super.cancel().")
    #expect(
      !work.isFinished,
      "cancel() has finished an operation that was never started; only start() may do that.")
    try start(work)
    #expect(
      timeline.entries(of: "work") == 0,
      "It was cancelled before it was started, so start() must not call main().")
    #expect(
      work.isFinished && !work.isExecuting,
      """
      start() was called on a cancelled operation. No work will begin that could end it, so \
      start() must leave it finished and not executing.
      """)
  }

  @Test func `cancelled before it is added, it finishes in its queue`() throws {
    let work = Work("work", on: timeline)
    try cancel(work)
    let after = Work("after", on: timeline)
    after.addDependency(work)
    let queue = try queue([work, after])
    eventually("It was cancelled, so it must finish and its dependent begin; it never did.") {
      timeline.isInside("after")
    }
    try end(after)
    expectDrained(queue)
    expectCancelledEnd(of: work)
  }

  // blocker       work          after (depends on work)
  // begins
  //               waits         waits
  //               cancelled
  //               must wait     must wait
  // ends
  //               is finished
  //                             begins
  @Test func `cancelled while it waits in a queue, it finishes when its queue starts it`() throws {
    let blocker = Work("blocker", on: timeline)
    let work = Work("work", on: timeline)
    let after = Work("after", on: timeline)
    after.addDependency(work)
    let queue = try queue([blocker, work, after], width: 1)
    expectAtWork("blocker")
    try cancel(work)
    #expect(
      work.isCancelled,
      "isCancelled must be true as soon as cancel() is called: call super.cancel().")
    runUntilQuiet()
    #expect(
      !work.isFinished,
      """
      It is finished before its queue has started it. cancel() is only a request; start() ends a \
      cancelled operation.
      """)
    #expect(timeline.entries(of: "after") == 0, timeline.showing("Its dependent began too early."))

    try end(blocker)
    eventually(
      timeline.showing(
        "Its queue started a cancelled operation, but its dependent never begins. Is it finished?")
    ) { timeline.isInside("after") || timeline.isInside("work") }
    expectCancelledEnd(of: work)
    try end(after)
    expectDrained(queue)
  }

  @Test func `cancelled while it waits for a dependency, it leaves its queue`() throws {
    let dependency = Work("dependency", on: timeline)
    let work = Work("work", on: timeline)
    work.addDependency(dependency)
    let queue = try queue([work])
    runUntilQuiet()
    #expect(timeline.entries(of: "work") == 0, "It began before its dependency was finished.")
    try cancel(work)
    expectDrained(
      queue,
      """
      A cancelled operation doesn't wait for its dependencies any more, but this one does. \
      Foundation must know that it is cancelled: don't keep a flag of your own, and call \
      super.cancel().
      """)
    expectCancelledEnd(of: work)
  }

  @Test func `cancelled while it works, it goes on until finish`() throws {
    let work = Work("work", on: timeline)
    let queue = try queue([work])
    expectAtWork()
    try cancel(work)
    runUntilQuiet()
    #expect(
      work.isCancelled, "The work must be able to see isCancelled, so that it can stop early.")
    #expect(
      !work.isFinished && work.isExecuting,
      """
      It was cancelled while its work was running, and no longer counts as executing: dependents \
      would start beside work that is still running. Only finish() ends work that has begun.
      """)

    try end(work)
    expectDrained(queue, "finish() must end a cancelled operation too.")
    expectOneCompletion()
  }
}
