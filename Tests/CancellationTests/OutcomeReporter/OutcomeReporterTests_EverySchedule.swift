import AsyncOperations
import Foundation
import KataTesting
import Testing

extension OutcomeReporterTests {
  // MARK: - Every schedule

  @Test func `in every schedule it reports one outcome, which the first delivery decides`() {
    let start = Call("start()") {
      $0.operation.start()
    } model: {
      $0.start()
    }
    let cancel = Call("cancel()") {
      $0.operation.cancel()
    } model: {
      $0.isCancelled = true
    }
    let outcome = Call("outcome") {
      $0.outcome
    } model: {
      $0.outcome
    }
    let (value, error) = (deliver("a value", .success(3)), deliver("an error", .failure(Failed())))
    // No thread makes a call after one of two deliveries: the other may still be finishing the
    // operation.
    let threads = [
      [[start], [cancel]],
      [[start, error], [cancel]],
      [[start, error], [outcome]],
      [[start, error, cancel], [outcome]],
      [[start], [error], [cancel]],
      [[start], [value], [error]],
      [[start, error], [value]],
      [[start, error], [value], [cancel]],
      [[cancel, start], [value]],
    ]
    let subject = ModelledSubject<DeliveringWork, OutcomeModel>(
      model: OutcomeModel(), { DeliveringWork() }, end: { $0.summary }, modelEnd: { $0.summary },
      tearDown: { $0.forgetDelivery() })
    explore(threads.map { Scenario(subject, threads: $0) })
  }

  private typealias Call = ModelledCall<DeliveringWork, OutcomeModel>

  private func deliver(_ what: String, _ result: Result<Int, any Error>) -> Call {
    Call("delivers \(what)") {
      $0.deliver(result)
    } model: {
      $0.deliver(result)
    }
  }
}

private struct Failed: Error {}

/// An operation whose work delivers when the spec says so, and its reports.
private final class DeliveringWork: Sendable {
  let operation: ReportingOperation<Int>
  private let delivery = LockedValue<(@Sendable (Result<Int, any Error>) -> Void)?>(nil)
  private let reports: LockedValue<[String]>

  init() {
    let reports = LockedValue<[String]>([])
    self.reports = reports
    operation = ReportingOperation<Int> { outcome in
      reports.append(Self.name(outcome))
    } work: { [delivery] in
      delivery.set($0)
    }
  }

  /// Has no effect before the work has begun.
  func deliver(_ result: Result<Int, any Error>) { delivery.value?(result) }

  func forgetDelivery() { delivery.set(nil) }

  var outcome: String { operation.outcome.map(Self.name) ?? "none" }

  var summary: String {
    let finished = operation.isFinished ? "finished" : "not finished"
    return "\(finished), outcome \(outcome), reported: \(reports.value)"
  }

  static func name(_ outcome: Outcome<Int>) -> String {
    switch outcome {
    case .completed(let value): "completed with \(value)"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}

private struct OutcomeModel: Sendable {
  var isCancelled = false
  private var hasBegun = false
  private var ended: Outcome<Int>?

  var outcome: String { ended.map(DeliveringWork.name) ?? "none" }

  var summary: String {
    let reports = ended == nil ? [] : [outcome]
    return "\(ended == nil ? "not finished" : "finished"), outcome \(outcome), reported: \(reports)"
  }

  mutating func start() {
    if isCancelled { ended = .cancelled } else { hasBegun = true }
  }

  mutating func deliver(_ result: Result<Int, any Error>) {
    guard hasBegun, ended == nil else { return }
    switch result {
    case .success(let value): ended = .completed(value)
    case .failure(let error): ended = isCancelled ? .cancelled : .failed(error)
    }
  }
}
