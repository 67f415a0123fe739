import AsyncOperations
import Foundation
import KataTesting
import Testing

extension CancelRaceTests {
  @Test func `in every schedule one outcome is reported, and isCancelled says the same`() {
    let start = OneOutcomeCall("start()") {
      $0.operation.start()
      $0.noteEnd()
    } model: {
      $0.start()
    }
    let cancel = OneOutcomeCall("cancel()") {
      $0.operation.cancel()
    } model: {
      $0.cancel()
    }
    let complete = OneOutcomeCall("complete(7)") {
      $0.complete()
    } model: {
      $0.complete()
    }
    // No thread makes a call after one of two cancellations: it may return while the other is
    // running.
    let threads = [
      [[start], [cancel]],
      [[start], [cancel], [cancel]],
      [[start, complete], [cancel]],
      [[start], [cancel], [complete]],
      [[cancel, start], [complete]],
      [[start, complete], [cancel], [cancel]],
    ]
    let subject = ModelledSubject(
      model: OneOutcomeModel(), { OneOutcomeSubject() }, end: { $0.readings.description },
      modelEnd: { $0.readings.description }, tearDown: { $0.tearDown() })
    explore(threads.map { Scenario(subject, threads: $0) })
  }
}

private typealias OneOutcomeCall = ModelledCall<OneOutcomeSubject, OneOutcomeModel>

/// What an operation shows in the end.
private struct OneOutcomeReadings: CustomStringConvertible {
  var isExecuting = false
  var isFinished = false
  var isCancelled = false
  var outcome = "open"
  /// Every outcome that was reported.
  var reports: [String] = []
  /// How often the work was called.
  var works = 0
  var completions = 0
  /// How often it was finished before it had an outcome.
  var earlyEnds = 0

  var description: String {
    // Cancelled after another outcome, it may say so or not.
    let isLeftOpen = outcome.hasPrefix("completed")
    return """
      isExecuting \(isExecuting), isFinished \(isFinished), \
      \(isLeftOpen ? "" : "isCancelled \(isCancelled), ")outcome \(outcome), \
      work called \(times(works)), completed \(times(completions)), reported \(reports)\
      \(earlyEnds == 0 ? "" : ", and finished without an outcome \(times(earlyEnds))")
      """
  }
}

/// An operation, and a record of what it has called.
private final class OneOutcomeSubject: Sendable {
  let operation: OneOutcomeOperation
  private let completes = LockedValue<[OneOutcomeOperation.Complete]>([])
  private let reported = LockedValue<[String]>([])
  private let completed = SharedCounter()
  private let earlyEnds = SharedCounter()

  init() {
    let own = LockedValue<WeakReference<OneOutcomeOperation>?>(nil)
    operation = OneOutcomeOperation { [reported] outcome in
      let isCancelled = own.value?.value?.isCancelled ?? false
      switch outcome {
      case .cancelled where !isCancelled: reported.append("cancelled, and isCancelled was false")
      default: reported.append(CancelRaceJob.name(of: outcome))
      }
    } work: { [completes] complete in
      completes.append(complete)
    }
    own.set(WeakReference(operation))
    operation.completionBlock = { [completed] in completed.increment() }
  }

  var readings: OneOutcomeReadings {
    OneOutcomeReadings(
      isExecuting: operation.isExecuting, isFinished: operation.isFinished,
      isCancelled: operation.isCancelled, outcome: CancelRaceJob.name(of: operation.outcome),
      reports: reported.value, works: completes.value.count, completions: completed.value,
      earlyEnds: earlyEnds.value)
  }

  /// Looks whether it is finished, and whether it has an outcome then.
  func noteEnd() {
    if operation.isFinished, operation.outcome == nil { earlyEnds.increment() }
  }

  func complete() { completes.value.first?({ Data([7]) }) }
  func tearDown() { completes.set([]) }
}

private struct OneOutcomeModel {
  private(set) var readings = OneOutcomeReadings()

  mutating func start() {
    if readings.isCancelled {
      end()
    } else {
      readings.isExecuting = true
      readings.works += 1
    }
  }

  mutating func cancel() {
    guard settle("cancelled") else { return }
    readings.isCancelled = true
    if readings.isExecuting { end() }
  }

  mutating func complete() {
    if readings.works > 0, settle("completed with 7") { end() }
  }

  private mutating func settle(_ outcome: String) -> Bool {
    guard readings.outcome == "open" else { return false }
    readings.outcome = outcome
    readings.reports.append(outcome)
    return true
  }

  private mutating func end() {
    readings.isExecuting = false
    readings.isFinished = true
    readings.completions += 1
  }
}
