import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension TaskOperationTests {
  // MARK: - Cancelled from inside

  @Test(.observesKVO) func `work that throws CancellationError leaves it cancelled`() throws {
    let operation = TaskOperation<Int> { throw CancellationError() }
    let cancelledAtTheEnd = SharedCounter()
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
      Its work has thrown CancellationError, but isCancelled wasn't true when the end was \
      announced: call super.cancel() before you call finish().
      """)
    #expect(
      error(operation.result) is CancellationError,
      "Its work has thrown CancellationError, but it has \(text(operation.result)).")
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
      Its work has cancelled its own task and then thrown TaskFault(number: 7), but it has \
      \(text(operation.result)). The result must be that very error.
      """)
    #expect(
      !operation.isCancelled,
      """
      Its work has cancelled its own task and then thrown another error than CancellationError, \
      but the operation counts as cancelled. Decide by the error alone, and not by Task.isCancelled.
      """)
  }

  // MARK: - Many threads

  // the task                another thread
  // stores the result
  // begins to announce it   reads the result: only a lock in the answer orders the two
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
      "Its work has returned 42, but it has \(text(operation.result)).")
  }
}
