import AsyncOperations
import Foundation
import KataTesting
import Testing

/// A call that settles the outcome of an operation.
enum CancelRaceCall: String, CaseIterable, Sendable {
  case complete = "complete"
  case cancel = "cancel()"

  /// Where a thread keeps the call that it makes.
  static let key = "katas.spec.call"
}

/// A moment at which the answer calls out, so that a spec can hold it there.
enum CancelRaceMoment: Sendable, CustomStringConvertible {
  case report
  case notice(KVOProbe.Announcement)

  /// Where the answer is held.
  var description: String {
    switch self {
    case .report: "report"
    case .notice(let announcement): "the notice \"\(announcement)\""
    }
  }
}

/// An operation with a record of all that it has told.
final class CancelRaceJob: Sendable, OpaqueMirror {
  let operation: OneOutcomeOperation
  /// The queue to run it in.
  let queue = OperationQueue()
  private let record: Record

  /// Makes a job; `inReport` is what its `report` does after the outcome is put on record, `inWork`
  /// what its work does when it has begun.
  init(
    inReport: @escaping @Sendable (OneOutcomeOperation) -> Void = { _ in },
    inWork: @escaping @Sendable (@escaping OneOutcomeOperation.Complete) -> Void = { _ in }
  ) {
    let record = Record()
    self.record = record
    operation = OneOutcomeOperation { outcome in
      record.add(Self.name(of: outcome))
      if let operation = record.operation { inReport(operation) }
    } work: { complete in
      record.begin(complete)
      inWork(complete)
    }
    record.watch(operation)
    operation.completionBlock = { record.completions.increment() }
  }

  /// Every outcome that was reported so far, in words.
  var reports: [String] { record.reports.map(\.outcome) }

  /// The calls that `report` was called by; "none" where it was called on a thread of its own.
  var reportingCalls: [String] { record.reports.map(\.call) }

  /// How often the work was begun.
  var works: Int { record.works }

  /// How often the `completionBlock` was called.
  var completions: Int { record.completions.value }

  /// What the operation says that it has come to, in words.
  var outcome: String { Self.name(of: operation.outcome) }

  /// Ends the work with 7, if it has begun.
  func complete(making: @Sendable () -> Void = {}) {
    record.complete?({
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

  private final class Record: Sendable {
    let completions = Counter()
    // Safe: guarded by `lock`.
    private nonisolated(unsafe) var calls: [(outcome: String, call: String)] = []
    private nonisolated(unsafe) var begun: [OneOutcomeOperation.Complete] = []
    private nonisolated(unsafe) weak var watched: OneOutcomeOperation?  // Safe: as above.
    private let lock = NSLock()

    func watch(_ operation: OneOutcomeOperation) { lock.withLock { watched = operation } }
    func add(_ outcome: String) {
      let call = Thread.current.threadDictionary[CancelRaceCall.key] as? String ?? "none"
      lock.withLock { calls.append((outcome, call)) }
    }
    func begin(_ complete: @escaping OneOutcomeOperation.Complete) {
      lock.withLock { begun.append(complete) }
    }

    var operation: OneOutcomeOperation? { lock.withLock { watched } }
    var reports: [(outcome: String, call: String)] { lock.withLock { calls } }
    var works: Int { lock.withLock { begun.count } }
    var complete: OneOutcomeOperation.Complete? { lock.withLock { begun.first } }
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
      Thread.current.threadDictionary[CancelRaceCall.key] = call.rawValue
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
      \(story) The outcome is \(outcome), and reported was \(reports). Whoever settles the outcome \
      reports it, once; whoever finds it settled leaves it alone and reports nothing.
      """,
      sourceLocation: sourceLocation)
    if let expected {
      #expect(
        outcome == expected,
        """
        \(story) The outcome must be "\(expected)", and it is "\(outcome)": the first one settles \
        it for good.
        """,
        sourceLocation: sourceLocation)
    }
    let isFinished = job.operation.isFinished && !job.operation.isExecuting
    #expect(
      isFinished && job.completions == 1,
      """
      \(story) The operation must be finished and completed once; here \
      isFinished=\(job.operation.isFinished), isExecuting=\(job.operation.isExecuting), completed \
      \(job.completions) times. Whoever settles the outcome calls finish().
      """,
      sourceLocation: sourceLocation)
  }
}
