import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// An error of a task's work, to be recognised in its result.
struct TaskFault: Error, Equatable {
  let number: Int
}

/// A gate at which tasks wait without holding a thread.
final class TaskGate: Sendable, OpaqueMirror {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = LockedValue(State())

  /// Lets every task through, those to come too.
  func open() {
    let waiting = state.withLock { state in
      defer { state = State(isOpen: true) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the gate is open, whether the task is cancelled or not.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Waits until the gate is open or the task is cancelled; then opens the gate and throws.
  func waitUnlessCancelled(
    onCancel: @escaping @Sendable () -> Void = {}
  ) async throws {
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      onCancel()
      open()
    }
    try Task.checkCancellation()
  }
}

/// Occupies the threads that tasks run on until `release`: a task that's created meanwhile doesn't
/// begin.
struct KeptTaskThreads {
  private let gate = Gate("release the threads of tasks")

  init() {
    let count = ProcessInfo.processInfo.activeProcessorCount
    // Created like the operation's task: if each priority has threads of its own, these are the
    // same.
    _ = TestThread("maker of tasks") { [gate] in
      for _ in 0..<count { Task { gate.wait() } }
    }
    // Only briefly: after a while Dispatch would add a thread.
    eventually("Tasks have no threads to run on.", timersInPlay: true) { gate.waiting == count }
  }

  func release() { gate.open() }
}

/// Work that waits for a reply, and returns 42 when it has arrived.
struct WaitingWork: Sendable {
  let begun = SharedCounter()
  let reply = TaskGate()

  /// An operation that does this work; `waiting` is how it waits.
  func operation(
    waiting: @escaping @Sendable (TaskGate) async throws -> Void = { await $0.wait() }
  ) -> TaskOperation<Int> {
    TaskOperation { [begun, reply] in
      begun.increment()
      try await waiting(reply)
      return 42
    }
  }
}

// MARK: - Moves

extension TaskOperationTests {
  /// Starts an operation by hand, on a thread that must not be held.
  func start<Success>(
    _ operation: TaskOperation<Success>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let starter = TestThread("start()") { operation.start() }
    eventually(
      """
      start() never returns: main() waits for the task on a thread. It must create the task and \
      return; the task itself calls finish() when the work has ended.
      """,
      sourceLocation: sourceLocation
    ) { starter.hasReturned }
  }

  /// Starts an operation, and waits until its `work` has begun.
  func start<Success>(
    _ operation: TaskOperation<Success>, until work: WaitingWork,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    start(operation, sourceLocation: sourceLocation)
    eventually("It was started, but its work never begins.", sourceLocation: sourceLocation) {
      work.begun.value == 1
    }
  }

  func expectEnd<Success>(
    of operation: TaskOperation<Success>,
    _ sentence: String = "Its work has ended: the task must call finish() on every path.",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually("The operation never finishes. \(sentence)", sourceLocation: sourceLocation) {
      operation.isFinished
    }
  }

  /// A result, in words.
  func text(_ result: Result<Int, any Error>?) -> String {
    switch result {
    case nil: "no result"
    case .success(let value): "the value \(value)"
    case .failure(let error): "the error \(error)"
    }
  }

  /// The value in a result.
  func value(_ result: Result<Int, any Error>?) -> Int? { try? result?.get() }

  /// The error in a result.
  func error(_ result: Result<Int, any Error>?) -> (any Error)? {
    if case .failure(let error) = result { error } else { nil }
  }
}
