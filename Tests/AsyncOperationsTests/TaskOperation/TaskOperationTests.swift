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
    let calls = SharedCounter()
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
    let (work, ends) = (WaitingWork(), SharedCounter())
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

  func startAndLetGo(_ work: WaitingWork, _ ends: SharedCounter) {
    let operation = work.operation()
    operation.completionBlock = { ends.increment() }
    start(operation)
  }

  // whoever starts it     the task
  // start                 runs the first lines of the work
  @Test func `its work runs on another thread than its start`() throws {
    let (starter, onStartingThread) = (ThreadMark(), SharedCounter())
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
    let calls = SharedCounter()
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
    let found = SharedCounter()
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
    let begun = SharedCounter()
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
    let plain = LockedValue<[Int]>([])
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
}
