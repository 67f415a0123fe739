import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension TaskOperationTests {
  // MARK: - Many

  @Test func `more operations execute than there are threads`() throws {
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
      \(count) operations wait for a reply, but only \(begun.value) have begun: the others have no \
      thread. No thread may wait for a task, neither in main() nor elsewhere.
      """
    ) { begun.value == count }
    guard allHaveBegun else { return }
    #expect(
      processThreadCount().map { $0 < count } ?? true,
      """
      \(count) operations wait for a reply, and the process has \(processThreadCount() ?? 0) \
      threads. A task that waits needs no thread: find the code that blocks one.
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
      "It was cancelled before its start, but its work was called: create the task in main().")
    #expect(
      operation.result == nil,
      """
      It was cancelled before its start, but it has \(text(operation.result)). Its work has \
      neither returned nor thrown: store a result only at the end of the work.
      """)
  }

  // the task                    another thread
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
    #expect(operation.isCancelled, "cancel() has returned, but isCancelled is false: call super.")
    expectEnd(
      of: operation,
      "It was cancelled, but its work still waits: cancel() must cancel the task too."
    )
    #expect(
      error(operation.result) is CancellationError,
      "Its work has thrown CancellationError, but it has \(text(operation.result)).")
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
      It was cancelled, and its work, which ignores that, is still running, but the operation is \
      finished or has a result. Dependents would start beside it: only the task may call finish().
      """)
    work.reply.open()
    expectEnd(of: operation)
    #expect(
      value(operation.result) == 42 && operation.isCancelled,
      """
      It was cancelled, but its work still returned 42; it has \(text(operation.result)). Its \
      result is what the work has returned, cancelled or not.
      """)
  }

  @Test func `cancelled after its end, it keeps its result`() throws {
    let ended = TaskOperation { 42 }
    let failed = TaskOperation<Int> { throw TaskFault(number: 7) }
    for operation in [ended, failed] {
      start(operation)
      expectEnd(of: operation)
      try mustReturn("cancel()") { operation.cancel() }
    }
    #expect(
      value(ended.result) == 42 && error(failed.result) as? TaskFault == TaskFault(number: 7),
      """
      Two operations were cancelled after their end. Now one has \(text(ended.result)), after its \
      work had returned 42, and the other has \(text(failed.result)), after its work had thrown \
      TaskFault(number: 7). Their results must stay.
      """)
  }

  // the task                    another thread
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
      It was cancelled, and its work threw TaskFault(number: 7), which may say what is left to \
      clean up; it has \(text(operation.result)). Keep the error that the work has thrown, \
      cancelled or not.
      """)
  }

  // starting thread         another thread
  // executing
  //                         cancel(): there's no task yet
  // creates the task
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
    // Its task can't begin before it was cancelled.
    let taskThreads = KeptTaskThreads()
    start(operation)
    taskThreads.release()
    expectEnd(
      of: operation,
      """
      It was cancelled after its start, before its task was created. No later call will cancel the \
      task: check isCancelled when you have stored it.
      """)
    withExtendedLifetime(probe) {}
    #expect(
      value(operation.result) == nil,
      "It was cancelled before its task was created, but its task wasn't cancelled.")
    #expect(
      calls.value == 1,
      """
      It was cancelled after its start, and its work was called \(calls.value) times. Only the \
      work ends an operation that has started: call it once, in a task that is cancelled.
      """)
  }

  @Test func `a cancellation handler may read the operation`() throws {
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
      A cancellation handler of the work read the result, and waits for a lock that you hold: read \
      the task under the lock, and cancel it without.
      """
    ) { operation.cancel() }
    expectEnd(of: operation)
    #expect(
      asked.value == 1, "Inside the handler, isCancelled was false: call super.cancel() first.")
  }
}
