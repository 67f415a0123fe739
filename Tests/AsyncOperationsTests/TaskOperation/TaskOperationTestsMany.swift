import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension TaskOperationTests {
  // MARK: - Many

  @Test func `more are under way than there are threads`() throws {
    let count = 160 + 4 * ProcessInfo.processInfo.activeProcessorCount
    let (begun, reply) = (SharedCounter(), TaskGate())
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
    let calls = SharedCounter()
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
    let calls = SharedCounter()
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
    let (work, asked) = (WaitingWork(), SharedCounter())
    let own = LockedValue<WeakReference<TaskOperation<Int>>?>(nil)
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
}
