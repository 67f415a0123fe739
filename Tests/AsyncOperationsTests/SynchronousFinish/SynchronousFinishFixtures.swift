import Foundation
import KataTesting
import Testing

/// How the data reaches a `CachedLoadOperation`.
enum DataArrival: CaseIterable, Sendable {
  /// It's at hand.
  case atHand
  /// The completion is called inside `load`.
  case insideLoad
  /// Another thread calls the completion and has returned from it before `load` returns.
  case fromAnotherThread
  /// The completion is called by the spec.
  case later
}

/// A `CachedLoadOperation` whose data arrives as the spec asks.
final class CachedLoadJob: Sendable, OpaqueMirror {
  static let data = Data("picture".utf8)

  let arrival: DataArrival
  let operation: CachedLoadOperation
  let completions = SharedCounter()
  /// The operation's state after each completion that was called before `load` returned.
  let ends = LockedValue<[Reading]>([])
  private let (cacheLooks, loadCalls) = (SharedCounter(), SharedCounter())
  private let given = LockedValue<CachedLoadOperation.Completion?>(nil)

  /// Makes a job; `inside` is called inside `cached` and `load`, before anything else.
  init(
    _ arrival: DataArrival, inside: @escaping @Sendable (CachedLoadOperation) -> Void = { _ in }
  ) {
    self.arrival = arrival
    let watched = LockedValue<WeakReference<CachedLoadOperation>?>(nil)
    let withOperation: @Sendable ((CachedLoadOperation) -> Void) -> Void = { body in
      if let operation = watched.value?.value { body(operation) }
    }
    operation = CachedLoadOperation { [cacheLooks] in
      cacheLooks.increment()
      withOperation(inside)
      return arrival == .atHand ? Self.data : nil
    } load: { [loadCalls, ends, given] completion in
      loadCalls.increment()
      withOperation(inside)
      switch arrival {
      case .atHand: return
      case .insideLoad: completion(Self.data)
      case .fromAnotherThread: onAnotherThread("completion") { completion(Self.data) }
      case .later: return given.set(completion)
      }
      withOperation { ends.append(Reading($0)) }
    }
    watched.set(WeakReference(operation))
    operation.completionBlock = { [completions] in completions.increment() }
  }

  /// How often `cached` was called.
  var looks: Int { cacheLooks.value }

  /// How often `load` was called.
  var loads: Int { loadCalls.value }

  /// Whether the operation has requested data that comes later.
  var waitsForData: Bool { given.value != nil }

  /// Calls the completion with the data.
  func deliver(_ data: Data = CachedLoadJob.data) { given.value?(data) }
}

/// The life of an operation as its notices show it.
struct NoticedLife {
  let notices: [KVOProbe.Notice]

  /// What is wrong with the order of its states; nil if it's right.
  var fault: String? {
    var hasExecuted = false
    var isOver = false
    for notice in notices {
      if notice.isExecuting, notice.isFinished { return "It was executing and finished at once." }
      if isOver, !notice.isFinished { return "It was finished, and later it wasn't." }
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

  /// Starts a job by hand and completes it.
  func live(_ job: CachedLoadJob, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try start(job, sourceLocation: sourceLocation)
    if job.arrival == .later { try deliver(to: job, sourceLocation: sourceLocation) }
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
