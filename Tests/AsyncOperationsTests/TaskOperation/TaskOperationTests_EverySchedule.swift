import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension TaskOperationTests {
  // MARK: - Every schedule

  @Test func `in every schedule a cancellation reaches the work, whenever it comes`() {
    let start = ScriptedCall("start()") {
      $0.operation.start()
    } model: {
      $0.start()
    }
    let cancel = ScriptedCall("cancel()") {
      $0.operation.cancel()
    } model: {
      $0.cancel()
    }
    let threads = [
      [[start], [cancel]],
      [[start], [cancel], [cancel]],
      [[start, cancel], [cancel]],
      [[cancel, start], [cancel]],
    ]
    let subject = ModelledSubject(
      model: TaskModel(), { ScriptedTask() }, end: { $0.readings.description },
      modelEnd: { $0.readings.description }, tearDown: { $0.reply.open() })
    explore(threads.map { Scenario(subject, threads: $0) })
  }
}

private typealias ScriptedCall = ModelledCall<ScriptedTask, TaskModel>

/// What an operation shows in the end.
private struct TaskReadings: CustomStringConvertible {
  var isExecuting = false
  var isFinished = false
  var isCancelled = false
  var result = "nil"
  /// The result at each call of the completion block.
  var completions: [String] = []

  var description: String {
    """
    isExecuting \(isExecuting), isFinished \(isFinished), isCancelled \(isCancelled), \
    result \(result), completed with \(completions)
    """
  }
}

/// An operation whose work ends when its task is cancelled, and not before.
private final class ScriptedTask: Sendable, OpaqueMirror {
  let operation: TaskOperation<Int>
  let reply = TaskGate()
  private let completions = LockedValue<[String]>([])

  init() {
    operation = TaskOperation { [reply] in
      try await reply.waitUnlessCancelled()
      return 42
    }
    let own = WeakReference(operation)
    operation.completionBlock = { [completions] in
      completions.append(Self.name(of: own.value?.result))
    }
  }

  var readings: TaskReadings {
    TaskReadings(
      isExecuting: operation.isExecuting, isFinished: operation.isFinished,
      isCancelled: operation.isCancelled, result: Self.name(of: operation.result),
      completions: completions.value)
  }

  private static func name(of result: Result<Int, any Error>?) -> String {
    switch result {
    case nil: "nil"
    case .success(let value): "\(value)"
    case .failure(let error): error is CancellationError ? "CancellationError" : "another error"
    }
  }
}

private struct TaskModel {
  private(set) var readings = TaskReadings()

  mutating func start() {
    if readings.isCancelled { end("nil") } else { readings.isExecuting = true }
  }

  mutating func cancel() {
    guard !readings.isFinished else { return }
    readings.isCancelled = true
    if readings.isExecuting { end("CancellationError") }
  }

  private mutating func end(_ result: String) {
    readings.isExecuting = false
    readings.isFinished = true
    readings.result = result
    readings.completions.append(result)
  }
}
