import Foundation
import KataTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// What goes wrong in a task's work, to be recognised in its result.
struct TaskFault: Error, Equatable {
  let number: Int
}

/// An error which says that something was cancelled, though nobody has cancelled the operation.
enum OthersCancellation: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case request = "a request of its own was cancelled"
  case user = "a person has answered a question of the work's with Cancel"
  case call = "a system call was interrupted"
  case order = "an order was cancelled that the work was about"

  /// An error of somebody's own that is called like that of tasks.
  private struct CancellationError: Error {}

  /// What was cancelled, in words.
  var story: String { rawValue }
  /// The story.
  var testDescription: String { rawValue }

  /// The error itself.
  var error: any Error {
    switch self {
    case .request: URLError(.cancelled)
    case .user: CocoaError(.userCancelled)
    case .call: POSIXError(.ECANCELED)
    case .order: CancellationError()
    }
  }

  /// Whether `error` is that error.
  func isIn(_ error: any Error) -> Bool {
    switch self {
    case .request: (error as? URLError)?.code == .cancelled
    case .user: (error as? CocoaError)?.code == .userCancelled
    case .call: (error as? POSIXError)?.code == .ECANCELED
    case .order: error is CancellationError
    }
  }
}

/// A gate at which tasks wait without holding a thread.
final class TaskGate: Sendable, OpaqueMirror {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var state = State()
  private let lock = NSLock()

  /// Lets every task through, now and later.
  func open() {
    let waiting = lock.withLock {
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the gate is open, whether the task is cancelled or not.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = lock.withLock {
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Waits until the gate is open, or opens it when the task is cancelled, and throws then.
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

/// The priorities that tasks ran with.
final class TaskPriorities: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var seen: [Int] = []
  private let lock = NSLock()

  func add(_ priority: TaskPriority) { lock.withLock { seen.append(Int(priority.rawValue)) } }
  var first: Int? { lock.withLock { seen.first } }
}

/// The threads that tasks run on, kept until `release`: a task that's made meanwhile hasn't begun.
struct KeptTaskThreads {
  private let gate = Gate("release the threads of tasks")

  init() {
    let count = ProcessInfo.processInfo.activeProcessorCount
    // As the operation's task is made: where there are threads for each priority, on the same ones.
    _ = TestThread("whoever makes tasks") { [gate] in
      for _ in 0..<count { Task { gate.wait() } }
    }
    // No longer than that: after a while Dispatch would add a thread.
    eventually("Tasks have no threads to run on.", timersInPlay: true) { gate.waiting == count }
  }

  func release() { gate.open() }
}

/// An operation for its own work to ask.
final class TaskOwner: Sendable, OpaqueMirror {
  // Safe: set once, before the operation starts.
  nonisolated(unsafe) weak var operation: TaskOperation<Int>?
}

// MARK: - Moves

extension TaskOperationTests {
  /// Starts an operation by hand, on a thread that it must give back.
  func start<Success>(
    _ operation: TaskOperation<Success>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let starter = TestThread("start()") { operation.start() }
    eventually(
      """
      start() never returns: main() waits for the task on a thread. It must make the task and \
      return; the task itself calls finish() when the work has ended.
      """,
      sourceLocation: sourceLocation
    ) { starter.hasReturned }
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

  /// A result in words.
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
