import Foundation
import KataTesting
import Testing

extension CancelBeforeStartTests {
  // MARK: - Cancelled later

  @Test func `cancelled while it works, it goes on until finish is called`() throws {
    let job = CancellableJob("job", on: timeline)
    let queue = try queue([job])
    eventually("Its queue never started the work.") { timeline.isInside("job") }
    try job.cancel()
    runUntilQuiet()
    #expect(
      job.operation.isCancelled && job.cancellations.count == 1,
      "cancel() must call super.cancel() and onCancel even while the work goes on.")
    #expect(
      job.operation.isExecuting && !job.operation.isFinished,
      """
      It was cancelled while its work was going on, and is over already: dependents would start \
      while the work still runs. It must go on until the work calls finish.
      """)
    try job.end()
    expectDrained(queue)
  }

  // its queue               another thread
  // calls the work
  //   waits to be stopped   cancel()
  //                           onCancel: stops it
  //   calls finish          returns
  @Test func `work that runs in its start can be stopped`() throws {
    let stop = Gate("the work is stopped")
    let begun = SharedCounter()
    let operation = CancellableOperation {
      stop.open()
    } work: { finish in
      begun.increment()
      stop.wait()
      finish()
    }
    let queue = OperationQueue()
    queue.addOperation(operation)
    eventually("Its queue never started the work.") { begun.value == 1 }
    try mustReturn(
      "cancel()",
      """
      The work doesn't return until onCancel stops it, so cancel() mustn't wait for the work. Is a \
      lock held while the work is called?
      """
    ) { operation.cancel() }
    #expect(
      stop.isOpen,
      "It was cancelled while start() was calling its work, and onCancel wasn't called.")
    stop.open()
    expectDrained(queue)
  }

  // its queue         spec
  // calls the work
  //   calls finish
  //   goes on         it's over
  @Test func `finished before its work returns, it is over at once`() throws {
    let goOn = Gate("the work returns")
    let cancellations = SharedCounter()
    let operation = CancellableOperation {
      cancellations.increment()
    } work: { finish in
      finish()
      goOn.wait()
    }
    let queue = OperationQueue()
    queue.addOperation(operation)
    eventually("Its queue never started the work, or finish never returned.") { goOn.waiting == 1 }
    let (isFinished, isExecuting) = try mustReturn("isFinished and isExecuting") {
      (operation.isFinished, operation.isExecuting)
    }
    #expect(
      isFinished && !isExecuting,
      """
      The work has called finish and cleans up before it returns, and here \
      isFinished=\(isFinished), isExecuting=\(isExecuting). Dependents mustn't wait for the \
      cleanup: finish must end the operation at once.
      """)
    try mustReturn("cancel()") { operation.cancel() }
    #expect(
      cancellations.value == 0,
      "The work had called finish when it was cancelled: nothing to stop, so don't call onCancel."
    )
    goOn.open()
    expectDrained(queue)
  }

  @Test func `no thread has to wait for onCancel`() throws {
    let goOn = Gate("onCancel returns")
    let work = Timeline()
    let job = CancellableJob("job", on: work) { [timeline] _ in
      timeline.visit("onCancel", until: goOn)
    }
    let queue = try queue([job])
    eventually("Its queue never started the work.") { work.isInside("job") }
    let cancelling = TestThread("cancel()") { job.operation.cancel() }
    eventually("It was cancelled while it worked, and onCancel wasn't called.") {
      goOn.waiting == 1
    }
    _ = TestThread("another thread") { [timeline] in
      timeline.visit("another thread") {
        _ = (job.operation.isExecuting, job.operation.isFinished)
        job.endIfBegun()
      }
    }
    let isFree = timeline.expect(
      """
      onCancel        ├──────────────…
      another thread       ├────┤
      """,
      """
      onCancel takes its time, as it may while a request confirms its cancellation. Meanwhile \
      another thread reads the operation's state and calls finish. It must not block, and it did: \
      onCancel was called while a lock was held or a queue occupied.
      """)
    if isFree {
      #expect(
        job.operation.isFinished,
        "The work called finish while onCancel was being called, and the operation isn't finished.")
    }
    goOn.open()
    try cancelling.result()
    expectDrained(queue)
  }

  @Test func `cancelled while it works, another start doesn't end it`() throws {
    let job = CancellableJob("job", on: timeline)
    try mustReturn("start()") { job.operation.start() }
    try job.cancel()
    try mustReturn("start()") { job.operation.start() }
    #expect(
      job.operation.isExecuting && !job.operation.isFinished,
      """
      It was started, then cancelled, and start() was called once more. The work still goes on, \
      and the operation is over: only a start of a waiting operation may finish it.
      """)
    try job.end()
    #expect(
      job.operation.isFinished && timeline.entries(of: "job") == 1,
      timeline.showing("The work has called finish: it must be finished, and have worked once."))
  }

  @Test func `cancelled after its end, nothing is passed on`() throws {
    let job = CancellableJob("job", on: timeline)
    try mustReturn("start()") { job.operation.start() }
    try job.end()
    try job.cancel()
    #expect(
      job.cancellations.isEmpty,
      "It was finished when it was cancelled: there is nothing to stop, so don't call onCancel.")
  }

  // MARK: - Many threads

  @Test func `cancelled by several threads at once, it is passed on once`() throws {
    let job = CancellableJob("job", on: timeline)
    try TestThread.race("cancel() by thread", threads: 4) { _ in job.operation.cancel() }
    #expect(
      job.cancellations.count == 1,
      "Four threads called cancel() at once: onCancel must be called once.")
  }

  @Test func `cancelled at the moment of its start, it either works or finishes`() throws {
    for _ in 1...4 {
      let begun = SharedCounter()
      let operation = CancellableOperation { finish in
        begun.increment()
        finish()
      }
      try TestThread.race("thread", threads: 2) { thread in
        if thread == 0 { operation.start() } else { operation.cancel() }
      }
      #expect(
        operation.isFinished && !operation.isExecuting && begun.value <= 1,
        """
        It was started and cancelled at the same moment. Whichever came first, it must finish, and \
        work once at most.
        """)
    }
  }

  // canceller     starter
  // cancels
  //               starts it: only a lock of the answer orders the two
  @Test func `cancelled by one thread and started by another, it never works`() throws {
    let begun = SharedCounter()
    let operation = CancellableOperation { _ in begun.increment() }
    try RelaxedRendezvous.meet("cancel(), then start()") {
      operation.cancel()
    } _: {
      operation.start()
    }
    #expect(
      begun.value == 0 && operation.isFinished,
      "One thread had cancelled it when another started it: it must finish without its work.")
  }

  // starter       canceller
  // starts it
  //               cancels: only a lock of the answer orders the two
  @Test func `started by one thread and cancelled by another, it works on`() throws {
    let begun = SharedCounter()
    let operation = CancellableOperation { _ in begun.increment() }
    try RelaxedRendezvous.meet("start(), then cancel()") {
      operation.start()
    } _: {
      operation.cancel()
    }
    #expect(
      begun.value == 1 && operation.isExecuting && operation.isCancelled,
      "It was working when another thread cancelled it: it must be cancelled, and work on.")
  }

  @Test func `in random scripts cancelled operations keep their promises`() {
    playScripts(of: LifeOfCancelledOperations.self, scripts: 8, moves: 10)
  }
}
