import Foundation
import KataTesting
import Testing

/// Proves that an operation cancelled before its turn still finishes and never works, that one cancelled
/// later works on until finish is called, and that onCancel is called once, unless the operation is over.
@Suite(.serialized, .kata) struct CancelBeforeStartTests {
  let timeline = Timeline()

  @Test func `started, it works until finish is called`() throws {
    let job = CancellableJob("job", on: timeline)
    try mustReturn("start()") { job.operation.start() }
    #expect(
      timeline.entries(of: "job") == 1,
      "Nobody has cancelled it, so start() must call main(), which calls the work, once.")
    #expect(
      job.operation.isExecuting && !job.operation.isFinished,
      "The work goes on, so the operation must be executing and not finished.")
    try job.end()
    #expect(
      !job.operation.isExecuting && job.operation.isFinished,
      "The work has called finish: the operation must be finished and not executing.")
  }

  @Test func `it says that its work goes on after start`() throws {
    let job = CancellableJob("job", on: timeline)
    #expect(
      job.operation.isAsynchronous,
      "isAsynchronous must be true: the work may go on after start() has returned.")
  }

  @Test func `started a second time, it doesn't work again`() throws {
    let job = CancellableJob("job", on: timeline)
    for _ in 1...2 { try mustReturn("start()") { job.operation.start() } }
    #expect(
      timeline.entries(of: "job") == 1 && job.operation.isExecuting && !job.operation.isFinished,
      timeline.showing(
        """
        start() was called twice; the work must begin once, and go on. Look whether change(from:to:) \
        has made the change before you call main().
        """))
    try job.end()
    try mustReturn("start()") { job.operation.start() }
    #expect(
      timeline.entries(of: "job") == 1 && job.operation.isFinished && !job.operation.isExecuting,
      timeline.showing("It was over when start() was called once more, and it must stay so."))
  }

  @Test(.observesKVO) func `its start and its end are announced, once each`() throws {
    let job = CancellableJob("job", on: timeline)
    let probe = KVOProbe(job.operation)
    try mustReturn("start()") { job.operation.start() }
    #expect(
      probe.notices(of: .will(.isExecuting)).map(\.isExecuting) == [false]
        && probe.notices(of: .did(.isExecuting)).map(\.isExecuting) == [true],
      probe.showing(
        """
        It was started, and must announce "isExecuting" around the change. change(from:to:) does that.
        """))
    try job.end()
    // The work calls finish a second time.
    try mustReturn("finish") { job.endIfBegun() }
    runUntilQuiet()
    let ends = probe.notices(of: .did(.isFinished)).count { $0.isFinished }
    #expect(
      ends == 1 && job.completions == 1,
      probe.showing(
        """
        The work called finish twice. The end must be announced once, and was \(ends) times; it \
        completed \(job.completions) times.
        """))
  }

  // MARK: - What cancel does

  @Test func `cancel is seen at once`() throws {
    let job = CancellableJob("job", on: timeline)
    try job.cancel()
    #expect(
      job.operation.isCancelled,
      """
      cancel() has returned and isCancelled is false, so nobody learns of it, neither start() nor \
      Foundation. An override must call super.cancel().
      """)
    #expect(
      !job.operation.isFinished,
      """
      cancel() has finished an operation that nobody has started. A queue traps when such an \
      operation is added to it. cancel() only asks; start() finishes it when its turn comes.
      """)
  }

  @Test func `cancel is passed on once, on the thread that cancels`() throws {
    let canceller = ThreadMark()
    let toldByCanceller = Locked<[Bool]>([])
    let job = CancellableJob("job", on: timeline) { _ in
      toldByCanceller.append(canceller.isCurrent)
    }
    try mustReturn("cancel()") {
      canceller.note()
      job.operation.cancel()
    }
    #expect(
      toldByCanceller.value == [true],
      """
      cancel() must call onCancel once, on the thread that cancels, before it returns: whoever \
      made the operation may have something to stop. That holds before the start too.
      """)
    #expect(
      job.cancellations.allSatisfy { $0 },
      "Inside onCancel the operation wasn't cancelled yet: call super.cancel() first.")
    try job.cancel()
    #expect(
      job.cancellations.count == 1,
      "cancel() was called a second time, and onCancel too: it must be called once.")
  }

  @Test func `onCancel may call the operation`() throws {
    let calls = Counter()
    let job = CancellableJob("job", on: timeline) { operation in
      _ = (operation.isExecuting, operation.isFinished)
      calls.increment()
      // Once only: an answer that passes on every call would never come back.
      if calls.value == 1 { operation.cancel() }
    }
    try mustReturn(
      "cancel()", "onCancel asks the operation for its state: call it without holding the lock."
    ) { job.operation.cancel() }
    #expect(job.cancellations.count == 1, "onCancel called cancel(), and was called again by it.")
  }

  // MARK: - Cancelled before its start

  @Test func `cancelled and then started, it finishes without its work`() throws {
    let job = CancellableJob("job", on: timeline)
    try job.cancel()
    try mustReturn("start()") { job.operation.start() }
    #expect(
      timeline.entries(of: "job") == 0,
      "It was cancelled before it was started, so start() must not call main().")
    #expect(
      job.operation.isFinished && !job.operation.isExecuting,
      """
      start() was called on a cancelled operation and has left it unfinished. No work will ever \
      call finish for it, so start() must: its queue and its dependents wait for that.
      """)
  }

  @Test func `cancelled before it is added, it finishes in its queue`() throws {
    let job = CancellableJob("job", on: timeline)
    let dependent = CancellableJob("dependent", on: timeline)
    dependent.operation.addDependency(job.operation)
    try job.cancel()
    let queue = try queue([job, dependent], suspended: true)
    expectWaiting(job)
    queue.isSuspended = false
    try expectCancelledEnd(of: job, before: dependent, in: queue)
  }

  // queue        job          dependent
  // suspended    waits        waits
  //              cancelled
  //              must wait    must wait
  // resumed
  //              is finished
  //                           begins
  @Test func `cancelled in a suspended queue, it finishes when the queue goes on`() throws {
    let job = CancellableJob("job", on: timeline)
    let dependent = CancellableJob("dependent", on: timeline)
    dependent.operation.addDependency(job.operation)
    let queue = try queue([job, dependent], suspended: true)
    try job.cancel()
    expectWaiting(job)
    queue.isSuspended = false
    try expectCancelledEnd(of: job, before: dependent, in: queue)
  }

  @Test func `cancelled behind another, it finishes when its turn comes`() throws {
    let first = CancellableJob("first", on: timeline)
    let job = CancellableJob("job", on: timeline)
    let dependent = CancellableJob("dependent", on: timeline)
    dependent.operation.addDependency(job.operation)
    let queue = try queue([first, job, dependent], width: 1)
    eventually("Its queue never started the first operation's work.") {
      timeline.isInside("first")
    }
    try job.cancel()
    expectWaiting(job)
    try first.end()
    try expectCancelledEnd(of: job, before: dependent, in: queue)
  }

  @Test func `cancelled while it waits for a dependency, it leaves its queue`() throws {
    let dependency = CancellableJob("dependency", on: timeline)
    let job = CancellableJob("job", on: timeline)
    let dependent = CancellableJob("dependent", on: timeline)
    job.operation.addDependency(dependency.operation)
    dependent.operation.addDependency(job.operation)
    let queue = try queue([job, dependent])
    runUntilQuiet()
    #expect(timeline.entries(of: "job") == 0, "It began before its dependency was finished.")
    try job.cancel()
    try expectCancelledEnd(of: job, before: dependent, in: queue)
  }

  // canceller     queue
  // super.cancel
  //               starts and finishes it
  // onCancel
  @Test func `cancelled while its queue acts on that at once, it is still passed on`() throws {
    // Who comes first is up to the system, so there are many rounds, each with a thread of its own.
    let dependency = BlockOperation {}
    let queue = OperationQueue()
    for round in 1...40 {
      let job = CancellableJob("job \(round)", on: timeline)
      job.operation.addDependency(dependency)
      queue.addOperation(job.operation)
      try job.cancel()
      try #require(
        job.cancellations.count == 1,
        """
        The queue started and finished the operation as soon as super.cancel() had told Foundation, \
        and cancel() then found it finished and kept quiet. Decide whether there is something to \
        pass on before you call super.cancel().
        """)
    }
  }

  @Test(.observesKVO) func `the end of a cancelled operation is announced`() throws {
    let job = CancellableJob("job", on: timeline)
    let probe = KVOProbe(job.operation)
    try job.cancel()
    #expect(
      probe.notices(of: .did(.isFinished)).isEmpty,
      probe.showing("cancel() announced an end; the operation isn't finished before its start."))
    try mustReturn("start()") { job.operation.start() }
    #expect(
      probe.notices.allSatisfy { !$0.isExecuting },
      probe.showing(
        """
        It was cancelled before its start, and said that it executes when it was started. It must \
        finish at once: look at isCancelled before you change the state.
        """))
    #expect(
      probe.notices(of: .will(.isFinished)).first?.isFinished == false
        && probe.notices(of: .did(.isFinished)).last?.isFinished == true,
      probe.showing(
        """
        start() has finished a cancelled operation, and must announce "isFinished" around the \
        change. change(from:to:) does that.
        """))
  }

  // MARK: - Cancelled later

  @Test func `cancelled while it works, it goes on until finish is called`() throws {
    let job = CancellableJob("job", on: timeline)
    let queue = try queue([job])
    eventually("Its queue never started the work.") { timeline.isInside("job") }
    try job.cancel()
    runUntilQuiet()
    #expect(
      job.operation.isCancelled && job.cancellations.count == 1,
      "cancel() must call super.cancel() and pass it on to onCancel while the work goes on too.")
    #expect(
      job.operation.isExecuting && !job.operation.isFinished,
      """
      It was cancelled while its work was going on, and says that it is over: dependents would \
      start beside work that still runs. Only the work's finish ends it.
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
    let stop = Gate("the work is told to stop")
    let begun = Counter()
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
      The work does all of it before it returns, until onCancel stops it; so cancel() mustn't wait for \
      it. Is a lock held while the work is called?
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
    let cancellations = Counter()
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
      The work has called finish and tidies up before it returns, and the operation says \
      isFinished=\(isFinished), isExecuting=\(isExecuting): what depends on it has to wait for nothing. \
      finish ends it there and then.
      """)
    try mustReturn("cancel()") { operation.cancel() }
    #expect(
      cancellations.value == 0,
      "The work had called finish when it was cancelled: there's nothing to stop, so don't call onCancel."
    )
    goOn.open()
    expectDrained(queue)
  }

  @Test func `nobody has to wait for onCancel`() throws {
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
      onCancel takes its time: many a request answers its cancellation on a queue of its own, and is \
      waited for. That queue asks the operation for its state and calls finish, and was held up: a lock \
      is held, or a queue occupied, while onCancel is called.
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
      It was started, then cancelled, and start() was called once more. The work still goes on, and \
      the operation says that it is over: only a start of one that waits may finish it.
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
      "It was finished when it was cancelled: there is nothing to stop, so onCancel isn't called.")
  }

  // MARK: - Many threads

  @Test func `cancelled by several threads at once, it is passed on once`() throws {
    let job = CancellableJob("job", on: timeline)
    try race("cancel() by thread", threads: 4) { _ in job.operation.cancel() }
    #expect(
      job.cancellations.count == 1,
      "Four threads called cancel() at once: onCancel must be called once.")
  }

  @Test func `cancelled at the moment of its start, it either works or finishes`() throws {
    for _ in 1...4 {
      let begun = Counter()
      let operation = CancellableOperation { finish in
        begun.increment()
        finish()
      }
      try race("thread", threads: 2) { thread in
        if thread == 0 { operation.start() } else { operation.cancel() }
      }
      #expect(
        operation.isFinished && !operation.isExecuting && begun.value <= 1,
        """
        It was started and cancelled at the same moment. Whichever came first, it must come to its \
        end, and work once at most.
        """)
    }
  }

  // canceller     starter
  // cancels
  //               starts it: nothing but a lock of the answer's orders the two
  @Test func `cancelled by one thread and started by another, it never works`() throws {
    let begun = Counter()
    let operation = CancellableOperation { _ in begun.increment() }
    try meet("cancel(), then start()") {
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
  //               cancels: nothing but a lock of the answer's orders the two
  @Test func `started by one thread and cancelled by another, it works on`() throws {
    let begun = Counter()
    let operation = CancellableOperation { _ in begun.increment() }
    try meet("start(), then cancel()") {
      operation.start()
    } _: {
      operation.cancel()
    }
    #expect(
      begun.value == 1 && operation.isExecuting && operation.isCancelled,
      "It was working when another thread cancelled it: it must know, and work on until finish.")
  }

  @Test func `lives of cancelled operations go as their rules say`() {
    playScripts(of: LifeOfCancelledOperations.self, scripts: 8, moves: 10)
  }
}
