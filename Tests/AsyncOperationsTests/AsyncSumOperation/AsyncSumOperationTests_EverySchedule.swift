import Dispatch
import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension AsyncSumOperationTests {
  // MARK: - Every schedule

  @Test func `in every schedule it ends once, and with its final result`() {
    let start = SumCall("start()") {
      $0.start()
    } model: {
      $0.start()
    }
    let cancel = SumCall("cancel()") {
      $0.cancel()
    } model: {
      $0.cancel()
    }
    let run = SumCall("the queue runs") {
      $0.run()
    } step: {
      $0.run()
    }
    let result = SumCall("result") {
      $0.result
    } model: {
      $0.readings.result
    }
    // No thread reads after it has cancelled: if that happens while the block runs, it's left open
    // whether the numbers are added.
    let threads = [
      [[start], [run]],
      [[start, run], [result]],
      [[start, run], [result, cancel]],
      [[start, run], [result, result]],
      [[start, run, result], [cancel]],
      [[start], [run], [cancel]],
      [[cancel, start], [run]],
    ]
    let subject = ModelledSubject(
      model: SumModel(), { SumSubject() }, end: { $0.readings.description },
      modelEnd: { $0.readings.description }, tearDown: { $0.tearDown() })
    explore(threads.map { Scenario(subject, threads: $0) })
  }
}

private typealias SumCall = ModelledCall<SumSubject, SumModel>

/// What an operation shows in the end.
private struct SumReadings: CustomStringConvertible {
  var isExecuting = false
  var isFinished = false
  var isCancelled = false
  var result: Int?
  /// The result at each call of the completion block.
  var completions: [Int?] = []

  var description: String {
    // Cancelled after the sum was added, it may say so or not.
    let cancelled = result == nil ? "isCancelled \(isCancelled), " : ""
    return """
      isExecuting \(isExecuting), isFinished \(isFinished), \
      \(cancelled)result \(Self.text(result)), completed with \(completions.map(Self.text))
      """
  }

  private static func text(_ result: Int?) -> String { result.map(String.init) ?? "nil" }
}

/// An operation whose concurrent queue is held until it runs.
private final class SumSubject: Sendable, OpaqueMirror {
  private let held = HeldWorkerQueue()
  private let operation: AsyncSumOperation
  private let completions = LockedValue<[Int?]>([])
  private let hasEnded = DispatchSemaphore(value: 0)

  init() {
    operation = AsyncSumOperation(2, 3, on: held.queue)
    let own = WeakReference(operation)
    operation.completionBlock = { [completions, hasEnded] in
      completions.append(own.value?.result)
      hasEnded.signal()
    }
  }

  var result: Int? { operation.result }

  var readings: SumReadings {
    SumReadings(
      isExecuting: operation.isExecuting, isFinished: operation.isFinished,
      isCancelled: operation.isCancelled, result: result, completions: completions.value)
  }

  func start() { operation.start() }
  func cancel() { operation.cancel() }

  /// Lets the queue run, and waits until the operation has ended.
  func run() {
    held.letGo()
    hasEnded.wait()
  }

  func tearDown() {
    held.letGo()
    hasEnded.signal()
  }
}

private struct SumModel {
  private(set) var readings = SumReadings()

  mutating func start() {
    if readings.isCancelled {
      end()
    } else {
      readings.isExecuting = true
    }
  }

  mutating func cancel() { if !readings.isFinished { readings.isCancelled = true } }

  mutating func run() -> ModelStep<Void> {
    guard readings.isExecuting || readings.isFinished else { return .waits }
    if !readings.isFinished { end() }
    return .returns
  }

  private mutating func end() {
    readings.isExecuting = false
    readings.isFinished = true
    readings.result = readings.isCancelled ? nil : 5
    readings.completions.append(readings.result)
  }
}
