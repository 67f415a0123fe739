import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// Proves that the operation lasts as long as its task and holds no thread meanwhile, that it ends with the
/// task's result, and that cancellation goes both ways.
@Suite(.serialized, .kata) struct TaskOperationTests {
  // MARK: - The work and its result

  @Test func `it ends with what its work returns`() throws {
    let calls = Counter()
    let operation = TaskOperation { calls.increment() }
    start(operation)
    expectEnd(of: operation)
    #expect(
      calls.value == 1,
      """
      It is finished, and its work was called \(calls.value) times. main() has to call it once, in \
      a task: an `async` function can only run in one.
      """)
    #expect(
      value(operation.result) == 1,
      "Its work has returned 1, and it has \(text(operation.result)).")
  }

  // whoever starts it     the task
  // start                 begins
  // must return           waits for a reply, on no thread
  //                       returns
  //                       finish
  @Test func `it goes on until its work has ended, without a thread`() throws {
    let work = WaitingWork()
    defer { work.reply.open() }
    let operation = work.operation()
    start(operation, until: work)
    runUntilQuiet()
    #expect(
      operation.isExecuting && !operation.isFinished && operation.result == nil,
      """
      Its work still waits for a reply, and it says that it is finished or has a result: only the \
      task may call finish(), when the work has ended.
      """)
    work.reply.open()
    expectEnd(of: operation)
    #expect(
      value(operation.result) == 42,
      "Its work has returned 42, and it has \(text(operation.result)).")
  }

  // whoever starts it     the task
  // start                 begins
  // lets go of it         waits for a reply
  //                       returns
  //                       finish
  @Test func `nobody has to keep it while its work goes on`() throws {
    let (work, ends) = (WaitingWork(), Counter())
    defer { work.reply.open() }
    startAndLetGo(work, ends)
    eventually("It was started, and its work never begins.") { work.begun.value == 1 }
    runUntilQuiet()
    work.reply.open()
    eventually(
      """
      It was started and everybody let go of it; its work has ended, and its completion block is never \
      called. An operation that works must come to its end: let the task keep it. A task that has ended \
      keeps nothing.
      """
    ) { ends.value > 0 }
  }

  private func startAndLetGo(_ work: WaitingWork, _ ends: Counter) {
    let operation = work.operation()
    operation.completionBlock = { ends.increment() }
    start(operation)
  }

  // whoever starts it     the task
  // start                 runs the first lines of the work
  @Test func `its work runs on another thread than its start`() throws {
    let (starter, onStartingThread) = (ThreadMark(), Counter())
    let operation = TaskOperation {
      if starter.isCurrent { onStartingThread.increment() }
      return 42
    }
    try mustReturn("start()") {
      starter.note()
      operation.start()
    }
    expectEnd(of: operation)
    #expect(
      onStartingThread.value == 0,
      """
      The first lines of its work ran on the thread that started it, which has other operations to \
      start: make a task that begins elsewhere.
      """)
  }

  @Test func `an error keeps its type`() throws {
    let calls = Counter()
    let operation = TaskOperation<Int> {
      calls.increment()
      throw TaskFault(number: 7)
    }
    start(operation)
    expectEnd(of: operation)
    #expect(
      error(operation.result) as? TaskFault == TaskFault(number: 7),
      """
      Its work has thrown TaskFault(number: 7), and it has \(text(operation.result)). Whoever \
      looks at the result must find that very error.
      """)
    #expect(
      !operation.isCancelled,
      "Its work has failed, and it says that it was cancelled: that's another thing.")
    #expect(
      calls.value == 1,
      "Its work was called \(calls.value) times. It has thrown, and that's its result.")
  }

  @Test(arguments: OthersCancellation.allCases)
  func `another's cancellation is an error like any other`(what: OthersCancellation) {
    let operation = TaskOperation<Int> { throw what.error }
    start(operation)
    expectEnd(of: operation)
    #expect(
      error(operation.result).map(what.isIn) == true,
      """
      Its work has thrown \(what.error), for \(what.rawValue). That is its result, and here it has \
      \(text(operation.result)): keep the error that was thrown.
      """)
    #expect(
      !operation.isCancelled,
      """
      Its work has thrown \(what.error), for \(what.rawValue); and the operation says that it was \
      cancelled itself. Call super.cancel() for CancellationError alone, whatever other errors say.
      """)
  }

  @Test(.observesKVO) func `who hears that it is finished finds the result`() throws {
    let operation = TaskOperation { 42 }
    let found = Counter()
    let probe = KVOProbe(operation) {
      if $0 == .did(.isFinished), operation.result != nil { found.increment() }
    }
    start(operation)
    expectEnd(of: operation)
    runUntilQuiet()
    withExtendedLifetime(probe) {}
    #expect(
      found.value == 1,
      """
      It announced that it was finished, and had no result at that moment. Dependents start there \
      and then: store the result first and call finish() last.
      """)
  }

  @Test func `a dependent waits for the work`() throws {
    let (work, timeline) = (WaitingWork(), Timeline())
    defer { work.reply.open() }
    let operation = work.operation { reply in
      timeline.enter("the work")
      await reply.wait()
      timeline.leave("the work")
    }
    let begun = Counter()
    let dependent = BlockOperation {
      timeline.visit("dependent") { if operation.result != nil { begun.increment() } }
    }
    dependent.addDependency(operation)
    let (queue, other) = (OperationQueue(), OperationQueue())
    queue.addOperation(operation)
    other.addOperation(dependent)
    guard eventually("It was started, and its work never begins.", until: { work.begun.value == 1 })
    else { return }
    let early = "Its work hasn't ended, and its queue or its dependent takes it for finished."
    timeline.expect("the work  ├────…", early)
    #expect(queue.operationCount == 1, timeline.showing(early))
    work.reply.open()
    timeline.expect(
      """
      the work   ├────┤
      dependent            ├────┤
      """, "Its work has ended, and its dependent never begins.")
    #expect(begun.value == 1, "Its dependent found no result.")
  }

  @Test func `its work has the priority that was asked for`() throws {
    let operation = TaskOperation(priority: .utility) { Int(Task.currentPriority.rawValue) }
    start(operation)
    expectEnd(of: operation)
    let asked = Int(TaskPriority.utility.rawValue)
    #expect(
      value(operation.result) == asked,
      "Asked for the priority \(asked) (utility), its work ran with \(text(operation.result)).")

    let usual = TaskOperation { Int(Task.currentPriority.rawValue) }
    let plain = Locked<[Int]>([])
    try mustReturn("start()") {
      Task { plain.append(Int(Task.currentPriority.rawValue)) }
      usual.start()
    }
    expectEnd(of: usual)
    eventually("A task of the spec's own never ran.") { plain.value.first != nil }
    #expect(
      value(usual.result) == plain.value.first,
      """
      Asked for no priority, its work ran with \(text(usual.result)). A task that is made with \
      none runs with \(plain.value.first ?? 0): hand nil on.
      """)
  }

  // MARK: - Many

  @Test func `more are under way than there are threads`() throws {
    let count = 160 + 4 * ProcessInfo.processInfo.activeProcessorCount
    let (begun, reply) = (Counter(), TaskGate())
    let operations = (0..<count).map { number in
      TaskOperation {
        begun.increment()
        await reply.wait()
        return number
      }
    }
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = count
    defer {
      queue.cancelAllOperations()
      reply.open()
    }
    queue.addOperations(operations, waitUntilFinished: false)
    let allHaveBegun = eventually(
      """
      \(count) operations wait for a reply, and only \(begun.value) have begun: the others have no \
      thread. Nobody may wait on a thread for a task, neither in main() nor elsewhere.
      """
    ) { begun.value == count }
    guard allHaveBegun else { return }
    #expect(
      processThreadCount().map { $0 < count } ?? true,
      """
      \(count) operations wait for a reply, and the process has \(processThreadCount() ?? 0) \
      threads. A task that waits needs none; who else does?
      """)

    reply.open()
    for operation in operations { expectEnd(of: operation) }
    let wrong = operations.indices.filter { value(operations[$0].result) != $0 }
    #expect(
      wrong.isEmpty,
      """
      \(wrong.count) of \(count) have a wrong result: for example, number \(wrong.first ?? 0) has \
      \(text(wrong.first.flatMap { operations[$0].result })).
      """)
  }

  // MARK: - Cancelled from outside

  @Test func `cancelled before its start, it never works`() throws {
    let calls = Counter()
    let operation = TaskOperation { calls.increment() }
    operation.cancel()
    let queue = OperationQueue()
    queue.addOperation(operation)
    expectEnd(of: operation, "The base class ends an operation that is cancelled before its start.")
    runUntilQuiet()
    #expect(
      calls.value == 0,
      "It was cancelled before its start, and its work was called: make the task in main().")
    #expect(
      operation.result == nil,
      """
      It was cancelled before its start, and it has \(text(operation.result)). Its work has neither \
      returned nor thrown anything: let the work's end alone store a result.
      """)
  }

  // the task                    whoever cancels
  // waits for a reply
  //                             cancel()
  // sees that it's cancelled
  // throws CancellationError
  @Test func `cancel cancels its task`() throws {
    let work = WaitingWork()
    defer { work.reply.open() }
    let operation = work.operation { try await $0.waitUnlessCancelled() }
    start(operation, until: work)
    try mustReturn("cancel()") { operation.cancel() }
    #expect(operation.isCancelled, "cancel() has returned, and isCancelled is false: call super.")
    expectEnd(
      of: operation,
      "It was cancelled, and its work waits on: cancel() must cancel the task, which tells the work."
    )
    #expect(
      error(operation.result) is CancellationError,
      "Its work has thrown CancellationError, and it has \(text(operation.result)).")
  }

  @Test func `cancelled, it goes on until its work has ended`() throws {
    let work = WaitingWork()
    defer { work.reply.open() }
    let operation = work.operation()
    start(operation, until: work)
    try mustReturn("cancel()") { operation.cancel() }
    runUntilQuiet()
    #expect(
      operation.isExecuting && !operation.isFinished && operation.result == nil,
      """
      It was cancelled, and its work, which takes no notice, still runs; and the operation says \
      that it is over, or has a result. Dependents would start beside it: only the task may call \
      finish().
      """)
    work.reply.open()
    expectEnd(of: operation)
    #expect(
      value(operation.result) == 42 && operation.isCancelled,
      """
      It was cancelled, and its work returned 42 all the same; it has \(text(operation.result)). \
      What the work has returned is its result, cancelled or not.
      """)
  }

  // the task                    whoever cancels
  // waits for a reply
  //                             cancel()
  // sees that it's cancelled
  // throws an error of its own
  @Test func `cancelled, its work may throw an error of its own`() throws {
    let work = WaitingWork()
    defer { work.reply.open() }
    let operation = work.operation { reply in
      do { try await reply.waitUnlessCancelled() } catch { throw TaskFault(number: 7) }
    }
    start(operation, until: work)
    try mustReturn("cancel()") { operation.cancel() }
    expectEnd(of: operation)
    #expect(
      error(operation.result) as? TaskFault == TaskFault(number: 7) && operation.isCancelled,
      """
      It was cancelled, and its work ended by TaskFault(number: 7), which may say what is left to \
      clean up; it has \(text(operation.result)). Keep what the work has thrown, cancelled or not.
      """)
  }

  // whoever starts it       whoever cancels
  // executing
  //                         cancel(): there's no task yet
  // makes the task
  // returns; the task begins
  @Test(.observesKVO) func `cancelled at the moment of its start, its task is cancelled`() throws {
    let reply = TaskGate()
    defer { reply.open() }
    let calls = Counter()
    let operation = TaskOperation {
      calls.increment()
      try await reply.waitUnlessCancelled()
      return 42
    }
    let probe = KVOProbe(operation) { announcement in
      if announcement == .did(.isExecuting), !operation.isCancelled { operation.cancel() }
    }
    // Its task can't begin before it has been cancelled.
    let taskThreads = KeptTaskThreads()
    start(operation)
    taskThreads.release()
    expectEnd(
      of: operation,
      """
      It was cancelled when it had started and its task wasn't made yet. Nobody will cancel the \
      task later: look at isCancelled when you have stored it.
      """)
    withExtendedLifetime(probe) {}
    #expect(
      value(operation.result) == nil,
      "It was cancelled before its task was made, and its work ran as if it hadn't been.")
    #expect(
      calls.value == 1,
      """
      It was cancelled when it had started, and its work was called \(calls.value) times. What has \
      started is the work's to end: call it, in a task that is cancelled.
      """)
  }

  @Test func `a cancellation handler may ask the operation`() throws {
    let (work, asked) = (WaitingWork(), Counter())
    let own = Locked<WeakReference<TaskOperation<Int>>?>(nil)
    defer { work.reply.open() }
    let operation = work.operation { reply in
      try await reply.waitUnlessCancelled {
        guard let operation = own.value?.value else { return }
        if operation.result == nil, operation.isCancelled { asked.increment() }
      }
    }
    own.set(WeakReference(operation))
    start(operation, until: work)
    runUntilQuiet()
    try mustReturn(
      "cancel()",
      """
      A cancellation handler of the work asked for the result, and waits for a lock that you hold: \
      take the task out under the lock, and cancel it without.
      """
    ) { operation.cancel() }
    expectEnd(of: operation)
    #expect(
      asked.value == 1, "Inside the handler, isCancelled was false: call super.cancel() first.")
  }

  // MARK: - Cancelled from inside

  @Test(.observesKVO) func `work that ends by CancellationError leaves it cancelled`() throws {
    let operation = TaskOperation<Int> { throw CancellationError() }
    let cancelledAtTheEnd = Counter()
    let probe = KVOProbe(operation) {
      if $0 == .did(.isFinished), operation.isCancelled { cancelledAtTheEnd.increment() }
    }
    start(operation)
    expectEnd(of: operation)
    runUntilQuiet()
    withExtendedLifetime(probe) {}
    #expect(
      operation.isCancelled && cancelledAtTheEnd.value == 1,
      """
      Its work has ended by CancellationError, and whoever heard of the end found isCancelled \
      false: call super.cancel() before you call finish().
      """)
    #expect(
      error(operation.result) is CancellationError,
      "Its work has thrown CancellationError, and it has \(text(operation.result)).")
  }

  @Test func `work that cancels its own task may fail with an error of its own`() throws {
    let operation = TaskOperation<Int> {
      withUnsafeCurrentTask { $0?.cancel() }
      throw TaskFault(number: 7)
    }
    start(operation)
    expectEnd(of: operation)
    #expect(
      error(operation.result) as? TaskFault == TaskFault(number: 7),
      """
      Its work has cancelled its own task and then thrown TaskFault(number: 7), and it has \
      \(text(operation.result)). Whoever looks at the result must find that very error.
      """)
    #expect(
      !operation.isCancelled,
      """
      Its work has cancelled its own task and then failed with another error than CancellationError; and \
      the operation says that it was cancelled. Go by the error alone, and not by Task.isCancelled.
      """)
  }

  // MARK: - Many threads

  // the task                another thread
  // stores the result
  // begins to announce it   reads the result: nothing but a lock of the answer's orders the two
  // goes on
  @Test(.observesKVO) func `its result may be read while it finishes`() throws {
    let work = WaitingWork()
    defer { work.reply.open() }
    let operation = work.operation()
    let meeting = RelaxedRendezvous()
    let probe = KVOProbe(operation) {
      if $0 == .did(.isExecuting), operation.isFinished { meeting.changed() }
    }
    let reader = meeting.looker("result") { _ = operation.result }
    start(operation)
    work.reply.open()
    try reader.result(timersInPlay: true)
    eventually("The operation never finishes.", timersInPlay: true) { operation.isFinished }
    withExtendedLifetime(probe) {}
    #expect(
      value(operation.result) == 42,
      "Its work has returned 42, and it has \(text(operation.result)).")
  }
}
