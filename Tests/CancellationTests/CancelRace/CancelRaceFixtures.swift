import AsyncOperations
import Foundation
import KataTesting
import Testing

/// A call that settles the outcome of an operation.
enum CancelRaceCall: String, CaseIterable, Sendable {
  case complete = "complete"
  case cancel = "cancel()"
}

/// An operation with a record of everything it has called.
final class CancelRaceJob: Sendable, OpaqueMirror {
  let operation: OneOutcomeOperation
  /// The queue to run it in.
  let queue = OperationQueue()
  private let reported = LockedValue<[String]>([])
  private let begun = LockedValue<[OneOutcomeOperation.Complete]>([])
  private let completed = SharedCounter()

  /// Makes a job; `inReport` is what its `report` does after the outcome is put on record, `inWork`
  /// what its work does when it has begun.
  init(
    inReport: @escaping @Sendable (OneOutcomeOperation) -> Void = { _ in },
    inWork: @escaping @Sendable (@escaping OneOutcomeOperation.Complete) -> Void = { _ in }
  ) {
    let own = LockedValue<WeakReference<OneOutcomeOperation>?>(nil)
    operation = OneOutcomeOperation { [reported] outcome in
      reported.append(Self.name(of: outcome))
      if let operation = own.value?.value { inReport(operation) }
    } work: { [begun] complete in
      begun.append(complete)
      inWork(complete)
    }
    own.set(WeakReference(operation))
    operation.completionBlock = { [completed] in completed.increment() }
  }

  /// Every outcome that was reported so far, in words.
  var reports: [String] { reported.value }

  /// How often the work was begun.
  var works: Int { begun.value.count }

  /// How often the `completionBlock` was called.
  var completions: Int { completed.value }

  /// The operation's outcome, in words.
  var outcome: String { Self.name(of: operation.outcome) }

  /// Ends the work with 7, if it has begun.
  func complete(making: @Sendable () -> Void = {}) {
    begun.value.first?({
      making()
      return Data([7])
    })
  }

  /// Makes a call on the calling thread.
  func make(_ call: CancelRaceCall) {
    switch call {
    case .complete: complete()
    case .cancel: operation.cancel()
    }
  }

  /// An outcome in words.
  static func name(of outcome: OneOutcomeOperation.Outcome?) -> String {
    switch outcome {
    case .completed(let value): "completed with \(value.map(String.init).joined())"
    case .cancelled: "cancelled"
    case nil: "open"
    }
  }
}

// MARK: - Moves

extension CancelRaceTests {
  /// A job that has begun to work in its queue.
  func begunJob(
    inReport: @escaping @Sendable (OneOutcomeOperation) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> CancelRaceJob {
    let job = CancelRaceJob(inReport: inReport)
    job.queue.addOperation(job.operation)
    try #require(
      eventually(
        "Its queue has started the operation, and the work never began: main() must call work.",
        sourceLocation: sourceLocation
      ) { job.works == 1 })
    runUntilQuiet(sourceLocation: sourceLocation)
    return job
  }

  /// Makes a call on a thread of its own.
  func call(
    _ call: CancelRaceCall, on job: CancelRaceJob, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(call.rawValue, sourceLocation: sourceLocation) {
      job.make(call)
    }
  }

  /// Expects one outcome, one report, one end.
  func expectOneOutcome(
    _ expected: String? = nil, of job: CancelRaceJob, after story: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    runUntilQuiet(sourceLocation: sourceLocation)
    let outcome = try mustReturn("outcome", sourceLocation: sourceLocation) { job.outcome }
    let reports = job.reports.isEmpty ? "nothing" : job.reports.joined(separator: ", then ")
    #expect(
      job.reports == [outcome],
      """
      \(story) The outcome is \(outcome), and the reports were: \(reports). The call that settles \
      the outcome must report it, once; a call that finds it settled must change and report \
      nothing.
      """,
      sourceLocation: sourceLocation)
    if let expected {
      #expect(
        outcome == expected,
        """
        \(story) The outcome must be "\(expected)", and it is "\(outcome)". The first call settles \
        it for good.
        """,
        sourceLocation: sourceLocation)
    }
    let isFinished = job.operation.isFinished && !job.operation.isExecuting
    #expect(
      isFinished && job.completions == 1,
      """
      \(story) The operation must be finished, and its completion block called once; here \
      isFinished=\(job.operation.isFinished), isExecuting=\(job.operation.isExecuting), completion \
      block called \(job.completions) times. The call that settles the outcome calls finish().
      """,
      sourceLocation: sourceLocation)
  }
}
