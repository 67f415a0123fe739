import Foundation
import KataTesting
import Testing

/// How the data comes to a `CachedLoadOperation`.
enum DataArrival: CaseIterable, Sendable {
  /// It's at hand.
  case atHand
  /// The completion is called inside `load`.
  case insideLoad
  /// Another thread calls the completion and has returned from it before `load` returns.
  case fromAnotherThread
  /// The completion is called when the spec says so.
  case later
}

/// A `CachedLoadOperation` whose data comes as the spec says.
final class CachedLoadJob: Sendable, OpaqueMirror {
  static let data = Data("picture".utf8)

  let arrival: DataArrival
  let operation: CachedLoadOperation
  let completions = Counter()
  private let record: Record

  /// Makes a job; `inside` is done inside `cached` and `load`, before anything else.
  init(
    _ arrival: DataArrival, inside: @escaping @Sendable (CachedLoadOperation) -> Void = { _ in }
  ) {
    let record = Record()
    self.arrival = arrival
    self.record = record
    operation = CachedLoadOperation {
      record.looks.increment()
      if let operation = record.operation { inside(operation) }
      return arrival == .atHand ? Self.data : nil
    } load: { completion in
      record.loads.increment()
      if let operation = record.operation { inside(operation) }
      switch arrival {
      case .atHand: break
      case .insideLoad:
        completion(Self.data)
        if let operation = record.operation { record.ends.read(operation) }
      case .fromAnotherThread:
        let hasReturned = Gate("completion has returned")
        _ = TestThread("completion") {
          completion(Self.data)
          hasReturned.open()
        }
        hasReturned.wait()
        if let operation = record.operation { record.ends.read(operation) }
      case .later: record.keep(completion)
      }
    }
    record.watch(operation)
    operation.completionBlock = { [completions] in completions.increment() }
  }

  /// How often `cached` was called.
  var looks: Int { record.looks.value }

  /// How often `load` was called.
  var loads: Int { record.loads.value }

  /// What the operation was when a completion that was called before `load` returns had returned.
  var ends: Readings { record.ends }

  /// Whether the operation has asked for data that comes later.
  var waitsForData: Bool { record.completion != nil }

  /// Brings the data to whoever waits for it.
  func deliver(_ data: Data = CachedLoadJob.data) { record.completion?(data) }

  private final class Record: Sendable {
    let looks = Counter()
    let loads = Counter()
    let ends = Readings()
    // Safe: guarded by `lock`.
    private nonisolated(unsafe) var given: CachedLoadOperation.Completion?
    private nonisolated(unsafe) weak var watched: CachedLoadOperation?  // Safe: as above.
    private let lock = NSLock()

    func watch(_ operation: CachedLoadOperation) { lock.withLock { watched = operation } }

    func keep(_ completion: @escaping CachedLoadOperation.Completion) {
      lock.withLock { given = completion }
    }

    var operation: CachedLoadOperation? { lock.withLock { watched } }
    var completion: CachedLoadOperation.Completion? { lock.withLock { given } }
  }
}

/// What an operation had for whoever heard of its end.
final class HeardData: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var heard: [Data?] = []
  private let lock = NSLock()

  func hear(_ data: Data?) { lock.withLock { heard.append(data) } }

  var all: [Data?] { lock.withLock { heard } }
}

/// Keeps completions until it's dropped itself.
final class CompletionKeeper: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var kept: [CachedLoadOperation.Completion] = []
  private let lock = NSLock()

  func keep(_ completion: @escaping CachedLoadOperation.Completion) {
    lock.withLock { kept.append(completion) }
  }

  func callAll() { for completion in lock.withLock({ kept }) { completion(CachedLoadJob.data) } }
}

/// Looks at an operation without keeping it.
final class LoadWatch: Sendable, OpaqueMirror {
  // Safe: set once, in the initialiser; the runtime guards what it reads.
  private nonisolated(unsafe) weak var watched: CachedLoadOperation?

  init(_ operation: CachedLoadOperation) { watched = operation }

  var isGone: Bool { watched == nil }
  var isFinished: Bool { watched?.isFinished ?? false }
}

/// The life of an operation as its notices show it.
struct NoticedLife {
  let notices: [KVOProbe.Notice]

  /// What is wrong about the order of its states; nil where it's right.
  var fault: String? {
    var hasExecuted = false
    var isOver = false
    for notice in notices {
      if notice.isExecuting, notice.isFinished { return "It was executing and finished at once." }
      if isOver, !notice.isFinished { return "It was finished, and then it wasn't any more." }
      if hasExecuted, notice.isExecuting, isOver { return "It executed after its end." }
      if !hasExecuted, notice.isFinished { return "It was finished before it had executed." }
      hasExecuted = hasExecuted || notice.isExecuting
      isOver = isOver || notice.isFinished
    }
    return nil
  }
}

// MARK: - Moves

extension SynchronousFinishTests {
  func start(_ job: CachedLoadJob, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try mustReturn(
      "start()", "Is a lock held while it notifies or calls out?", sourceLocation: sourceLocation
    ) { job.operation.start() }
  }

  func deliver(
    _ data: Data = CachedLoadJob.data, to job: CachedLoadJob,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(
      "completion", "Is a lock held while it notifies?", sourceLocation: sourceLocation
    ) { job.deliver(data) }
  }

  /// Starts a job by hand and brings it to its end.
  func live(_ job: CachedLoadJob, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try start(job, sourceLocation: sourceLocation)
    if job.arrival == .later { try deliver(to: job, sourceLocation: sourceLocation) }
  }

  /// Expects that nothing is left in `queue`, or soon will be.
  func expectDrained(
    _ queue: OperationQueue, _ advice: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let drained = TestThread("waitUntilAllOperationsAreFinished()") {
      queue.waitUntilAllOperationsAreFinished()
    }
    eventually("The queue never empties. \(advice)", sourceLocation: sourceLocation) {
      drained.hasReturned
    }
  }

  func expectEnd(
    of job: CachedLoadJob, _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let operation = job.operation
    #expect(
      operation.isFinished && !operation.isExecuting && operation.data == CachedLoadJob.data,
      """
      \(sentence) It must be finished, not executing, and have the data; here \
      isFinished=\(operation.isFinished), isExecuting=\(operation.isExecuting), and data is \
      \(operation.data.map { "\"\(String(decoding: $0, as: UTF8.self))\"" } ?? "nil").
      """,
      sourceLocation: sourceLocation)
  }
}
