import Foundation
import KataTesting
import Testing

extension CancelBeforeStartTests {
  @Test func `in every schedule a cancellation is passed on once, or comes after the end`() {
    let start = CancellableCall("start()") {
      $0.operation.start()
    } model: {
      $0.start()
    }
    // Its result is what its caller finds when it has returned.
    let cancel = CancellableCall("cancel()") {
      $0.cancel()
    } model: {
      $0.cancel()
      return "cancelled or over"
    }
    let finish = CancellableCall("finish") {
      $0.finish()
    } model: {
      $0.finish()
    }
    // No thread makes a call after one of two cancellations: it may return while the other is
    // running.
    let threads = [
      [[start], [cancel]],
      [[start], [cancel], [cancel]],
      [[start, finish], [cancel]],
      [[start], [cancel], [finish]],
      [[cancel, start], [finish]],
      [[start, finish], [cancel], [cancel]],
      [[cancel], [start, cancel]],
    ]
    let subject = ModelledSubject(
      model: CancellableModel(), { CancellableSubject() }, end: { $0.readings.description },
      modelEnd: { $0.readings.description }, tearDown: { $0.tearDown() })
    explore(threads.map { Scenario(subject, threads: $0) })
  }
}

private typealias CancellableCall = ModelledCall<CancellableSubject, CancellableModel>

/// What an operation shows in the end.
private struct CancellableReadings: CustomStringConvertible {
  var isExecuting = false
  var isFinished = false
  var isCancelled = false
  /// How often the work was called.
  var works = 0
  /// For each call of `onCancel` whether the operation was cancelled by then.
  var cancellations: [Bool] = []
  var completions = 0

  var description: String {
    // What `isCancelled` says of an operation that was over before is up to Foundation, and
    // differs.
    let isLeftOpen = isFinished && cancellations.isEmpty
    return """
      isExecuting \(isExecuting), isFinished \(isFinished), \
      \(isLeftOpen ? "" : "isCancelled \(isCancelled), ")work called \(times(works)), \
      completed \(times(completions)), onCancel called while isCancelled was \(cancellations)
      """
  }
}

/// An operation, and a record of what it has called.
private final class CancellableSubject: Sendable {
  let operation: CancellableOperation
  private let finishes = LockedValue<[@Sendable () -> Void]>([])
  /// For each call of `onCancel` whether the operation was cancelled by then, and the thread.
  private let told = LockedValue<[(isCancelled: Bool, thread: ObjectIdentifier)]>([])
  private let completed = SharedCounter()

  init() {
    let own = LockedValue<WeakReference<CancellableOperation>?>(nil)
    operation = CancellableOperation { [told] in
      let isCancelled = own.value?.value?.isCancelled ?? false
      told.append((isCancelled, ObjectIdentifier(Thread.current)))
    } work: { [finishes] finish in
      finishes.append(finish)
    }
    own.set(WeakReference(operation))
    operation.completionBlock = { [completed] in completed.increment() }
  }

  var readings: CancellableReadings {
    CancellableReadings(
      isExecuting: operation.isExecuting, isFinished: operation.isFinished,
      isCancelled: operation.isCancelled, works: finishes.value.count,
      cancellations: told.value.map(\.isCancelled), completions: completed.value)
  }

  /// Cancels the operation, and says whether it's cancelled then.
  func cancel() -> String {
    let (wasFinished, before) = (operation.isFinished, toldHere)
    operation.cancel()
    if wasFinished, toldHere > before { return "called onCancel after the end" }
    return operation.isCancelled || operation.isFinished
      ? "cancelled or over" : "isCancelled was still false"
  }

  /// How often `onCancel` was called on the calling thread.
  private var toldHere: Int {
    told.value.count { $0.thread == ObjectIdentifier(Thread.current) }
  }

  func finish() { finishes.value.first?() }
  func tearDown() { finishes.set([]) }
}

private struct CancellableModel {
  private(set) var readings = CancellableReadings()

  mutating func start() {
    if readings.isCancelled {
      end()
    } else {
      readings.isExecuting = true
      readings.works += 1
    }
  }

  mutating func cancel() {
    guard !readings.isFinished, !readings.isCancelled else { return }
    readings.isCancelled = true
    readings.cancellations.append(true)
  }

  mutating func finish() {
    if readings.isExecuting { end() }
  }

  private mutating func end() {
    readings.isExecuting = false
    readings.isFinished = true
    readings.completions += 1
  }
}
