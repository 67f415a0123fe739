import AsyncOperations
import Foundation
import KataTesting
import Testing

/// An operation whose work delivers when the spec says so, and what it has reported.
final class OutcomeReporterRun: Sendable, OpaqueMirror {
  /// What work may deliver.
  enum Delivery: String, Sendable, CaseIterable {
    case value, error, userCancelled, callCancelled, cancellationError

    var result: Result<Int, any Error> {
      switch self {
      case .value: .success(3)
      case .error: .failure(OutcomeReporterError())
      case .userCancelled: .failure(CocoaError(.userCancelled))
      case .callCancelled: .failure(POSIXError(.ECANCELED))
      case .cancellationError: .failure(CancellationError())
      }
    }
  }

  typealias Deliver = @Sendable (Result<Int, any Error>) -> Void

  let operation: ReportingOperation<Int>
  private let timeline: Timeline
  private let given = LockedValue<Deliver?>(nil)

  /// Makes an operation; `inWork` is what its work does before it returns.
  init(on timeline: Timeline, inWork: @escaping @Sendable (@escaping Deliver) -> Void = { _ in }) {
    self.timeline = timeline
    let own = LockedValue<WeakReference<ReportingOperation<Int>>?>(nil)
    operation = ReportingOperation<Int> { outcome in
      let isFinished = own.value?.value?.isFinished ?? true
      timeline.mark("report", Self.name(of: outcome) + (isFinished ? "" : ", not finished"))
    } work: { [given] deliver in
      given.set(deliver)
      timeline.mark("work", "begun")
      inWork(deliver)
    }
    own.set(WeakReference(operation))
  }

  /// What was reported, in the order of the reports.
  var reports: [String] {
    timeline.events.compactMap { event in
      guard case .mark(let what) = event.kind, event.who == "report" else { return nil }
      return what
    }
  }

  var hasBegun: Bool { given.value != nil }

  /// How often the work was called.
  var begun: Int { timeline.events.count { $0.who == "work" && $0.kind == .mark("begun") } }

  /// The operation's `outcome`, as a word.
  var outcome: String { operation.outcome.map { Self.name(of: $0) } ?? "none" }

  /// The work delivers.
  func deliver(_ delivery: Delivery, sourceLocation: SourceLocation = #_sourceLocation) throws {
    timeline.mark("work", "delivers \(delivery)")
    try mustReturn("the delivery", sourceLocation: sourceLocation) { [given] in
      given.value?(delivery.result)
    }
  }

  /// The closure that the work received, to be called without a lock of the spec.
  var delivery: Deliver? { given.value }

  /// Releases the closure that the work received, which retains the operation.
  func forgetDelivery() { given.set(nil) }

  func cancel(sourceLocation: SourceLocation = #_sourceLocation) throws {
    timeline.mark("cancel", "cancelled")
    try mustReturn("cancel()", sourceLocation: sourceLocation) { [operation] in operation.cancel() }
  }

  private static func name(of outcome: Outcome<Int>) -> String {
    switch outcome {
    case .completed(3): "completed"
    case .completed(let value): "completed with another value, \(value)"
    case .failed(is OutcomeReporterError), .failed(is CocoaError), .failed(is POSIXError): "failed"
    case .failed(let error): "failed with another error, \(error)"
    case .cancelled: "cancelled"
    }
  }
}

/// The error that the spec's work delivers.
struct OutcomeReporterError: Error {}

// MARK: - Moves

extension OutcomeReporterTests {
  /// An operation in a queue, whose work has begun.
  func begunRun(
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> OutcomeReporterRun {
    let run = OutcomeReporterRun(on: timeline)
    queue.addOperation(run.operation)
    let hasBegun = eventually(
      "The operation wasn't cancelled, and its work was never called: main() must call it.",
      sourceLocation: sourceLocation
    ) { run.hasBegun }
    try #require(hasBegun, sourceLocation: sourceLocation)
    return run
  }

  /// Expects that `outcome` is reported, once, and kept.
  func expectOutcome(
    _ outcome: String, of run: OutcomeReporterRun, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isReported = eventually(
      timeline.showing("Nothing is ever reported. \(sentence)"), sourceLocation: sourceLocation
    ) { !run.reports.isEmpty }
    runUntilQuiet(sourceLocation: sourceLocation)
    if isReported {
      #expect(run.reports == [outcome], timeline.showing(sentence), sourceLocation: sourceLocation)
    }
    #expect(
      run.outcome == outcome,
      "\(sentence) The property outcome must be the same; it is \(run.outcome).",
      sourceLocation: sourceLocation)
  }
}
