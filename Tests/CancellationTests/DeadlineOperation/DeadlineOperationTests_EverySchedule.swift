import AsyncOperations
import Foundation
import KataTesting
import Testing

extension DeadlineOperationTests {
  @Test func `in every schedule it has one outcome, and leaves neither timer nor work behind`() {
    let start = DeadlineModelledCall("start()") {
      $0.operation.start()
    } model: {
      $0.start()
    }
    let cancel = DeadlineModelledCall("cancel()") {
      $0.operation.cancel()
    } model: {
      $0.cancel()
    }
    let complete = DeadlineModelledCall("complete(7)") {
      $0.complete()
    } model: {
      $0.complete()
    }
    let fire = DeadlineModelledCall("the timer's action") {
      $0.fire()
    } model: {
      $0.fire()
    }
    // No thread makes a call after one of two cancellations: it may return while the other is
    // running.
    let threads = [
      [[start], [cancel]],
      [[start], [cancel], [cancel]],
      [[start], [fire]],
      [[start], [fire], [complete]],
      [[start], [cancel], [fire]],
      [[start], [cancel], [complete]],
      [[start, complete], [fire]],
      [[start, fire], [cancel], [complete]],
      [[cancel, start], [fire]],
    ]
    let subject = ModelledSubject(
      model: DeadlineModel(), { DeadlineSubject() }, end: { $0.readings.description },
      modelEnd: { $0.readings.description }, tearDown: { $0.tearDown() })
    explore(threads.map { Scenario(subject, threads: $0) })
  }
}

private typealias DeadlineModelledCall = ModelledCall<DeadlineSubject, DeadlineModel>

/// What an operation, its timer and its work show in the end.
private struct DeadlineReadings: CustomStringConvertible {
  var isExecuting = false
  var isFinished = false
  var isCancelled = false
  var outcome = "open"
  /// How often the work was begun.
  var works = 0
  /// How often the work was stopped.
  var stops = 0
  /// Whether a timer was set that has neither fired nor been cancelled.
  var hasTimer = false
  var completions = 0

  var description: String {
    // Timed out while the timer is being set, it may never have begun the work.
    let isLeftOpen = outcome == "timed out"
    let work =
      isLeftOpen
      ? "\(works - stops) works go on" : "work begun \(times(works)), stopped \(times(stops))"
    return """
      isExecuting \(isExecuting), isFinished \(isFinished), isCancelled \(isCancelled), \
      outcome \(outcome), \(work), timer left \(hasTimer), completed \(times(completions))
      """
  }
}

/// An operation with a timer that the test fires, and a record of what it has called.
private final class DeadlineSubject: Sendable {
  let operation: DeadlineOperation
  private let completes = LockedValue<[@Sendable (Data) -> Void]>([])
  private let actions = LockedValue<[@Sendable () -> Void]>([])
  private let stops = SharedCounter()
  private let hasTimer = LockedValue(false)
  private let completed = SharedCounter()

  init() {
    operation = DeadlineOperation(
      deadline: 5,
      schedule: { [actions, hasTimer] _, action in
        hasTimer.set(true)
        actions.append(action)
        return { hasTimer.set(false) }
      }
    ) { [completes, stops] complete in
      completes.append(complete)
      return { stops.increment() }
    }
    operation.completionBlock = { [completed] in completed.increment() }
  }

  var readings: DeadlineReadings {
    DeadlineReadings(
      isExecuting: operation.isExecuting, isFinished: operation.isFinished,
      isCancelled: operation.isCancelled, outcome: DeadlineJob.name(of: operation.outcome),
      works: completes.value.count, stops: stops.value, hasTimer: hasTimer.value,
      completions: completed.value)
  }

  func complete() { completes.value.first?(Data([7])) }

  /// The time is up.
  ///
  /// A timer that is cancelled late may still call its action.
  func fire() {
    guard let action = actions.value.first else { return }
    hasTimer.set(false)
    action()
  }

  func tearDown() {
    completes.set([])
    actions.set([])
  }
}

private struct DeadlineModel {
  private(set) var readings = DeadlineReadings()

  mutating func start() {
    if readings.isCancelled {
      end()
    } else {
      readings.isExecuting = true
      readings.works += 1
      readings.hasTimer = true
    }
  }

  mutating func cancel() {
    guard readings.outcome == "open" else { return }
    readings.outcome = "cancelled"
    readings.isCancelled = true
    if readings.isExecuting { giveUp() }
  }

  mutating func fire() {
    guard readings.isExecuting else { return }
    readings.outcome = "timed out"
    giveUp()
  }

  mutating func complete() {
    guard readings.isExecuting else { return }
    readings.outcome = "completed with 7"
    end()
  }

  private mutating func giveUp() {
    readings.stops += 1
    end()
  }

  private mutating func end() {
    readings.isExecuting = false
    readings.isFinished = true
    readings.hasTimer = false
    readings.completions += 1
  }
}
