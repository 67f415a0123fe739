import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// Proves that the operation lasts as long as its task and holds no thread meanwhile.
///
/// It ends with the task's result, and a cancellation goes both ways.
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
      It is finished, and its work was called \(calls.value) times. main() must call it once, in a \
      task: only a task can run an `async` function.
      """)
    #expect(
      value(operation.result) == 1,
      "Its work has returned 1, but it has \(text(operation.result)).")
  }

  // starting thread       the task
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
      Its work still waits for a reply, but it is finished or has a result: only the task may call \
      finish(), when the work has ended.
      """)
    work.reply.open()
    expectEnd(of: operation)
    #expect(
      value(operation.result) == 42,
      "Its work has returned 42, but it has \(text(operation.result)).")
  }

  // starting thread       the task
  // start                 begins
  // releases it           waits for a reply
  //                       returns
  //                       finish
  @Test func `it ends even if nothing else retains it`() throws {
    let (work, ends) = (WaitingWork(), SharedCounter())
    defer { work.reply.open() }
    startAndLetGo(work, ends)
    eventually("It was started, but its work never begins.") { work.begun.value == 1 }
    runUntilQuiet()
    work.reply.open()
    eventually(
      """
      It was started, and nothing else retains it; its work has ended, but its completion block is \
      never called. The task must retain the operation until then. A task that has ended retains \
      nothing.
      """
    ) { ends.value > 0 }
  }

  func startAndLetGo(_ work: WaitingWork, _ ends: SharedCounter) {
    let operation = work.operation()
    operation.completionBlock = { ends.increment() }
    start(operation)
  }

  // starting thread       the task
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
      start. Create a task that begins on another thread.
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
      Its work has thrown TaskFault(number: 7), but it has \(text(operation.result)). The result \
      must be that very error.
      """)
    #expect(
      !operation.isCancelled,
      "Its work has failed, so isCancelled must be false, but it is true.")
    #expect(
      calls.value == 1,
      "Its work was called \(calls.value) times. It has thrown: that is its result.")
  }

  @Test(arguments: OthersCancellation.allCases)
  func `another's cancellation is an error like any other`(what: OthersCancellation) {
    let operation = TaskOperation<Int> { throw what.error }
    start(operation)
    expectEnd(of: operation)
    #expect(
      error(operation.result).map(what.isIn) == true,
      """
      Its work has thrown \(what.error), because \(what.rawValue). That must be its result, but it \
      has \(text(operation.result)): keep the error that was thrown.
      """)
    #expect(
      !operation.isCancelled,
      """
      Its work has thrown \(what.error), because \(what.rawValue), but the operation counts as \
      cancelled. Call super.cancel() for CancellationError alone, and for no other error.
      """)
  }

  @Test(.observesKVO) func `an observer of its end finds the result`() throws {
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
      It announced that it was finished, but had no result at that moment. Dependents may start \
      then: store the result first and call finish() last.
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
    guard eventually("It was started, but its work never begins.", until: { work.begun.value == 1 })
    else { return }
    let early = "Its work hasn't ended, but its queue or its dependent continues already."
    timeline.expect("the work  ├────…", early)
    #expect(queue.operationCount == 1, timeline.showing(early))
    work.reply.open()
    timeline.expect(
      """
      the work   ├────┤
      dependent            ├────┤
      """, "Its work has ended, but its dependent never begins.")
    #expect(begun.value == 1, "Its dependent found no result.")
  }

  @Test func `its work has the requested priority`() throws {
    let operation = TaskOperation(priority: .utility) { basePriority }
    start(operation)
    expectEnd(of: operation)
    let asked = Int(TaskPriority.utility.rawValue)
    #expect(
      value(operation.result) == asked,
      "It requested priority \(asked) (utility), but ran with \(text(operation.result)).")

    try expectPriorityOfPlainTask("on a thread") { begin in
      try mustReturn("start()") { begin() }
    }
  }

  @Test func `without a priority, its work inherits that of the task that starts it`() throws {
    try expectPriorityOfPlainTask("in a task of low priority") { begin in
      Task(priority: .utility) { begin() }
    }
  }

  private func expectPriorityOfPlainTask(
    _ place: String, run: (_ begin: @escaping @Sendable () -> Void) throws -> Void
  ) throws {
    let operation = TaskOperation { basePriority }
    let plain = LockedValue<[Int]>([])
    try run {
      Task { plain.append(basePriority) }
      operation.start()
    }
    expectEnd(of: operation)
    eventually("A task of the spec's own never ran.") { plain.value.first != nil }
    #expect(
      value(operation.result) == plain.value.first,
      """
      No priority was requested, and it was started \(place): its task has priority \
      \(value(operation.result) ?? 0). A task that is created there without a priority has \
      \(plain.value.first ?? 0): call `Task(priority:)` in main() itself, and pass nil on.
      """)
  }
}

/// The priority of the current task, which stays the same when another one waits for it.
private var basePriority: Int { Int(Task.basePriority?.rawValue ?? 0) }
